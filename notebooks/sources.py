# Sources: which boards are worth reading, which have begun to say less, and adding or pausing one.
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: sources")

with app.setup:
    import marimo as mo

    from jobctrl.analytics import charts, source_quality
    from jobctrl.analytics.desk import act, act_on_each, look, open_desk, tidy
    from jobctrl.runtime import open_operator, workspace_path


@app.cell
def _():
    # What the last action came to. A state, since the list it is picked from reads itself again after it.
    said, tell = mo.state(None)
    reload = mo.ui.run_button(label="Reload", tooltip="Read what is new")
    least = mo.ui.slider(1, 10, value=7, show_value=True, debounce=True, label="Good is a score from")
    address = mo.ui.text(placeholder="https://boards.greenhouse.io/… or kind:token", label="New board", full_width=True)
    add = mo.ui.run_button(kind="success", label="Add")
    share = mo.ui.dropdown(
        {
            "known from elsewhere": ("duplicate", "found"),
            "found here first": ("first_finder", "jobs"),
            "still open": ("active", "checked"),
            "text could be read": ("detail", "detail_tried"),
            "led to a reply": ("reply", "applied"),
            "led to an interview": ("interview", "applied"),
        },
        value="known from elsewhere",
        label="Share of jobs",
    )
    return add, address, least, reload, said, share, tell


@app.cell
def _(reload, said):
    said(), reload.value
    desk = open_desk(workspace_path())
    mo.stop(desk.db is None, mo.callout(mo.md(f"**The workspace cannot be read.** {desk.says}"), kind="danger"))
    return (desk,)


@app.cell
def _(desk, reload):
    mo.vstack(
        [
            mo.hstack([mo.md("# Sources"), reload], justify="space-between", align="center"),
            mo.md(f"What each board returned, what only it shows, and what came of it. {desk.says}"),
        ]
    )
    return


@app.cell
def _(add, address):
    mo.hstack([address, add], justify="start", align="end", widths=[4, 1])
    return


@app.cell
def _(add, address, tell):
    mo.stop(not add.value or not address.value.strip())
    tell(act(open_operator(workspace_path()).add_source, address.value.strip()))
    return


@app.cell
def _(said):
    _done = said()
    mo.callout(_done.says, kind="success" if _done.ok else "danger") if _done else None
    return


@app.cell
def _(desk):
    alarms = source_quality.drift_alarms(desk.db)
    mo.vstack([mo.callout(f"{row['source_id']}: {row['says']}.", kind="warn") for row in alarms.iter_rows(named=True)])
    return


@app.cell
def _(desk, least):
    quality = source_quality.source_quality(desk.db, min_score=least.value)
    mo.stop(quality.is_empty(), mo.callout(mo.md("**No board yet.** Add one above by its address."), kind="neutral"))
    return (quality,)


@app.cell
def _(quality):
    charts.source_yield(quality)
    return


@app.cell
def _(least, quality):
    _shown = quality.select(
        "source_id", "state", "recommended_state", "evidence", "jobs", "unique_jobs", "good", "good_lost_without",
        "applied", "interviews", "usd", "returned", "admitted", "merged", "filtered", "rejected", "failed_runs",
        "last_run_at", "last_error", "simulated",
    )  # fmt: skip
    picked = mo.ui.table(
        tidy(_shown),
        **look(
            _shown,
            selection="multi",
            page_size=15,
            freeze_columns_left=["source_id"],
            label="Pick boards to pause or resume.",
        ),
    )
    mo.vstack([least, picked])
    return (picked,)


@app.cell
def _(picked):
    _n = len(picked.value)
    pause = mo.ui.run_button(kind="warn", label=f"Pause {_n}", disabled=not _n)
    resume = mo.ui.run_button(kind="success", label=f"Resume {_n}", disabled=not _n)
    mo.hstack([pause, resume], justify="start")
    return pause, resume


@app.cell
def _(pause, picked, tell):
    mo.stop(not pause.value)
    tell(act_on_each(open_operator(workspace_path()).pause_source, picked.value["source_id"]))
    return


@app.cell
def _(picked, resume, tell):
    mo.stop(not resume.value)
    tell(act_on_each(open_operator(workspace_path()).resume_source, picked.value["source_id"]))
    return


@app.cell
def _(quality, share):
    mo.vstack(
        [
            share,
            charts.source_share(
                quality, share.value[0], title=f"Jobs {share.selected_key}", axis="share", n=share.value[1]
            ),
        ]
    )
    return


@app.cell
def _(desk, quality):
    mo.stop(quality.is_empty())
    turned = source_quality.turned_away(desk.db)
    mo.vstack(
        [
            mo.md("### Why rows of the last reading did not become jobs"),
            mo.md("*Every row was wanted and readable.*") if turned.is_empty() else mo.ui.table(turned, **look(turned)),
        ]
    )
    return


@app.cell
def _(desk, quality):
    mo.stop(quality.is_empty())
    overlap = source_quality.source_overlap(desk.db)
    mo.vstack(
        [
            mo.md("### Boards that show the same jobs"),
            mo.md("*No job is shown by two boards.*")
            if overlap.is_empty()
            else mo.ui.table(tidy(overlap), **look(overlap)),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
