"""Pictures of the sources: what each shows, and its shares with their intervals."""

from __future__ import annotations

import altair as alt
import polars as pl

from jobctrl.analytics.charts import BLUE, INK, MUTED, ORANGE, SKY, interval_bars, labelled, styled


def source_yield(frame: pl.DataFrame) -> alt.LayerChart:
    """Jobs of each source that shows any: those nobody else shows, and those that others show too; at most 30."""
    frame = frame.filter(pl.col("jobs") > 0).head(30)
    parts = frame.select(
        "source_id",
        pl.col("unique_jobs").alias("only here"),
        (pl.col("jobs") - pl.col("unique_jobs")).alias("also elsewhere"),
    ).unpivot(index="source_id", variable_name="seen", value_name="jobs")
    y = alt.Y("source_id:N", title=None, sort=frame["source_id"].to_list(), axis=alt.Axis(labelLimit=220))
    bars = (
        alt.Chart(parts)
        .mark_bar()
        .encode(
            x=alt.X("sum(jobs):Q", title="jobs shown (count)", axis=alt.Axis(tickMinStep=1)),
            y=y,
            color=alt.Color(
                "seen:N", title=None, scale=alt.Scale(domain=["only here", "also elsewhere"], range=[BLUE, SKY])
            ),
            order=alt.Order("seen:N", sort="descending"),
            tooltip=["source_id", "seen", "jobs"],
        )
    )
    labels = (
        alt.Chart(frame)
        .mark_text(align="left", dx=4, color=MUTED, fontSize=11)
        .encode(x="jobs:Q", y=y, text=alt.Text("jobs:Q"))
    )
    explained = "What would be lost without a source is what only it shows."
    return styled(alt.layer(bars, labels), "What each source shows", explained, None, height=alt.Step(22))


def source_share(frame: pl.DataFrame, share: str, *, title: str, axis: str, n: str) -> alt.LayerChart:
    """One share of each source with its interval: *share* names the columns, *n* the count it rests on."""
    shown = frame.filter(pl.col(f"{share}_rate").is_not_null()).select(
        "source_id",
        pl.col(f"{share}_rate").alias("rate"),
        pl.col(f"{share}_low").alias("low"),
        pl.col(f"{share}_high").alias("high"),
        pl.col(n).alias("n"),
        pl.col("simulated") if n == "applied" else pl.lit(False).alias("simulated"),
    )
    chart = interval_bars(shown, "source_id", axis, sort=shown["source_id"].to_list())
    return styled(chart, title, "Bars: observed share; lines: 95% interval.", shown, height=alt.Step(22))


def lost_bars(frame: pl.DataFrame) -> alt.LayerChart:
    """The share of all good jobs that each source alone shows, with its interval; at most 30 sources."""
    shown = frame.head(30).select(
        "source_id",
        pl.col("good_rate").alias("rate"),
        pl.col("good_low").alias("low"),
        pl.col("good_high").alias("high"),
        pl.format("{} of {}", "good_jobs", "good_n").alias("n"),
        pl.lit(False).alias("simulated"),
    )
    chart = interval_bars(shown, "source_id", "good jobs lost without it", sort=shown["source_id"].to_list())
    explained = "What would be missing had it not been read; lines: 95% interval."
    return styled(chart, "What each source alone shows", explained, shown, height=alt.Step(22))


def cost_points(frame: pl.DataFrame, unit: str) -> alt.LayerChart:
    """What one *unit* of each source costs, with its interval; sources without one are left out."""
    shown = labelled(frame.filter((pl.col("unit") == unit) & pl.col("usd_each").is_not_null()).sort("usd_each"))
    shown = shown.with_columns(bounded=pl.col("usd_high").is_not_null())
    y = alt.Y("source_id:N", title=None, sort=shown["source_id"].to_list(), axis=alt.Axis(labelLimit=220))
    title = f"US dollars per {unit}"
    x = alt.X("usd_each:Q", title=title, axis=alt.Axis(format="$,.3~f"))
    tips = ["source_id", "n", *(alt.Tooltip(name, format="$,.4f") for name in ("usd_each", "usd_low", "usd_high"))]
    base = alt.Chart(shown)
    chart = alt.layer(
        base.transform_filter("datum.bounded")
        .mark_rule(color=INK, strokeWidth=2)
        .encode(x=alt.X("usd_low:Q", title=title), x2="usd_high:Q", y=y),
        base.mark_circle(color=BLUE, size=90, opacity=1).encode(x=x, y=y, tooltip=tips),
        base.mark_text(align="left", dx=8, dy=-9, color=MUTED, fontSize=11).encode(x=x, y=y, text="label:N"),
    )
    explained = "All money spent on its jobs over what came of them; lines: 95% interval, left out where it has no end."
    return styled(chart, f"What one {unit} costs by source", explained, shown, height=alt.Step(28))


def first_sight_points(frame: pl.DataFrame) -> alt.LayerChart:
    """Days from publication to the first sight by source: the median and the ninetieth percentile, with intervals."""
    parts = [
        frame.select(
            "source_id",
            "n",
            pl.lit(name).alias("of"),
            pl.col(f"{p}_days").alias("days"),
            pl.col(f"{p}_days_low").alias("low"),
            pl.coalesce(f"{p}_days_high", f"{p}_days").alias("high"),
        )
        for p, name in (("p50", "half of them"), ("p90", "nine in ten"))
    ]
    shown = labelled(pl.concat(parts).filter(pl.col("days").is_not_null()))
    order = frame.sort("p50_days", nulls_last=True)["source_id"].to_list()
    y = alt.Y("source_id:N", title=None, sort=order, axis=alt.Axis(labelLimit=220))
    offset = alt.YOffset("of:N", sort=["half of them", "nine in ten"])
    color = alt.Color("of:N", title=None, scale=alt.Scale(domain=["half of them", "nine in ten"], range=[BLUE, ORANGE]))
    title = "days from publication to the first sight"
    x = alt.X("days:Q", title=title)
    base = alt.Chart(shown)
    chart = alt.layer(
        base.mark_rule(strokeWidth=2).encode(
            x=alt.X("low:Q", title=title), x2="high:Q", y=y, yOffset=offset, color=color
        ),
        base.mark_circle(size=80, opacity=1).encode(
            x=x, y=y, yOffset=offset, color=color, tooltip=["source_id", "of", "n", "days", "low", "high"]
        ),
        base.mark_text(align="left", dx=8, color=MUTED, fontSize=10).encode(x=x, y=y, yOffset=offset, text="label:N"),
    )
    explained = "New postings with a stated day of publication; lines: 95% interval."
    return styled(chart, "How soon a posting is seen", explained, None, height=alt.Step(14))
