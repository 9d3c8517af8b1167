# Funnel and time: how far jobs come, how long stages take, how long answers take, and how long postings stay open.
# /// script
# [tool.marimo.display]
# theme = "system"
# ///
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: funnel and time")

with app.setup:
    from datetime import UTC, datetime, timedelta

    import marimo as mo

    from jobctrl.analytics import charts, charts_time, funnel, survival
    from jobctrl.analytics.desk import look, open_desk, tidy
    from jobctrl.runtime import workspace_path


@app.cell
def _():
    again = mo.ui.refresh(options=["15s", "60s", "5m"], default_interval="60s", label="Look again every")
    days = mo.ui.dropdown(
        {"ever": None, "in the last 90 days": 90, "in the last 30 days": 30, "in the last 7 days": 7},
        value="ever",
        label="Jobs first seen",
    )
    least = mo.ui.slider(1, 10, value=7, show_value=True, debounce=True, label="Good is a score from")
    kind = mo.ui.dropdown(
        {"real, if there are any": None, "real": False, "made up": True},
        value="real, if there are any",
        label="Applications",
    )
    outcome = mo.ui.dropdown(
        {"a reply": "reply", "an interview": "interview", "an offer": "offer"}, value="a reply", label="Waiting for"
    )
    return again, days, kind, least, outcome


@app.cell
def _(again):
    again.value
    desk = open_desk(workspace_path())
    mo.stop(desk.db is None, mo.callout(mo.md(f"**The workspace cannot be read.** {desk.says}"), kind="danger"))
    return (desk,)


@app.cell
def _(again, days, desk, kind, least):
    mo.vstack(
        [
            mo.hstack([mo.md("# Funnel and time"), again], justify="space-between", align="center"),
            mo.md(f"How far jobs come and how long things take. {desk.says}"),
            mo.hstack([days, least, kind], justify="start", align="center", gap=1.5, wrap=True),
        ]
    )
    return


@app.cell
def _(days, desk, kind, least):
    since = datetime.now(UTC) - timedelta(days=days.value) if days.value else None
    steps = funnel.funnel(desk.db, since=since, min_score=least.value, simulated=kind.value)
    mo.stop(
        not steps["jobs"][0],
        mo.callout(
            mo.md("**No job was found in this time.** Read your boards with `jobctrl discover`, or take a longer one."),
            kind="neutral",
        ),
    )
    return since, steps


@app.cell
def _(steps):
    mo.vstack(
        [
            *([mo.callout(mo.md(f"**{charts.MADE_UP}.**"), kind="warn")] if steps["simulated"].any() else []),
            charts_time.funnel_bars(steps),
            mo.ui.table(tidy(steps), **look(steps)),
        ]
    )
    return


@app.cell
def _(desk, since, steps):
    mo.stop(steps.is_empty())
    took = funnel.latency(desk.db, since=since)
    mo.vstack(
        [
            mo.md("## How long stages take"),
            mo.md("*No attempt has ended in this time.*")
            if took.is_empty()
            else mo.vstack([charts_time.latency_points(took), mo.ui.table(tidy(took), **look(took))])
            if took["succeeded"].any()
            else mo.ui.table(tidy(took), **look(took)),
        ]
    )
    return


@app.cell
def _(desk, kind):
    times = survival.reply_time(desk.db, simulated=kind.value)
    return (times,)


@app.cell
def _(desk, kind, outcome, times):
    _curve = survival.reply_curve(desk.db, outcome=outcome.value, simulated=kind.value)
    mo.vstack(
        [
            mo.md("## How long an answer takes"),
            outcome,
            mo.callout(mo.md("**No such application yet.** Say in the jobs desk what you applied to."), kind="neutral")
            if times.is_empty()
            else mo.vstack(
                [
                    charts_time.waiting_curve(_curve, outcome=outcome.selected_key),
                    mo.md(
                        "`median_days`: half had it by then; None: not reached, since fewer than half had it. "
                        "`rate`: had it within `wait_days`."
                    ),
                    mo.ui.table(tidy(times), **look(times)),
                ]
            ),
        ]
    )
    return


@app.cell
def _(desk):
    life = survival.posting_life(desk.db)
    mo.stop(life.is_empty())
    return (life,)


@app.cell
def _(life):
    board = mo.ui.dropdown(
        {"all boards": None, **{name: name for name in life["source_id"].drop_nulls()}}, value="all boards", label="Of"
    )
    return (board,)


@app.cell
def _(board, desk, life):
    _curve = survival.posting_curve(desk.db, source_id=board.value)
    mo.vstack(
        [
            mo.md("## How long postings stay open"),
            mo.md(
                "Days count from the first sight here. Between two looks nobody sees a posting close: the curve is the "
                "most likely one that all looks agree with (Turnbull). It ends with the last look that found any open."
            ),
            board,
            charts_time.open_curve(_curve),
            mo.md("`rate`: still open after 30 days. None: not known, since nothing was looked at that long."),
            mo.ui.table(tidy(life), **look(life)),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
