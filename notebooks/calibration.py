# Calibration: is a score worth its number, judged by what came of the applications made with it?
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: calibration")

with app.setup:
    import marimo as mo

    from jobctrl.analytics import calibration, charts
    from jobctrl.analytics.desk import look, open_desk, tidy
    from jobctrl.runtime import workspace_path


@app.cell
def _():
    reload = mo.ui.run_button(label="Reload", tooltip="Read what is new")
    outcome = mo.ui.dropdown(["reply", "interview", "offer"], value="interview", label="What counts as success")
    wait = mo.ui.slider(0, 60, value=14, show_value=True, debounce=True, label="Count an application after days")
    which = mo.ui.dropdown(
        {"real, if there are any": None, "real": False, "simulated": True},
        value="real, if there are any",
        label="Applications",
    )
    return outcome, reload, wait, which


@app.cell
def _(reload):
    reload.value
    desk = open_desk(workspace_path())
    mo.stop(desk.db is None, mo.callout(mo.md(f"**The workspace cannot be read.** {desk.says}"), kind="danger"))
    return (desk,)


@app.cell
def _(desk, reload):
    mo.vstack(
        [
            mo.hstack([mo.md("# Calibration"), reload], justify="space-between", align="center"),
            mo.md(
                "Does a higher score lead to more interviews, and how sure is that? "
                f"Outcomes exist only for jobs that were applied to. {desk.says}"
            ),
        ]
    )
    return


@app.cell
def _(outcome, wait, which):
    mo.hstack([outcome, which, wait], justify="start", align="center", gap=2)
    return


@app.cell
def _(outcome, wait, which):
    asked = {"outcome": outcome.value, "wait_days": wait.value, "simulated": which.value}
    return (asked,)


@app.cell
def _(asked, desk):
    verdict = calibration.enough(desk.db, **asked)
    mo.vstack(
        [
            *([mo.callout(mo.md(f"**{charts.MADE_UP}.**"), kind="warn")] if verdict.simulated else []),
            mo.callout(mo.md(verdict.says), kind="neutral" if verdict.need_more else "success"),
        ]
    )
    return


@app.cell
def _(asked, desk):
    by_score = calibration.calibration(desk.db, by="score", **asked)
    mo.stop(
        by_score.is_empty(),
        mo.callout(
            mo.md("**No application is old enough to count.** Mark one as applied in the jobs desk, or count earlier."),
            kind="neutral",
        ),
    )
    return (by_score,)


@app.cell
def _(asked, by_score, desk):
    charts.reliability(by_score, outcome=asked["outcome"], curve=calibration.score_map(desk.db, **asked))
    return


@app.cell
def _(asked, by_score, desk):
    mo.stop(by_score.is_empty())
    bands = calibration.calibration(desk.db, by="band", **asked)
    charts.band_rates(bands, outcome=asked["outcome"])
    return (bands,)


@app.cell
def _(bands):
    mo.ui.table(tidy(bands), **look(bands))
    return


@app.cell
def _(asked, by_score, desk):
    mo.stop(by_score.is_empty())
    judged = calibration.brier(desk.db, **asked)
    mo.vstack(
        [
            mo.md("### How good are the forecasts?"),
            mo.md(
                "Brier score: mean squared error, 0 is perfect. Reliability: distance from calibrated. "
                "Resolution: how far it tells applications apart."
            ),
            mo.md("*Not enough data yet.*") if judged.is_empty() else mo.ui.table(tidy(judged), **look(judged)),
        ]
    )
    return


@app.cell
def _(asked, by_score, desk):
    mo.stop(by_score.is_empty())
    later = calibration.backtest(desk.db, **asked)
    mo.vstack(
        [
            mo.md("### Learned on the first 70%, judged on the later applications"),
            mo.md("*Not enough data yet.*") if later.is_empty() else mo.ui.table(tidy(later), **look(later)),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
