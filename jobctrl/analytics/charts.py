"""One style for every picture: safe for colour-blind eyes, axes with units, intervals drawn, n shown."""

from __future__ import annotations

from typing import Any

import altair as alt
import polars as pl

INK, MUTED, GRID = "#1f2933", "#64748b", "#e2e8f0"
BLUE, ORANGE, GREEN, PINK, SKY, YELLOW, RED = (
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#f0e442",
    "#d55e00",
)
PALETTE = [BLUE, ORANGE, GREEN, PINK, SKY, RED, YELLOW]
"""Okabe and Ito's colours, told apart with any kind of colour vision."""
WIDTH, HEIGHT = 640, 300
MADE_UP = "SIMULATED applications: made up for a demonstration"


def run_outcomes(frame: pl.DataFrame) -> alt.LayerChart:
    """Executions of each workflow by how they ended."""
    states = ["succeeded", "in_progress", "canceled", "failed", "timed_out", "terminated"]
    bars = (
        alt.Chart(frame)
        .mark_bar()
        .encode(
            x=alt.X("sum(runs):Q", title="executions (count)", axis=alt.Axis(tickMinStep=1)),
            y=alt.Y("workflow_type:N", title=None, axis=alt.Axis(labelLimit=220)),
            color=alt.Color(
                "status:N",
                title=None,
                scale=alt.Scale(domain=states, range=[GREEN, SKY, YELLOW, RED, ORANGE, PINK]),
            ),
            tooltip=["workflow_type", "status", "runs", alt.Tooltip("p50_seconds", format=".1f")],
        )
    )
    return styled(alt.layer(bars), "How runs ended", "One count an execution.", None, height=alt.Step(28))


def svg(chart: alt.LayerChart) -> str:
    """The picture as SVG, drawn without a browser and without a network."""
    import vl_convert

    return str(vl_convert.vegalite_to_svg(chart.to_json()))


def interval_bars(frame: pl.DataFrame, by: str, title: str, *, sort: list[str]) -> Any:
    """A bar for each *by* as long as its `rate`, its interval from `low` to `high`, and its n."""
    y = alt.Y(f"{by}:N", title=None, sort=sort, axis=alt.Axis(labelLimit=220))

    def share(column: str) -> alt.X:
        return alt.X(f"{column}:Q", title=title, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))

    base = alt.Chart(labelled(frame))
    return alt.layer(
        base.mark_bar(color=BLUE, opacity=0.85).encode(x=share("rate"), y=y, tooltip=tips(by)),
        base.mark_rule(color=INK, strokeWidth=2).encode(x=share("low"), x2="high:Q", y=y),
        base.mark_text(align="left", dx=6, color=INK, fontSize=11).encode(x=share("high"), y=y, text="label:N"),
    )


def labelled(frame: pl.DataFrame) -> pl.DataFrame:
    """*frame* with `label`, which says its n."""
    return frame.with_columns(pl.format("n={}", "n").alias("label"))


def tips(first: str) -> list[Any]:
    """What a point says under the pointer: *first*, n and the rate with its interval."""
    rates = [alt.Tooltip(name, format=".1%") for name in ("rate", "low", "high")]
    return [first, "n", *rates]


def styled(
    chart: Any, title: str, explained: str, data: pl.DataFrame | None, *, height: Any = HEIGHT
) -> alt.LayerChart:
    """*chart* in the one style, under its title and what explains it; says so when *data* has made-up rows."""
    made_up = data is not None and "simulated" in data.columns and bool(data["simulated"].any())
    subtitle = [MADE_UP, explained] if made_up else [explained]
    heading = alt.TitleParams(
        title,
        subtitle=[line for line in subtitle if line.strip()],
        anchor="start",
        fontSize=15,
        color=INK,
        subtitleColor=RED if made_up else MUTED,
        subtitleFontSize=12,
        offset=12,
    )
    picture: alt.LayerChart = (
        chart.properties(title=heading, width=WIDTH, height=height)
        .configure(font="Source Sans 3, Segoe UI, Helvetica, Arial, sans-serif", background="white", padding=12)
        .configure_axis(
            gridColor=GRID, domainColor=MUTED, tickColor=MUTED, labelColor=INK, titleColor=MUTED,
            titleFontWeight="normal", labelFontSize=12, titleFontSize=12,
        )
        .configure_view(stroke=None)
        .configure_legend(orient="top", labelColor=INK, titleColor=MUTED, labelFontSize=12)
    )  # fmt: skip
    return picture
