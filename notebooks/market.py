# The market: what postings pay and how many say so, what jobs that fit ask for, and which gaps cost the most.
# /// script
# [tool.marimo.display]
# theme = "system"
# ///
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: market")

with app.setup:
    import marimo as mo

    from jobctrl.analytics import charts_market, market_pay, market_skills
    from jobctrl.analytics.desk import look, open_desk, tidy
    from jobctrl.analytics.spelled import spelled
    from jobctrl.runtime import open_operator, workspace_path


@app.cell
def _():
    reload = mo.ui.run_button(label="Reload", tooltip="Read what is new")
    by = mo.ui.dropdown(
        {"kind of work": "family", "level": "level", "country": "country", "mode of work": "mode", "nothing": "all"},
        value="kind of work",
        label="Group by",
    )
    fitting = mo.ui.dropdown(
        {"all jobs": None, "score 5 or more": 5, "score 7 or more": 7, "score 9 or more": 9},
        value="all jobs",
        label="Of",
    )
    bound = mo.ui.dropdown(
        {"middle of the range": "middle", "lower end": "low", "upper end": "high"},
        value="middle of the range",
        label="Pay is the",
    )
    yearly = mo.ui.checkbox(value=False, label="a year's pay, from stated periods")
    least = mo.ui.slider(1, 10, value=7, show_value=True, debounce=True, label="A job fits from a score of")
    of = mo.ui.dropdown({"skills": "skill", "requirements in their words": "requirement"}, value="skills", label="Show")
    return bound, by, fitting, least, of, reload, yearly


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
            mo.hstack([mo.md("# Market"), reload], justify="space-between", align="center"),
            mo.md(
                "What postings pay, as far as they say so, and what jobs that fit ask for. Nothing is estimated: "
                f"currencies and periods stay apart, and what is missing is counted. {desk.says}"
            ),
        ]
    )
    return


@app.cell
def _(bound, by, fitting, yearly):
    mo.hstack([by, fitting, bound, yearly], justify="start", align="center", gap=1.5, wrap=True)
    return


@app.cell
def _(by, desk, fitting):
    said = market_pay.pay_stated(desk.db, by=by.value, min_score=fitting.value)
    mo.stop(
        said.is_empty(),
        mo.callout(
            mo.md("**No job was found yet.** Read your boards with `jobctrl discover`, or take all jobs above."),
            kind="neutral",
        ),
    )
    return (said,)


@app.cell
def _(bound, by, desk, fitting, said, yearly):
    mo.stop(said.is_empty())
    bands = market_pay.pay_bands(desk.db, by=by.value, bound=bound.value, yearly=yearly.value, min_score=fitting.value)
    mo.stop(bands.is_empty(), mo.callout(mo.md("**None of these postings states a pay.**"), kind="neutral"))
    return (bands,)


@app.cell
def _(bands):
    _units = market_pay.units(bands)
    unit = mo.ui.dropdown(_units, value=next(iter(_units)), label="In")
    unit
    return (unit,)


@app.cell
def _(desk, reload):
    reload.value, desk
    _current = open_operator(workspace_path()).profiles.current()
    asked = _current.profile.compensation if _current else None
    return (asked,)


@app.cell
def _(asked, bands, unit):
    _currency, _per = unit.value
    _line = (
        market_pay.asked_per(asked.minimum, asked.period, per=_per)
        if asked is not None and asked.currency == _currency
        else None
    )
    charts_market.pay_ranges(bands, currency=_currency, period=_per, asked=_line)
    return


@app.cell
def _(bands):
    _shown = spelled(bands, {f"p{share}_pay": "{:,.0f}" for share in (25, 50, 75)})
    mo.accordion(
        {
            "Every band in figures": mo.ui.table(
                _shown, **look(_shown, page_size=15, show_download=True, label="95% intervals by the order of values.")
            )
        }
    )
    return


@app.cell
def _(said):
    charts_market.pay_said(said)
    return


@app.cell
def _(said):
    _shown = spelled(said, {"rate": "{:.0%}"}).rename({"rate": "states a pay"})
    mo.accordion({"What is missing, in figures": mo.ui.table(_shown, **look(_shown, page_size=15))})
    return


@app.cell
def _(asked, by, desk, fitting, said):
    mo.stop(said.is_empty())
    mo.stop(
        asked is None or asked.minimum is None or asked.currency is None,
        mo.callout(
            mo.md(
                "**Your profile asks for no pay.** With an amount and a currency in it, postings are held against it."
            ),
            kind="neutral",
        ),
    )
    against = market_pay.posted_against_asked(
        desk.db, asked=asked.minimum, currency=asked.currency, period=asked.period, by=by.value, min_score=fitting.value
    )
    return (against,)


@app.cell
def _(against):
    mo.stop(
        against.filter(against["n"] > 0).is_empty(),
        mo.callout(
            mo.md(
                "**No posting can be held against what you ask:** none states its pay in your currency with a period."
            ),
            kind="neutral",
        ),
    )
    charts_market.reaches_asked(against)
    return


@app.cell
def _(against):
    _shown = spelled(against, {"rate": "{:.0%}", "p50_times": "{:.2f}"}).rename(
        {"p50_times": "most offered over asked (median)"}
    )
    mo.accordion({"Posted against asked, in figures": mo.ui.table(_shown, **look(_shown, page_size=15))})
    return


@app.cell
def _(least, of):
    mo.vstack([mo.md("## What jobs that fit ask for"), mo.hstack([least, of], justify="start", gap=2)])
    return


@app.cell
def _(desk, least, of):
    wanted = market_skills.wanted(desk.db, min_score=least.value, of=of.value)
    mo.stop(
        wanted.is_empty(),
        mo.callout(
            mo.md("**No job with such a score was read yet.** Lower the score, or prepare jobs."), kind="neutral"
        ),
    )
    charts_market.wanted_bars(wanted, of.value)
    return


@app.cell
def _(desk, least, of):
    gaps = market_skills.gaps(desk.db, min_score=least.value, of=of.value)
    mo.stop(gaps.is_empty(), mo.callout(mo.md("**No score counts anything as missing.**"), kind="neutral"))
    charts_market.gap_bars(gaps, of.value)
    return (gaps,)


@app.cell
def _(gaps):
    _shown = spelled(gaps, {"rate": "{:.0%}", "mean_lost": "{:.2f}"}, {"mean_lost": ("mean_low", "mean_high")})
    _shown = _shown.drop("points_lost").rename({"rate": "missing in"})
    gap = mo.ui.table(
        tidy(_shown),
        **look(_shown, selection="single", page_size=10, label="Pick a gap to see the jobs that would cross."),
    )
    gap
    return (gap,)


@app.cell
def _(desk, gap, least, of):
    mo.stop(gap.value.is_empty())
    _lacking = gap.value[of.value][0]
    crossing = market_skills.crossing(desk.db, lacking=_lacking, min_score=least.value, of=of.value)
    mo.vstack(
        [
            mo.md("### Jobs that would cross"),
            mo.md("*None: this alone would lift no job over the threshold.*")
            if crossing.is_empty()
            else mo.ui.table(crossing.drop("job_id"), **look(crossing, page_size=10)),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
