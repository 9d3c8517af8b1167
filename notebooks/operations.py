# Operations: which run owns work, what is left, what the workers do now. It reads itself again; nothing picked is lost.
# /// script
# [tool.marimo.display]
# theme = "system"
# ///
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: operations")

with app.setup:
    import marimo as mo

    from jobctrl.analytics import operations
    from jobctrl.analytics.desk import act, look
    from jobctrl.analytics.operations import coverage, figures, headline, time_left, workers
    from jobctrl.runtime import open_operator, workspace_path
    from jobctrl.runtime.reading import reading_operator


@app.cell
def _():
    # Controls stand apart from what is read anew, so that a refresh leaves them as they are.
    again = mo.ui.refresh(options=["5s", "15s", "60s"], default_interval="15s", label="Look again every")
    scope = mo.ui.dropdown(operations.SCOPES, value="this run", label="Work of")
    stop = mo.ui.run_button(kind="danger", label="Ask the run to stop")
    return again, scope, stop


@app.cell
def _(again):
    again.value
    now = operations.operations_now(reading_operator)
    mo.stop(now.seen is None, mo.callout(mo.md(f"**The workspace cannot be read.** {now.says}"), kind="danger"))
    return (now,)


@app.cell
def _(again, now):
    _unproven = coverage(now.seen.projection_coverage)
    mo.vstack(
        [
            mo.hstack([mo.md("# Operations"), again], justify="space-between", align="center"),
            mo.md(f"{headline(now.seen)} {now.says}"),
            *([mo.callout(mo.md(_unproven), kind="warn")] if _unproven else []),
            mo.hstack([mo.stat(value, label=name) for name, value in figures(now.seen)], justify="start", gap=2),
            mo.callout(
                mo.md(f"{workers(now.seen)} Time left: **{time_left(now.seen.overall_eta)}**."),
                kind="success" if now.seen.freshness.status == "fresh" else "warn",
            ),
        ]
    )
    return


@app.cell
def _(now):
    _frame = operations.cohorts(now.seen)
    (
        mo.md("")
        if _frame.is_empty()
        else mo.ui.table(_frame, **look(_frame, label="The jobs of this run. Empty means that nobody knows yet."))
    )
    return


@app.cell
def _(scope):
    scope
    return


@app.cell
def _(now, scope):
    _frame = operations.stages(now.seen, scope=scope.value)
    (
        mo.callout(mo.md("There is no such work: no Discover run was recorded."), kind="neutral")
        if _frame.is_empty()
        else mo.ui.table(
            _frame,
            **look(
                _frame,
                label="Empty means that nobody knows.",
                # As many counts as there are leave little room for the words behind them.
                column_widths={**dict.fromkeys(_frame.columns, 95), "stage": 110, "time_left": 250},
                wrapped_columns=["time_left"],
            ),
        )
    )
    return


@app.cell
def _(now):
    _frame = operations.active(now.seen)
    mo.vstack(
        [
            mo.md("### Running now"),
            mo.md("*Nobody knows: no worker was heard of.*" if now.seen.active_items_total is None else "*Nothing.*")
            if _frame.is_empty()
            else mo.ui.table(_frame, **look(_frame)),
        ]
    )
    return


@app.cell
def _(now, stop):
    _run = now.seen.execution
    _open = _run is not None and _run.workflow_status == "in_progress"
    mo.hstack([stop, mo.md("What it has finished stays.")], justify="start", align="center") if _open else mo.md(
        "*No Discover run is open that could be stopped.*"
    )
    return


@app.cell
def _(stop):
    mo.stop(not stop.value)
    # The present of the press: what is shown above may be some seconds old.
    _seen = operations.operations_now(reading_operator).seen
    mo.stop(_seen is None or _seen.execution is None)
    _done = act(open_operator(workspace_path()).cancel_run, _seen.execution.discover_workflow_id)
    mo.callout(_done.says, kind="success" if _done.ok else "danger")
    return


if __name__ == "__main__":
    app.run()
