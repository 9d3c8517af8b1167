"""Pictures of how far jobs come and of how long things take."""

from __future__ import annotations

from typing import Any

import altair as alt
import polars as pl

from jobctrl.analytics.charts import BLUE, INK, MUTED, ORANGE, labelled, styled


def funnel_bars(frame: pl.DataFrame) -> alt.LayerChart:
    """Jobs that reached each step, with the conversion from the step before and its interval in words."""
    parts = pl.format(
        "{}  ({}% of {}, 95%: {} to {}%)",
        "jobs",
        (pl.col("rate") * 100).round(0).cast(pl.Int64),
        "of",
        (pl.col("low") * 100).round(0).cast(pl.Int64),
        (pl.col("high") * 100).round(0).cast(pl.Int64),
    )
    shown = frame.with_columns(
        pl.when(pl.col("rate").is_not_null()).then(parts).otherwise(pl.col("jobs").cast(pl.String)).alias("label")
    )
    y = alt.Y("step:N", title=None, sort=frame["step"].to_list())
    room = max(1, int(frame["jobs"].max() or 0)) * 1.6  # type: ignore[arg-type]
    base = alt.Chart(shown)
    chart = alt.layer(
        base.mark_bar(color=BLUE).encode(
            x=alt.X("jobs:Q", title="jobs (count)", scale=alt.Scale(domain=[0, room], nice=False)),
            y=y,
            opacity=alt.condition("datum.simulated", alt.value(0.45), alt.value(0.9)),
            tooltip=["step", "jobs", "of", "n", "reached"],
        ),
        base.mark_text(align="left", dx=5, color=INK, fontSize=11).encode(x="jobs:Q", y=y, text="label:N"),
    )
    explained = "Each step against the step it follows, with its 95% interval. Pale: simulated."
    return styled(chart, "How far jobs come", explained, frame, height=alt.Step(26))


def latency_points(frame: pl.DataFrame) -> alt.LayerChart:
    """How long attempts of each stage that succeeded took: median and ninetieth percentile, with their intervals."""
    parts = [
        frame.filter("succeeded").select(
            "stage",
            "n",
            pl.lit(name).alias("of"),
            pl.col(f"{p}_seconds").alias("seconds"),
            pl.coalesce(f"{p}_seconds_low", f"{p}_seconds").alias("low"),
            pl.coalesce(f"{p}_seconds_high", f"{p}_seconds").alias("high"),
        )
        for p, name in (("p50", "half of them"), ("p90", "nine in ten"))
    ]
    shown = labelled(pl.concat(parts))
    order = ["half of them", "nine in ten"]
    y = alt.Y("stage:N", title=None, sort=frame["stage"].to_list())
    offset = alt.YOffset("of:N", sort=order)
    color = alt.Color("of:N", title=None, scale=alt.Scale(domain=order, range=[BLUE, ORANGE]))
    title = "seconds from the start of an attempt to its end (roots are drawn: short ones stay apart)"

    def x(column: str) -> alt.X:
        return alt.X(f"{column}:Q", title=title, scale=alt.Scale(type="sqrt"), axis=alt.Axis(format="~g"))

    base = alt.Chart(shown)
    chart = alt.layer(
        base.mark_rule(strokeWidth=2).encode(x=x("low"), x2="high:Q", y=y, yOffset=offset, color=color),
        base.mark_circle(size=80, opacity=1).encode(
            x=x("seconds"), y=y, yOffset=offset, color=color, tooltip=["stage", "of", "n", "seconds", "low", "high"]
        ),
        base.mark_text(align="left", dx=8, color=MUTED, fontSize=10).encode(
            x=x("high"), y=y, yOffset=offset, text="label:N"
        ),
    )
    return styled(
        chart, "How long a stage works", "Attempts that succeeded; lines: 95% interval.", None, height=alt.Step(16)
    )


def waiting_curve(frame: pl.DataFrame, *, outcome: str) -> alt.LayerChart:
    """The share of applications still without *outcome*, by the days since they were made."""
    explained = "Those that wait still count for as long as they have waited. Band: 95% interval; n where it begins."
    title = f"applications without {outcome} yet"
    return styled(
        _curve(frame, "days since the application", title, "step-after"),
        f"How long applications wait for {outcome}",
        explained,
        frame,
    )


def open_curve(frame: pl.DataFrame) -> alt.LayerChart:
    """The share of postings still open, by the days since they were first seen."""
    explained = "A closing lies somewhere between two looks. Band: 95% interval; n: state known at that age."
    return styled(
        _curve(frame, "days since the posting was first seen", "postings still open", "linear"),
        "How long postings stay open",
        explained,
        None,
    )


def _curve(frame: pl.DataFrame, days: str, title: str, shape: Any) -> Any:
    """A falling share with its band, and n at some of its points."""
    told = labelled(frame)
    # At most ten labels, apart from each other along the axis.
    marked = told.filter((pl.col("days") / pl.col("days").max() * 9).round().is_first_distinct())
    x = alt.X("days:Q", title=days, scale=alt.Scale(domainMin=0), axis=alt.Axis(tickMinStep=1))

    def y(column: str) -> alt.Y:
        return alt.Y(f"{column}:Q", title=title, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))

    tips = [
        alt.Tooltip("days", format=".1f"),
        "n",
        *(alt.Tooltip(each, format=".1%") for each in ("rate", "low", "high")),
    ]
    base = alt.Chart(told)
    return alt.layer(
        base.mark_area(color=BLUE, opacity=0.18, interpolate=shape).encode(x=x, y=y("low"), y2="high:Q"),
        base.mark_line(color=BLUE, strokeWidth=2, interpolate=shape, point=len(told) == 1).encode(x=x, y=y("rate")),
        base.mark_circle(color=BLUE, size=40, opacity=0).encode(x=x, y=y("rate"), tooltip=tips),
        alt.Chart(marked).mark_text(dy=-10, color=MUTED, fontSize=10).encode(x=x, y=y("high"), text="label:N"),
    )
