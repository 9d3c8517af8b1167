"""Pictures of the money: by day, by what it went to, and for what came of it."""

from __future__ import annotations

from typing import Any

import altair as alt
import polars as pl

from jobctrl.analytics.charts import BLUE, INK, MUTED, ORANGE, PALETTE, RED, SKY, labelled, styled


def spend_by_day(frame: pl.DataFrame, *, ceiling_usd: float = 0) -> alt.LayerChart:
    """US dollars by UTC day and lane, with the day's ceiling as a line once a day comes near it."""
    bars = (
        alt.Chart(frame)
        .mark_bar()
        .encode(
            x=alt.X("day:O", title="UTC day", timeUnit="utcyearmonthdate", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("sum(usd):Q", title="spent and set aside (US dollars)", axis=alt.Axis(format="$,.3~f")),
            color=alt.Color("lane:N", title="lane", scale=alt.Scale(range=PALETTE)),
            tooltip=["day", "lane", "calls", alt.Tooltip("usd", format="$,.4f")],
        )
    )
    layers: list[Any] = [bars]
    dearest = frame.group_by("day").agg(pl.col("usd").sum())["usd"].max() or 0
    if 0 < ceiling_usd < 4 * float(dearest):  # type: ignore[arg-type]
        line = pl.DataFrame({"usd": [float(ceiling_usd)], "label": [f"ceiling ${ceiling_usd:,.2f}"]})
        layers += [
            alt.Chart(line).mark_rule(color=RED, strokeDash=[6, 4]).encode(y="usd:Q"),
            alt.Chart(line).mark_text(align="left", dx=4, dy=-6, color=RED, x=0).encode(y="usd:Q", text="label:N"),
        ]
    return styled(alt.layer(*layers), "What each day cost", "By the lane the calls were made for.", None)


def spend_bars(frame: pl.DataFrame, by: str) -> alt.LayerChart:
    """US dollars by *by*: settled, held and reserved."""
    parts = frame.select(
        pl.col(by).cast(pl.String).fill_null("none"),
        pl.col("settled_usd").alias("settled"),
        pl.col("held_usd").alias("held"),
        pl.col("reserved_usd").alias("reserved"),
    ).unpivot(index=by, variable_name="state", value_name="usd")
    bars = (
        alt.Chart(parts)
        .mark_bar()
        .encode(
            x=alt.X("sum(usd):Q", title="US dollars", axis=alt.Axis(format="$,.3~f")),
            y=alt.Y(f"{by}:N", title=by, sort="-x", axis=alt.Axis(labelLimit=220)),
            color=alt.Color(
                "state:N",
                title=None,
                scale=alt.Scale(domain=["settled", "held", "reserved"], range=[BLUE, ORANGE, SKY]),
            ),
            tooltip=[by, "state", alt.Tooltip("usd", format="$,.4f")],
        )
    )
    explained = "Settled by usage; held: nobody said what it cost; reserved: still open."
    return styled(alt.layer(bars), f"Spending by {by}", explained, None, height=alt.Step(24))


def unit_cost_bars(frame: pl.DataFrame) -> alt.LayerChart:
    """What one of each costs, with its interval and how many there are."""
    shown = labelled(frame.filter(pl.col("usd_each").is_not_null()))
    y = alt.Y("unit:N", title=None, sort=frame["unit"].to_list())
    base = alt.Chart(shown)
    chart = alt.layer(
        base.mark_bar(color=BLUE, opacity=0.85).encode(
            x=alt.X("usd_each:Q", title="US dollars each", axis=alt.Axis(format="$,.3~f")), y=y
        ),
        base.mark_rule(color=INK, strokeWidth=2).encode(
            x=alt.X("usd_low:Q", title="US dollars each"), x2="usd_high:Q", y=y
        ),
        base.mark_text(align="left", dx=6, dy=-9, color=MUTED, fontSize=11).encode(x="usd_each:Q", y=y, text="label:N"),
    )
    explained = "All money over what came of it; lines: 95% interval, left out where it has no upper end."
    return styled(chart, "What one of each costs", explained, shown, height=alt.Step(34))


def threshold_bars(frame: pl.DataFrame) -> alt.LayerChart:
    """What preparing jobs below the threshold would cost, by the lower threshold, with interval and number of jobs."""
    shown = frame.filter(pl.col("usd").is_not_null()).with_columns(
        pl.format("{} jobs", "jobs").alias("label"),
        pl.when("possible").then(pl.lit("possible")).otherwise(pl.lit("below the floor")).alias("state"),
    )
    title = "US dollars for the jobs that stand there now"
    x = alt.X("usd:Q", title=title, axis=alt.Axis(format="$,.3~f"))
    y = alt.Y("threshold:O", title="threshold", sort="descending")
    scale = alt.Scale(domain=["possible", "below the floor"], range=[BLUE, SKY])
    tips = ["threshold", "jobs", "n", *(alt.Tooltip(name, format="$,.2f") for name in ("usd", "usd_low", "usd_high"))]
    base = alt.Chart(shown)
    chart = alt.layer(
        base.mark_bar().encode(x=x, y=y, color=alt.Color("state:N", title=None, scale=scale), tooltip=tips),
        base.mark_rule(color=INK, strokeWidth=2).encode(x=alt.X("usd_low:Q", title=title), x2="usd_high:Q", y=y),
        base.mark_text(align="left", dx=6, color=INK, fontSize=11).encode(
            x=alt.X("usd_high:Q", title=title), y=y, text="label:N"
        ),
    )
    explained = "At the cost of a prepared job so far; lines: 95% interval. Materials are never made below the floor."
    return styled(chart, "What a lower threshold would cost", explained, None, height=alt.Step(26))
