# Runs: what ran and what runs now, how it ended, its steps, what stands still; stop a run, try again what failed.
# /// script
# [tool.marimo.display]
# theme = "system"
# ///
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: runs")

with app.setup:
    import marimo as mo

    from jobctrl.analytics import board, charts
    from jobctrl.analytics.deciding import cost_of_work, retried
    from jobctrl.analytics.desk import act, look, looked, open_desk, tidy
    from jobctrl.analytics.picking import Once, Picked
    from jobctrl.runtime import open_operator, workspace_path
    from jobctrl.runtime.house import local_operator


@app.cell
def _():
    # Two states: what the last action came to, and the snapshot that is shown. A look that finds nothing new changes
    # neither, so that no list is made anew under the hand.
    said, tell = mo.state(None)
    seen, see = mo.state(open_desk(workspace_path()))
    picks, opens = Picked("run"), Once(local_operator)
    again = mo.ui.refresh(options=["5s", "15s", "60s"], default_interval="15s", label="Look again every")
    status = mo.ui.dropdown(
        {
            "all": "", "in progress": "in_progress", "succeeded": "succeeded", "failed": "failed",
            "canceled": "canceled", "timed out": "timed_out", "terminated": "terminated",
        },
        value="all",
        label="Show",
        allow_select_none=False,
    )  # fmt: skip
    return again, opens, picks, said, see, seen, status, tell


@app.cell
def _(again, said, see, seen):
    again.value, said()
    _now = open_desk(workspace_path())
    if (_now.position, _now.says) != (seen().position, seen().says):
        see(_now)
    return


@app.cell
def _(again):
    mo.hstack([mo.md("# Runs"), again], justify="space-between", align="center")
    return


@app.cell
def _(seen):
    desk = seen()
    mo.stop(desk.db is None, mo.callout(mo.md(f"**The workspace cannot be read.** {desk.says}"), kind="danger"))
    return (desk,)


@app.cell
def _(desk, status):
    mo.vstack([mo.md(f"Every workflow execution and how it ended. {desk.says}"), status])
    return


@app.cell
def _(desk):
    _counts = board.run_counts(desk.db)
    mo.output.replace(
        mo.callout(mo.md("**Nothing ran yet.** Start with `jobctrl up`, then `jobctrl discover`."), kind="neutral")
        if _counts.is_empty()
        else charts.run_outcomes(_counts)
    )
    return


@app.cell
def _(said):
    _done = said()
    mo.output.replace(mo.callout(mo.md(_done.says), kind="success" if _done.ok else "danger") if _done else None)
    return


@app.cell
def _(desk, picks, status):
    ran = board.runs(desk.db, status=status.value)
    mo.stop(ran.is_empty(), mo.callout(mo.md("No run is in that state."), kind="neutral") if status.value else None)
    picked = mo.ui.table(
        tidy(ran),
        **look(
            ran,
            selection="single",
            initial_selection=picks.rows(ran)[:1],
            page_size=10,
            hidden_columns=["run_id", "run"],
            freeze_columns_left=["workflow_type", "status"],
            label=f"{len(ran):,} runs, the newest first. Pick one to see its steps.",
        ),
    )
    picked
    return picked, ran


@app.cell
def _(picked, picks, ran):
    picks.keep(ran, picked.value["run"].to_list())
    mo.stop(picked.value.is_empty(), mo.md("*Pick a run to see its steps.*"))
    run = picked.value.row(0, named=True)
    return (run,)


@app.cell
def _(desk, run):
    _steps = board.run_steps(desk.db, workflow_id=run["workflow_id"], run_id=run["run_id"])
    mo.vstack(
        [
            mo.md(f"### Steps of `{run['workflow_id']}`"),
            *([mo.callout(f"{run['error_code']}: {run['error_message']}", kind="danger")] if run["error_code"] else []),
            mo.md("*It has no steps of its own.*") if _steps.is_empty() else mo.ui.table(tidy(_steps), **look(_steps)),
        ]
    )
    return


@app.cell
def _(run):
    # A box for each run that is picked: what was agreed to for one does not hold for the next.
    sure = mo.ui.checkbox(label=f"Yes, stop `{run['workflow_id']}`")
    return (sure,)


@app.cell
def _(run, sure):
    _open = run["status"] == "in_progress"
    cancel = mo.ui.run_button(kind="danger", label="Ask it to stop", disabled=not (_open and sure.value))
    mo.output.replace(
        mo.vstack(
            [
                mo.hstack([sure, cancel], justify="start", align="center"),
                mo.md(
                    "<small>What it has finished stays; calls that are under way may still be charged. "
                    "It cannot be undone, but started anew.</small>"
                ),
            ]
        )
        if _open
        else mo.md("*This run has ended.*")
    )
    return (cancel,)


@app.cell
def _(cancel, run, tell):
    mo.stop(not cancel.value)
    tell(act(lambda workflow_id: open_operator(workspace_path()).cancel_run(workflow_id), run["workflow_id"]))
    return


@app.cell
def _(desk, opens):
    stuck = board.stage_errors(desk.db)
    mo.stop(
        stuck.is_empty(),
        mo.vstack(
            [
                mo.md("### What stands still"),
                mo.callout(mo.md("No stage of any job has failed or is blocked."), kind="success"),
            ]
        ),
    )
    _stages = stuck["stage"].unique(maintain_order=True).to_list()
    stage = mo.ui.dropdown(_stages, value=_stages[0], label="What failed at", allow_select_none=False)
    reopen = mo.ui.run_button(label="Open it again", tooltip="Starts nothing: the next run takes it up")
    rerun = mo.ui.run_button(kind="warn", label="Try it again now", tooltip="Needs `jobctrl up`")
    _operator, _ = looked(opens)
    _cost = cost_of_work(_operator.settings(), _operator.spent_today()) if _operator else ""
    mo.vstack(
        [
            mo.md("### What stands still"),
            mo.ui.table(tidy(stuck), **look(stuck)),
            mo.hstack([stage, reopen, rerun], justify="start", align="center"),
            mo.md(
                "<small>Every failed stage that is worth another try is opened again; what follows it is done as well. "
                f"{_cost}</small>"
            ),
        ]
    )
    return reopen, rerun, stage


@app.cell
def _(reopen, stage, tell):
    mo.stop(not reopen.value)
    tell(act(lambda which: open_operator(workspace_path()).retry_failed(which), stage.value, says=retried))
    return


@app.cell
def _(rerun, stage, tell):
    mo.stop(not rerun.value)
    tell(
        act(
            lambda which: open_operator(workspace_path()).retry_failed(which, run_after=True), stage.value, says=retried
        )
    )
    return


if __name__ == "__main__":
    app.run()
