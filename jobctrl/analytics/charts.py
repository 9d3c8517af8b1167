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
BAND_ORDER = ["poor", "stretch", "plausible", "strong", "excellent"]


def reliability(frame: pl.DataFrame, *, outcome: str, curve: pl.DataFrame | None = None) -> alt.LayerChart:
    """The rate of *outcome* by score with its interval and n; *curve* is the map of `score_map` beside it."""
    x = alt.X(
        "score:Q",
        title="score at the application (1 to 10)",
        scale=alt.Scale(domain=[0.5, 10.5], nice=False),
        axis=alt.Axis(values=list(range(1, 11)), grid=False),
    )

    def share(column: str) -> alt.Y:
        scale, axis = alt.Scale(domain=[0, 1]), alt.Axis(format="%")
        return alt.Y(f"{column}:Q", title=f"applications that led to {_a(outcome)}", scale=scale, axis=axis)

    layers: list[Any] = []
    explained = "Points: observed rate with its 95% interval."
    if curve is not None and not curve.is_empty():
        mapped = alt.Chart(curve)
        layers += [
            mapped.mark_area(opacity=0.15, color=ORANGE).encode(x=x, y=share("low"), y2="high:Q"),
            mapped.mark_line(color=ORANGE, strokeWidth=2).encode(
                x=x, y=share("probability"), tooltip=["score", alt.Tooltip("probability", format=".1%")]
            ),
        ]
        explained += " Line: what a score means, with its own; never lower for a higher score."
    base = alt.Chart(_labelled(frame))
    layers += [
        base.mark_rule(color=BLUE, strokeWidth=2).encode(x=x, y=share("low"), y2="high:Q"),
        base.mark_circle(color=BLUE, size=80, opacity=1).encode(x=x, y=share("rate"), tooltip=_tips("score")),
        base.mark_text(dy=-8, color=INK, fontSize=11).encode(x=x, y=share("high"), text="label:N"),
    ]
    return _styled(alt.layer(*layers), f"How often a score led to {_a(outcome)}", explained, frame)


def score_counts(frame: pl.DataFrame) -> alt.LayerChart:
    """How many of the listed jobs have each score."""
    scored = frame.filter(pl.col("fit_score").is_not_null()).group_by("fit_score").len("jobs").sort("fit_score")
    x = alt.X(
        "fit_score:Q",
        title="score (1 to 10)",
        scale=alt.Scale(domain=[0.5, 10.5], nice=False),
        axis=alt.Axis(values=list(range(1, 11)), grid=False),
    )
    y = alt.Y("jobs:Q", title="jobs (count)", axis=alt.Axis(tickMinStep=1))
    base = alt.Chart(scored)
    chart = alt.layer(
        base.mark_bar(color=BLUE, width=28).encode(x=x, y=y, tooltip=["fit_score", "jobs"]),
        base.mark_text(dy=-7, color=INK, fontSize=11).encode(x=x, y=y, text="jobs:Q"),
    )
    left = len(frame) - int(scored["jobs"].sum())
    explained = f"{left} of {len(frame)} are not scored yet." if left else f"n={len(frame)}."
    return _styled(chart, "Scores in this list", explained, None, height=140)


def band_rates(frame: pl.DataFrame, *, outcome: str) -> alt.LayerChart:
    """The rate of *outcome* by band of scores with its interval and n."""
    title = f"applications that led to {_a(outcome)}"
    chart = _interval_bars(frame, "band", title, sort=BAND_ORDER[::-1])
    return _styled(chart, "By band of scores", "Bars: observed rate; lines: 95% interval.", frame)


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
    return _styled(alt.layer(bars, labels), "What each source shows", explained, None, height=alt.Step(22))


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
    chart = _interval_bars(shown, "source_id", axis, sort=shown["source_id"].to_list())
    return _styled(chart, title, "Bars: observed share; lines: 95% interval.", shown, height=alt.Step(22))


