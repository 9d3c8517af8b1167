# Calibration: is a score worth its number, judged by what came of the applications made with it?
# /// script
# [tool.marimo.display]
# theme = "system"
# ///
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: calibration")

with app.setup:
    import marimo as mo

    from jobctrl.analytics import calibration, charts, charts_calibration
    from jobctrl.analytics.desk import look, open_desk, plain, tidy
    from jobctrl.analytics.spelled import spelled
    from jobctrl.runtime import workspace_path


@app.function
def listed(frame, empty, **shapes):
    """A table with its intervals in words, or why there is none."""
    if frame.is_empty():
        return mo.callout(mo.md(empty), kind="neutral")
    ends = {"probability": ("low", "high"), "within_one_rate": ("within_one_low", "within_one_high")}
    told = tidy(spelled(frame, shapes, ends))
    return mo.ui.table(told, **look(told, page_size=12))


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
    mo.stop(desk.db is None, mo.callout(mo.md(f"**The workspace cannot be read.** {plain(desk.says)}"), kind="danger"))
    return (desk,)


@app.cell
def _(desk, reload):
    mo.vstack(
        [
            mo.hstack([mo.md("# Calibration"), reload], justify="space-between", align="center"),
            mo.md(f"Does a higher score lead to more interviews, and how sure is that? {plain(desk.says)}"),
        ]
    )
    return


@app.cell
def _(outcome, wait, which):
    mo.hstack([outcome, which, wait], justify="start", align="center", gap=2, wrap=True)
    return


@app.cell
def _(outcome, wait, which):
    asked = {"outcome": outcome.value, "wait_days": wait.value, "simulated": which.value}
    return (asked,)


@app.cell
def _(asked, desk):
    verdict = calibration.enough(desk.db, **asked)
    chosen = calibration.selection(desk.db, **asked)
    mo.vstack(
        [
            *([mo.callout(mo.md(f"**{charts.MADE_UP}.**"), kind="warn")] if verdict.simulated else []),
            mo.callout(mo.md(verdict.says), kind="neutral" if verdict.need_more else "success"),
            *([mo.callout(mo.md(f"**Mind the choice.** {chosen.says}"), kind="warn")] if chosen.scored else []),
        ]
    )
    return chosen, verdict


@app.cell
def _(asked, desk):
    by_score = calibration.calibration(desk.db, by="score", **asked)
    curve = calibration.score_map(desk.db, **asked)
    reliability = (
        mo.callout(
            mo.md("**No application is old enough to count.** Mark one as applied in the jobs desk, or count earlier."),
            kind="neutral",
        )
        if by_score.is_empty()
        else charts_calibration.reliability(by_score, outcome=asked["outcome"], curve=curve)
    )
    return curve, reliability


@app.cell
def _(asked, desk):
    _bands = calibration.calibration(desk.db, by="band", **asked)
    bands = (
        mo.md("")
        if _bands.is_empty()
        else mo.vstack(
            [
                charts_calibration.band_rates(_bands, outcome=asked["outcome"]),
                listed(_bands.drop("score_low", "score_high", "simulated"), "", rate="{:.0%}"),
            ]
        )
    )
    return (bands,)


@app.cell
def _(asked, desk):
    _tenths = calibration.calibration(desk.db, by="decile", **asked)
    tenths = (
        mo.md("")
        if _tenths.is_empty()
        else mo.accordion(
            {"By tenth of the applications": charts_calibration.decile_rates(_tenths, outcome=asked["outcome"])}
        )
    )
    return (tenths,)


@app.cell
def _(curve, verdict):
    # The verdict above says what is missing.
    _listed = listed(curve.drop("simulated"), verdict.says, probability="{:.0%}")
    meaning = mo.md("") if curve.is_empty() else mo.accordion({"What a score means, in figures": _listed})
    return (meaning,)


