"""Pictures of what the market pays and asks for."""

from __future__ import annotations

import altair as alt
import polars as pl

from jobctrl.analytics.charts import BLUE, GREEN, INK, MUTED, ORANGE, RED, interval_bars, labelled, styled

MOST_GROUPS = 16
_ROW = alt.Step(24)


def pay_ranges(frame: pl.DataFrame, *, currency: str, period: str, asked: float | None = None) -> alt.LayerChart:
    """The middle half of the pay of each group, its median with the interval, and *asked* as a line.

    *frame* is of `pay_bands`; of it the rows in *currency* per *period* are drawn, at most 16.
    """
    shown = labelled(of_unit(frame, currency, period).head(MOST_GROUPS))
    unit = f"{currency}, period not said" if period == "not said" else f"{currency} a {period}"
    y = alt.Y("group:N", title=None, sort=shown["group"].to_list(), axis=alt.Axis(labelLimit=220))

    def pay(column: str) -> alt.X:
        return alt.X(f"{column}:Q", title=f"pay ({unit})", scale=alt.Scale(zero=False), axis=alt.Axis(format=",.0f"))

    tooltips = ["group", "n", *(alt.Tooltip(f"p{share}_pay", format=",.0f") for share in (25, 50, 75))]
    base = alt.Chart(shown)
    layers = [
        base.mark_bar(color=BLUE, opacity=0.3, height=14).encode(
            x=pay("p25_pay"), x2="p75_pay:Q", y=y, tooltip=tooltips
        ),
        base.mark_rule(color=INK, strokeWidth=2).encode(x=pay("p50_pay_low"), x2="p50_pay_high:Q", y=y),
        base.mark_circle(color=BLUE, size=80, opacity=1).encode(x=pay("p50_pay"), y=y, tooltip=tooltips),
        base.transform_calculate(end="max(datum.p75_pay, datum.p50_pay_high)")
        .mark_text(align="left", dx=8, color=INK, fontSize=11)
        .encode(x=pay("end"), y=y, text="label:N"),
    ]
    if asked is not None:
        line = pl.DataFrame({"pay": [asked], "label": ["asked"]})
        layers += [
            alt.Chart(line).mark_rule(color=RED, strokeDash=[6, 4]).encode(x=pay("pay")),
            alt.Chart(line).mark_text(align="left", dx=4, color=RED, y=-6).encode(x=pay("pay"), text="label:N"),
        ]
    explained = "Points: medians with their 95% interval, left out below six postings. Bars: the middle half."
    return styled(alt.layer(*layers), "What postings pay", explained, None, height=_ROW)


def of_unit(frame: pl.DataFrame, currency: str, period: str) -> pl.DataFrame:
    """The rows of `pay_bands` in one currency and period: no others can be drawn on one axis."""
    return frame.filter(pl.col("currency") == currency, pl.col("period") == period)


def pay_said(frame: pl.DataFrame) -> alt.LayerChart:
    """The share of postings that state their pay, by group."""
    shown = frame.head(MOST_GROUPS)
    chart = interval_bars(shown, "group", "postings that state their pay", sort=shown["group"].to_list())
    return styled(chart, "Who states a pay", "Bars: observed share; lines: 95% interval.", None, height=_ROW)


def reaches_asked(frame: pl.DataFrame) -> alt.LayerChart:
    """The share of comparable postings whose most reaches what the person asks."""
    shown = frame.filter(pl.col("n") > 0).head(MOST_GROUPS)
    chart = interval_bars(shown, "group", "postings that reach what is asked", sort=shown["group"].to_list())
    explained = "Same currency and a stated period alone. Bars: observed share; lines: 95% interval."
    return styled(chart, "Posted against asked", explained, None, height=_ROW)


_FITS = ("met", "partly", "missing", "not assessed")


def wanted_bars(frame: pl.DataFrame, of: str) -> alt.LayerChart:
    """What jobs that fit ask for, as a share of them with its interval, parted by how the person meets it."""
    rest = pl.col("jobs") - pl.sum_horizontal(*_FITS[:3])
    parts = (
        frame.with_columns(rest.alias("not assessed"))
        .select(of, "n", *_FITS)
        .unpivot(on=_FITS, index=[of, "n"], variable_name="fit", value_name="jobs")
        .with_columns((pl.col("jobs") / pl.col("n")).alias("part"))
    )
    y = alt.Y(f"{of}:N", title=None, sort=frame[of].to_list(), axis=alt.Axis(labelLimit=260))
    axis, title = alt.Axis(format="%"), f"jobs that fit (share of {frame['n'].head(1).sum()})"
    bars = (
        alt.Chart(parts)
        .mark_bar(opacity=0.85)
        .encode(
            x=alt.X("sum(part):Q", title=title, axis=axis),
            y=y,
            color=alt.Color(
                "fit:N", title=None, scale=alt.Scale(domain=list(_FITS), range=[GREEN, ORANGE, RED, MUTED])
            ),
            order=alt.Order("place:Q"),
            tooltip=[of, "fit", "jobs", "n"],
        )
        .transform_calculate(place=f"indexof({list(_FITS)}, datum.fit)")
    )
    base = alt.Chart(frame.with_columns(pl.format("{} jobs", "jobs").alias("label")))
    chart = alt.layer(
        bars,
        base.mark_rule(color=INK, strokeWidth=2).encode(x=alt.X("low:Q", title=title, axis=axis), x2="high:Q", y=y),
        base.mark_text(align="left", dx=6, color=INK, fontSize=11).encode(x="high:Q", y=y, text="label:N"),
    )
    explained = "Colours: how the ledger says it is met; lines: 95% interval of the whole share."
    return styled(chart, "What jobs that fit ask for", explained, None, height=alt.Step(20))


def gap_bars(frame: pl.DataFrame, of: str) -> alt.LayerChart:
    """What each gap costs a job that loses by it, with its interval; the dearest over all jobs first."""
    shown = frame.with_columns(
        pl.format("{} jobs lose by it, {} would cross", "losing", "would_cross").alias("label"),
        pl.max_horizontal("mean_lost", "mean_high").alias("end"),
    )
    y = alt.Y(f"{of}:N", title=None, sort=frame[of].to_list(), axis=alt.Axis(labelLimit=260))
    title = "lost by such a job (points of the 1 to 10 score)"
    room = float(shown["end"].max() or 1) * 1.45  # type: ignore[arg-type]

    def lost(column: str) -> alt.X:
        return alt.X(f"{column}:Q", title=title, scale=alt.Scale(domain=[0, room], nice=False))

    base = alt.Chart(shown)
    chart = alt.layer(
        base.mark_bar(color=ORANGE, opacity=0.85).encode(
            x=lost("mean_lost"),
            y=y,
            tooltip=[of, "n", "missing", "partly", alt.Tooltip("score_lost", format=".1f"), "would_cross"],
        ),
        base.mark_rule(color=INK, strokeWidth=2).encode(x=lost("mean_low"), x2="mean_high:Q", y=y),
        base.mark_text(align="left", dx=6, color=INK, fontSize=11).encode(x=lost("end"), y=y, text="label:N"),
    )
    explained = "Bars: mean loss, the dearest over all jobs on top; lines: 95% interval, left out for a single job."
    return styled(chart, "The gaps that cost most fit", explained, None, height=alt.Step(20))
