# The inbox: new good jobs that wait for a decision. Keep, dismiss or undo, one or many at a time.
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: inbox")

with app.setup:
    import marimo as mo

    from jobctrl.analytics import board, charts
    from jobctrl.analytics.desk import act_on_each, look, open_desk, tidy
    from jobctrl.runtime import open_operator, workspace_path


@app.cell
def _():
    # What the last action came to. A state, since the list it is picked from reads itself again after it.
    said, tell = mo.state(None)
    reload = mo.ui.run_button(label="Reload", tooltip="Read what is new")
    least = mo.ui.slider(1, 10, value=7, show_value=True, debounce=True, label="Scores from")
    return least, reload, said, tell


@app.cell
def _(reload, said):
    said(), reload.value
    desk = open_desk(workspace_path())
    mo.stop(desk.db is None, mo.callout(mo.md(f"**The workspace cannot be read.** {desk.says}"), kind="danger"))
    return (desk,)


@app.cell
def _(desk, least, reload):
    counts = board.standing(desk.db, min_score=least.value).row(0, named=True)
    waiting = board.inbox(desk.db, min_score=least.value)
    mo.vstack(
        [
            mo.hstack([mo.md("# Inbox"), reload], justify="space-between", align="center"),
            mo.md(f"Good open jobs nobody has decided on yet. {desk.says}"),
            mo.hstack(
                [
                    mo.stat(len(waiting), label="wait for you", bordered=True),
                    mo.stat(counts["good"], label=f"scored {least.value} or more", bordered=True),
                    mo.stat(counts["ready"], label="with finished PDFs", bordered=True),
                    mo.stat(counts["applied"], label="applied", bordered=True),
                ],
                widths="equal",
            ),
            least,
        ]
    )
    return (waiting,)


@app.cell
def _(said):
    _done = said()
    mo.callout(_done.says, kind="success" if _done.ok else "danger") if _done else None
    return


@app.cell
def _(waiting):
    mo.stop(
        waiting.is_empty(),
        mo.callout(mo.md("**Nothing waits.** Lower the score, or find more with `jobctrl discover`."), kind="neutral"),
    )
    picked = mo.ui.table(
        tidy(waiting),
        **look(
            waiting,
            selection="multi",
            page_size=12,
            show_search=True,
            hidden_columns=["job_id", "url", "fit_band", "discovered_at", "active_state", "source_id"],
            freeze_columns_left=["fit_score", "title"],
            label="Pick one or more, then decide below.",
        ),
    )
    picked
    return (picked,)


@app.cell
def _(picked):
    _n = len(picked.value)
    keep = mo.ui.run_button(
        kind="success", label=f"Keep {_n}", disabled=not _n, keyboard_shortcut="Ctrl-Shift-K", tooltip="Ctrl-Shift-K"
    )
    dismiss = mo.ui.run_button(
        kind="danger", label=f"Dismiss {_n}", disabled=not _n, keyboard_shortcut="Ctrl-Shift-X", tooltip="Ctrl-Shift-X"
    )
    why = mo.ui.dropdown(
        ["not interested", "wrong place", "pay too low", "wrong level", "employer"],
        value="not interested",
        label="because",
    )
    mo.hstack([keep, dismiss, why], justify="start", align="center")
    return dismiss, keep, why


@app.cell
def _(keep, picked, tell):
    mo.stop(not keep.value)
    tell(act_on_each(open_operator(workspace_path()).save_job, picked.value["job_id"]))
    return


@app.cell
def _(dismiss, picked, tell, why):
    mo.stop(not dismiss.value)
    tell(act_on_each(open_operator(workspace_path()).dismiss_job, picked.value["job_id"], why.value))
    return


@app.cell
def _(said):
    _done = said()
    undo = mo.ui.run_button(label="Undo the last dismissal", keyboard_shortcut="Ctrl-Shift-Z", tooltip="Ctrl-Shift-Z")
    undo if _done and _done.keys and _done.says.startswith("Dismissed") else None
    return (undo,)


@app.cell
def _(said, tell, undo):
    mo.stop(not undo.value)
    tell(act_on_each(open_operator(workspace_path()).restore_job, said().keys))
    return


@app.cell
def _(waiting):
    charts.score_counts(waiting)
    return


if __name__ == "__main__":
    app.run()