@app.cell
def _(asked, desk, verdict):
    _shape = {"against_score": "{:+.3f}"}
    forecasts = mo.vstack(
        [
            mo.md("### How good are the forecasts?"),
            mo.md(
                "Brier score: mean squared error, 0 is perfect. Reliability: distance from calibrated. Resolution: how "
                "far it tells applications apart. Against score: the difference of its Brier score from that of the raw "
                "score, below 0 is better. On the applications they were made from:"
            ),
            listed(calibration.brier(desk.db, **asked).drop("simulated"), verdict.says, **_shape),
            mo.md("### Learned on the first 70%, judged on the later applications"),
            listed(
                calibration.backtest(desk.db, **asked).drop("simulated"),
                f"Not enough data to learn on the past alone. {verdict.says}",
                **_shape,
            ),
        ]
    )
    return (forecasts,)


@app.cell
def _(desk):
    _changes = calibration.score_changes(desk.db)
    steady = mo.vstack(
        [
            mo.md("### Does a posting get the same score twice?"),
            *([] if _changes.is_empty() else [charts_calibration.score_moves(_changes)]),
            listed(
                calibration.stability(desk.db),
                "**No job was scored twice on the same text.** "
                "`jobctrl run score --rescore` scores again, and what moved is shown here.",
                within_one_rate="{:.0%}",
            ),
        ]
    )
    return (steady,)


@app.cell
def _(desk):
    _bias = calibration.correction_bias(desk.db)
    corrected = mo.vstack(
        [
            mo.md("### Do you agree with the scores?"),
            mo.md(
                "Scores that you put in place of ours. You corrected what looked wrong to you: this is no picture of "
                "the scores you left alone. Difference: yours less ours, in points; absolute: without its sign. Kappa "
                "(quadratic weights) and spearman (ranks): 1 is full agreement, 0 no better than luck."
            ),
            listed(
                calibration.agreement(desk.db),
                "**Nobody has corrected a score.** Say in the jobs desk what a score should be.",
                value="{:.2f}",
            ),
            *([] if _bias.is_empty() else [charts_calibration.correction_bars(_bias)]),
        ]
    )
    return (corrected,)


@app.cell
def _(asked, chosen, desk):
    _shares = calibration.applied_share(desk.db, simulated=asked["simulated"])
    _weighted = calibration.propensities(desk.db, **asked)
    missing = mo.vstack(
        [
            mo.md("### For whom do the outcomes speak?"),
            mo.callout(mo.md("**Nothing is scored yet.** Prepare jobs with `jobctrl prepare`."), kind="neutral")
            if _shares.is_empty()
            else charts_calibration.applied_bars(_shares),
            mo.md("### What if you had applied to anything?"),
            *([] if _weighted.is_empty() else [charts_calibration.weighted_rates(_weighted, outcome=asked["outcome"])]),
            listed(_weighted.drop("simulated"), chosen.why_no_estimate, rate="{:.0%}"),
        ]
    )
    return (missing,)


@app.cell
def _(desk):
    _listed = calibration.explorations(desk.db)
    explored = mo.accordion(
        {
            f"Jobs that chance let through: {len(_listed):,}": listed(
                _listed.select(
                    "title", "employer", "score", "threshold", "propensity", "chosen_at", "tailor_state", "applied_at",
                    "interview_at",
                ),
                "**None so far.** The setting `exploration_share` prepares a share of the jobs below the threshold.",
            )
        }
    )  # fmt: skip
    return (explored,)


@app.cell
def _():
    # Made once, so that another outcome leaves the reader where they were.
    part = mo.ui.tabs(dict.fromkeys(("Scores", "Forecasts", "Steadiness", "Your corrections", "Who is missing"), ""))
    part
    return (part,)


@app.cell
def _(bands, corrected, explored, forecasts, meaning, missing, part, reliability, steady, tenths):
    {
        "Scores": mo.vstack([reliability, meaning, bands, tenths]),
        "Forecasts": forecasts,
        "Steadiness": steady,
        "Your corrections": corrected,
        "Who is missing": mo.vstack([missing, explored]),
    }[part.value]
    return


if __name__ == "__main__":
    app.run()
