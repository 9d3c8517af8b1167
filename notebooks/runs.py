# Workflow runs: what ran, how it ended, its steps, and what stands still.
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: runs")

with app.setup:
    import marimo as mo

    from jobctrl.analytics import board, charts
    from jobctrl.analytics.desk import act, look, open_desk, tidy
    from jobctrl.runtime import open_operator, workspace_path


@app.cell
def _():
    # What the last action came to. A state, since the list it is picked from reads itself again after it.
    said, tell = mo.state(None)
    reload = mo.ui.run_button(label="Reload", tooltip="Read what is new")
    status = mo.ui.dropdown(
        {
            "all": "", "in progress": "in_progress", "succeeded": "succeeded", "failed": "failed",
            "canceled": "canceled", "timed out": "timed_out", "terminated": "terminated",
        },
        value="all",
        label="Show",
    )  # fmt: skip
    return reload, said, status, tell


@app.cell
def _(reload, said):
    said(), reload.value
    desk = open_desk(workspace_path())
    mo.stop(desk.db is None, mo.callout(mo.md(f"**The workspace cannot be read.** {desk.says}"), kind="danger"))
    return (desk,)


@app.cell
def _(desk, reload, status):
    mo.vstack(
        [
            mo.hstack([mo.md("# Runs"), reload], justify="space-between", align="center"),
            mo.md(f"Every workflow execution and how it ended. {desk.says}"),
            status,
        ]
    )
    return


@app.cell
def _(desk):
    counts = board.run_counts(desk.db)
    mo.stop(
        counts.is_empty(),
        mo.callout(mo.md("**Nothing ran yet.** Start with `jobctrl up`, then `jobctrl discover`."), kind="neutral"),
    )
    charts.run_outcomes(counts)
    return


@app.cell
def _(said):
    _done = said()
    mo.callout(_done.says, kind="success" if _done.ok else "danger") if _done else None
    return


@app.cell
def _(desk, status):
    ran = board.runs(desk.db, status=status.value)
    mo.stop(ran.is_empty(), mo.callout(mo.md("No run is in that state."), kind="neutral"))
    picked = mo.ui.table(
        tidy(ran),
        **look(
            ran,
            selection="single",
            initial_selection=[0],
            page_size=10,
            hidden_columns=["run_id"],
            freeze_columns_left=["workflow_type", "status"],
            label=f"{len(ran):,} runs, the newest first. Pick one to see its steps.",
        ),
    )
    picked
    return (picked,)


@app.cell
def _(desk, picked):
    mo.stop(picked.value.is_empty(), mo.md("*Pick a run to see its steps.*"))
    _run = picked.value.row(0, named=True)
    steps = board.run_steps(desk.db, workflow_id=_run["workflow_id"], run_id=_run["run_id"])
    mo.vstack(
        [
            mo.md(f"### Steps of `{_run['workflow_id']}`"),
            *(
                [mo.callout(f"{_run['error_code']}: {_run['error_message']}", kind="danger")]
                if _run["error_code"]
                else []
            ),
            mo.md("*It has no steps of its own.*") if steps.is_empty() else mo.ui.table(tidy(steps), **look(steps)),
        ]
    )
    return


@app.cell
def _(picked):
    _open = not picked.value.is_empty() and picked.value["status"][0] == "in_progress"
    cancel = mo.ui.run_button(kind="danger", label="Ask it to stop", disabled=not _open)
    mo.hstack(
        [cancel, mo.md("What it has finished stays." if _open else "*This run has ended.*")],
        justify="start",
        align="center",
    )
    return (cancel,)


@app.cell
def _(cancel, picked, tell):
    mo.stop(not cancel.value)
    tell(act(open_operator(workspace_path()).cancel_run, picked.value["workflow_id"][0]))
    return


@app.cell
def _(desk):
    stuck = board.stage_errors(desk.db)
    mo.vstack(
        [
            mo.md("### What stands still"),
            mo.callout(mo.md("No stage of any job has failed or is blocked."), kind="success")
            if stuck.is_empty()
            else mo.ui.table(tidy(stuck), **look(stuck)),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