def spend_by_day(frame: pl.DataFrame, *, ceiling_usd: float = 0) -> alt.LayerChart:
    """US dollars by UTC day and lane, with the day's ceiling as a line once a day comes near it."""
    bars = (
        alt.Chart(frame)
        .mark_bar()
        .encode(
            x=alt.X("day:O", title="UTC day", timeUnit="utcyearmonthdate", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("sum(usd):Q", title="spent and set aside (US dollars)", axis=alt.Axis(format="$,.2f")),
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
    return _styled(alt.layer(*layers), "What each day cost", "By the lane the calls were made for.", None)


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
            x=alt.X("sum(usd):Q", title="US dollars", axis=alt.Axis(format="$,.2f")),
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
    return _styled(alt.layer(bars), f"Spending by {by}", explained, None, height=alt.Step(24))


def unit_cost_bars(frame: pl.DataFrame) -> alt.LayerChart:
    """What one of each costs, with its interval and how many there are."""
    shown = _labelled(frame.filter(pl.col("usd_each").is_not_null()))
    y = alt.Y("unit:N", title=None, sort=frame["unit"].to_list())
    base = alt.Chart(shown)
    chart = alt.layer(
        base.mark_bar(color=BLUE, opacity=0.85).encode(
            x=alt.X("usd_each:Q", title="US dollars each", axis=alt.Axis(format="$,.2f")), y=y
        ),
        base.mark_rule(color=INK, strokeWidth=2).encode(
            x=alt.X("usd_low:Q", title="US dollars each"), x2="usd_high:Q", y=y
        ),
        base.mark_text(align="left", dx=6, dy=-9, color=MUTED, fontSize=11).encode(x="usd_each:Q", y=y, text="label:N"),
    )
    explained = "All money over what came of it; lines: 95% interval, left out where it has no upper end."
    return _styled(chart, "What one of each costs", explained, shown, height=alt.Step(34))


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
    return _styled(chart, "How far jobs come", explained, frame, height=alt.Step(26))


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
    return _styled(alt.layer(bars), "How runs ended", "One count an execution.", None, height=alt.Step(28))


def svg(chart: alt.LayerChart) -> str:
    """The picture as SVG, drawn without a browser and without a network."""
    import vl_convert

    return str(vl_convert.vegalite_to_svg(chart.to_json()))


def _interval_bars(frame: pl.DataFrame, by: str, title: str, *, sort: list[str]) -> Any:
    y = alt.Y(f"{by}:N", title=None, sort=sort, axis=alt.Axis(labelLimit=220))

    def share(column: str) -> alt.X:
        return alt.X(f"{column}:Q", title=title, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))

    base = alt.Chart(_labelled(frame))
    return alt.layer(
        base.mark_bar(color=BLUE, opacity=0.85).encode(x=share("rate"), y=y, tooltip=_tips(by)),
        base.mark_rule(color=INK, strokeWidth=2).encode(x=share("low"), x2="high:Q", y=y),
        base.mark_text(align="left", dx=6, color=INK, fontSize=11).encode(x=share("high"), y=y, text="label:N"),
    )


def _labelled(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.format("n={}", "n").alias("label"))


def _tips(first: str) -> list[Any]:
    rates = [alt.Tooltip(name, format=".1%") for name in ("rate", "low", "high")]
    return [first, "n", *rates]


def _a(outcome: str) -> str:
    return f"an {outcome}" if outcome[0] in "aeiou" else f"a {outcome}"


def _styled(
    chart: Any, title: str, explained: str, data: pl.DataFrame | None, *, height: Any = HEIGHT
) -> alt.LayerChart:
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
    styled: alt.LayerChart = (
        chart.properties(title=heading, width=WIDTH, height=height)
        .configure(font="Source Sans 3, Segoe UI, Helvetica, Arial, sans-serif", background="white", padding=12)
        .configure_axis(
            gridColor=GRID, domainColor=MUTED, tickColor=MUTED, labelColor=INK, titleColor=MUTED,
            titleFontWeight="normal", labelFontSize=12, titleFontSize=12,
        )
        .configure_view(stroke=None)
        .configure_legend(orient="top", labelColor=INK, titleColor=MUTED, labelFontSize=12)
    )  # fmt: skip
    return styled
