# Sources: which boards are worth reading, which have begun to say less, and adding or pausing one.
# /// script
# [tool.marimo.display]
# theme = "system"
# ///
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: sources")

with app.setup:
    import marimo as mo

    from jobctrl.analytics import charts_sources, source_quality, source_worth, survival
    from jobctrl.analytics.desk import act, act_on_each, look, open_desk, tidy
    from jobctrl.runtime import open_operator, workspace_path


@app.cell
def _():
    # What the last action came to. A state, since the list it is picked from reads itself again after it.
    said, tell = mo.state(None)
    again = mo.ui.refresh(options=["15s", "60s", "5m"], default_interval="60s", label="Look again every")
    least = mo.ui.slider(1, 10, value=7, show_value=True, debounce=True, label="Good is a score from")
    address = mo.ui.text(placeholder="https://boards.greenhouse.io/… or kind:token", label="New board", full_width=True)
    add = mo.ui.run_button(kind="success", label="Add")
    share = mo.ui.dropdown(
        {
            "known from elsewhere": ("duplicate", "found"),
            "found here first": ("first_finder", "jobs"),
            "still open": ("active", "checked"),
            "closed or expired": ("expiry", "checked"),
            "text could be read": ("detail", "detail_tried"),
            "led to a reply": ("reply", "applied"),
            "led to an interview": ("interview", "applied"),
        },
        value="known from elsewhere",
        label="Share of jobs",
    )
    unit = mo.ui.dropdown(
        [name for name, _ in source_worth.UNITS], value="good job", label="What each source's money came to: one"
    )
    return add, address, again, least, said, share, tell, unit


@app.cell
def _(again, said):
    said(), again.value
    desk = open_desk(workspace_path())
    mo.stop(desk.db is None, mo.callout(mo.md(f"**The workspace cannot be read.** {desk.says}"), kind="danger"))
    return (desk,)


@app.cell
def _(again, desk):
    mo.vstack(
        [
            mo.hstack([mo.md("# Sources"), again], justify="space-between", align="center"),
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
def _(said):
    # Read again after an action alone, so that looking again never takes away what was picked.
    said()
    _known = open_desk(workspace_path())
    _names = source_quality.source_quality(_known.db)["source_id"].to_list() if _known.db else []
    picked = mo.ui.multiselect(_names, label="Boards to pause or resume")
    return (picked,)


@app.cell
def _(picked):
    _n = len(picked.value)
    _boards = f"{_n} board" if _n == 1 else f"{_n} boards"
    pause = mo.ui.run_button(
        kind="warn", label=f"Pause {_boards}", disabled=not _n, tooltip="Not read any more until resumed; jobs stay"
    )
    resume = mo.ui.run_button(
        kind="success", label=f"Resume {_boards}", disabled=not _n, tooltip="Read again from the next run on"
    )
    return pause, resume


@app.cell
def _(least, pause, picked, quality, resume):
    _shown = quality.select(
        "source_id", "state", "recommended_state", "evidence", "jobs", "unique_jobs", "good", "good_lost_without",
        "applied", "interviews", "usd", "returned", "admitted", "merged", "filtered", "rejected", "failed_runs",
        "last_run_at", "last_error", "simulated",
    )  # fmt: skip
    _table = mo.ui.table(tidy(_shown), **look(_shown, page_size=15, freeze_columns_left=["source_id"]))
    mo.vstack([mo.hstack([picked, pause, resume], justify="start", align="end", wrap=True), least, _table])
    return


@app.cell
def _(pause, picked, tell):
    mo.stop(not pause.value)
    tell(act_on_each(open_operator(workspace_path()).pause_source, picked.value))
    return


@app.cell
def _(picked, resume, tell):
    mo.stop(not resume.value)
    tell(act_on_each(open_operator(workspace_path()).resume_source, picked.value))
    return


@app.cell
def _(quality):
    mo.stop(not quality["jobs"].sum(), mo.callout(mo.md("**No board has shown a job yet.**"), kind="neutral"))
    charts_sources.source_yield(quality)
    return


@app.cell
def _(desk, least, quality):
    mo.stop(not quality["jobs"].sum())
    lost = source_worth.lost_without(desk.db, min_score=least.value)
    _expected = (
        "*What it would cost in interviews is not known: too few applications to tell what a score means.*"
        if lost.is_empty() or lost["expected_interviews"].is_null().all()
        else "Expected interviews: had one applied to each good job that only this board shows."
        + (" **Made from SIMULATED applications.**" if lost["simulated"].any() else "")
    )
    mo.vstack(
        [
            mo.md("## What would be lost without a board"),
            mo.md("*Every job is shown by another board too.*")
            if lost.is_empty()
            else mo.vstack(
                [charts_sources.lost_bars(lost), mo.md(_expected), mo.ui.table(tidy(lost), **look(lost, page_size=15))]
            ),
        ]
    )
    return


@app.cell
def _(quality, share):
    _known = quality[f"{share.value[0]}_rate"].is_not_null().any()
    mo.vstack(
        [
            mo.md("## Shares"),
            share,
            charts_sources.source_share(
                quality, share.value[0], title=f"Jobs {share.selected_key}", axis="share", n=share.value[1]
            )
            if _known
            else mo.md("*No board has a case of this yet.*"),
        ]
    )
    return


@app.cell
def _(desk, quality):
    mo.stop(not quality["jobs"].sum())
    sight = source_worth.first_sight(desk.db)
    mo.vstack(
        [
            mo.md("## How soon a new posting is seen"),
            charts_sources.first_sight_points(sight)
            if sight["n"].sum()
            else mo.md("*No board was read twice and showed something new with a day of publication.*"),
            mo.ui.table(tidy(sight), **look(sight, page_size=15, freeze_columns_left=["source_id"])),
        ]
    )
    return


@app.cell
def _(desk, least, quality):
    mo.stop(not quality["jobs"].sum())
    costs = source_worth.source_costs(desk.db, min_score=least.value)
    return (costs,)


@app.cell
def _(costs, unit):
    _has = costs.filter(unit=unit.value)["usd_each"].is_not_null().any() and costs["usd"].sum() > 0
    mo.vstack(
        [
            mo.md("## What it costs"),
            unit,
            charts_sources.cost_points(costs, unit.value)
            if _has
            else mo.md("*Nothing was paid for, or none came of it yet.*"),
        ]
    )
    return


@app.cell
def _(desk, quality):
    mo.stop(not quality["jobs"].sum())
    life = survival.posting_life(desk.db)
    mo.vstack(
        [
            mo.md("## How long its postings stay open"),
            mo.md(
                "From the first sight on; the first line is all boards together. `rate`: still open after 30 days. "
                "None: not known, since nothing was looked at that long."
            ),
            mo.ui.table(tidy(life), **look(life, page_size=15)),
        ]
    )
    return


@app.cell
def _(desk, quality):
    mo.stop(quality.is_empty())
    turned = source_quality.turned_away(desk.db)
    mo.vstack(
        [
            mo.md("## Why rows of the last reading did not become jobs"),
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
            mo.md("## Boards that show the same jobs"),
            mo.md("*No job is shown by two boards.*")
            if overlap.is_empty()
            else mo.ui.table(tidy(overlap), **look(overlap)),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
