"""Pictures of what a change would bring."""

from __future__ import annotations

from typing import Any, Literal

import altair as alt
import polars as pl

from jobctrl.analytics.charts import BLUE, GREEN, INK, MUTED, ORANGE, RED, interval_bars, styled

Measure = Literal["prepared", "usd", "expected"]
_TITLES = {"prepared": "jobs prepared (count)", "usd": "spent (US dollars)", "expected": "{} expected (count)"}


def by_threshold(
    frame: pl.DataFrame, measure: Measure, *, now: int, then: int, outcome: str = "interview"
) -> alt.LayerChart:
    """One measure of `threshold_curve` over all thresholds, with the present one and the tried one as lines."""
    title = _TITLES[measure].format(f"{outcome}s" if outcome != "reply" else "replies")
    x = alt.X(
        "min_score:Q",
        title="threshold (score from 1 to 10)",
        scale=alt.Scale(domain=[0.5, 10.5], nice=False),
        axis=alt.Axis(values=list(range(1, 11)), grid=False),
    )

    def height(column: str) -> alt.Y:
        return alt.Y(f"{column}:Q", title=title, scale=alt.Scale(zero=True))

    base = alt.Chart(frame)
    layers: list[Any] = []
    if measure != "prepared":
        layers.append(
            base.mark_area(color=BLUE, opacity=0.15).encode(x=x, y=height(f"{measure}_low"), y2=f"{measure}_high:Q")
        )
    layers += [
        base.mark_line(color=BLUE, strokeWidth=2, point=True).encode(
            x=x, y=height(measure), tooltip=["min_score", "prepared", "n", alt.Tooltip(measure, format=",.2f")]
        ),
        base.mark_text(align="left", dx=6, dy=-8, color=MUTED, fontSize=11).encode(
            x=x, y=height(measure), text=alt.Text("prepared:Q")
        ),
    ]
    marks = pl.DataFrame({"min_score": [now, then], "which": ["now", "what if"]})
    layers.append(
        alt.Chart(marks)
        .mark_rule(strokeDash=[6, 4], strokeWidth=2)
        .encode(
            x=x, color=alt.Color("which:N", title=None, scale=alt.Scale(domain=["now", "what if"], range=[INK, RED]))
        )
    )
    explained = "Figures: jobs prepared." + ("" if measure == "prepared" else " Band: 95% interval or wider.")
    return styled(alt.layer(*layers), "Every threshold, with the other changes made", explained, _told(frame, measure))


def _told(frame: pl.DataFrame, measure: Measure) -> pl.DataFrame | None:
    """Only what is expected rests on applications, which may be made up."""
    return frame if measure == "expected" else None


def scenario_bars(frame: pl.DataFrame) -> alt.LayerChart:
    """What becomes of the scored jobs, now and as it would be."""
    names = ["prepared", "skipped", "blocked"]
    counts = frame.select("scenario", "n", *names)
    parts = counts.unpivot(on=names, index=["scenario", "n"], variable_name="decision", value_name="jobs")
    y = alt.Y("scenario:N", title=None, sort=["now", "what if"])
    chart = (
        alt.Chart(parts)
        .mark_bar(opacity=0.9)
        .encode(
            x=alt.X("sum(jobs):Q", title="scored jobs (count)", axis=alt.Axis(tickMinStep=1)),
            y=y,
            color=alt.Color("decision:N", title=None, scale=alt.Scale(domain=names, range=[GREEN, MUTED, ORANGE])),
            order=alt.Order("place:Q"),
            tooltip=["scenario", "decision", "jobs", "n"],
        )
        .transform_calculate(place=f"indexof({names}, datum.decision)")
    )
    labels = (
        alt.Chart(frame.with_columns(pl.format("{} of {} prepared", "prepared", "n").alias("label")))
        .mark_text(align="left", dx=6, color=INK, fontSize=11)
        .encode(x="n:Q", y=y, text="label:N")
    )
    return styled(alt.layer(chart, labels), "What becomes of scored jobs", "Counts.", None, height=alt.Step(34))


def side_rates(frame: pl.DataFrame, *, outcome: str) -> alt.LayerChart:
    """How often applications led to *outcome*, by what the policy does with their jobs."""
    shown = frame.with_columns(pl.format("{} ({} jobs)", "side", "jobs").alias("part"))
    chart = interval_bars(shown, "part", f"applications that led to: {outcome}", sort=shown["part"].to_list())
    explained = "Bars: observed rate; lines: 95% interval; none where nobody applied."
    return styled(chart, "What had come of each side", explained, frame, height=alt.Step(30))
