"""Pictures of calibration: what scores led to, how steady they are, what a person says of them, what is not seen."""

from __future__ import annotations

from typing import Any

import altair as alt
import polars as pl

from jobctrl.analytics.charts import BLUE, INK, MUTED, ORANGE, PALETTE, SKY, interval_bars, labelled, styled, tips

BAND_ORDER = ["poor", "stretch", "plausible", "strong", "excellent"]
CAUSES = ["nothing", "profile", "policy", "model", "several"]


def reliability(frame: pl.DataFrame, *, outcome: str, curve: pl.DataFrame | None = None) -> alt.LayerChart:
    """The rate of *outcome* by score with its interval and n; *curve* is the map of `score_map` beside it."""
    x = _score("score", "score at the application (1 to 10)")

    def share(column: str) -> alt.Y:
        return _share(column, f"applications that led to {_a(outcome)}")

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
    layers += _points(frame, x, share, "score")
    return styled(alt.layer(*layers), f"How often a score led to {_a(outcome)}", explained, frame)


def band_rates(frame: pl.DataFrame, *, outcome: str) -> alt.LayerChart:
    """The rate of *outcome* by band of scores with its interval and n."""
    title = f"applications that led to {_a(outcome)}"
    chart = interval_bars(frame, "band", title, sort=BAND_ORDER[::-1])
    return styled(chart, "By band of scores", "Bars: observed rate; lines: 95% interval.", frame)


def decile_rates(frame: pl.DataFrame, *, outcome: str) -> alt.LayerChart:
    """The rate of *outcome* by tenth of the applications, under the scores that each tenth holds."""
    scores = pl.format("scores {} to {}", "score_low", "score_high")
    alike = pl.format("score {}", "score_low")
    shown = frame.sort("decile", descending=True).with_columns(
        pl.format(
            "{}: {}", "decile", pl.when(pl.col("score_low") == pl.col("score_high")).then(alike).otherwise(scores)
        ).alias("tenth")
    )
    title = f"applications that led to {_a(outcome)}"
    chart = interval_bars(shown, "tenth", title, sort=shown["tenth"].to_list())
    explained = "10 holds the highest scores. Equal scores stay together, so some tenths are missing."
    return styled(chart, "By tenth of the applications", explained, frame)


def score_moves(changes: pl.DataFrame) -> alt.LayerChart:
    """By how many points scores of the same text lie apart, by what had changed between them."""
    counted = changes.group_by("difference", "changed").len("repeats").sort("difference", "changed")
    seen = [-1, 1, *changes["difference"].to_list()]
    x = alt.X(
        "difference:O",
        title="points up or down (0 is the same score)",
        axis=alt.Axis(labelAngle=0),
        scale=alt.Scale(domain=list(range(min(seen), max(seen) + 1))),
    )
    bars = (
        alt.Chart(counted)
        .mark_bar()
        .encode(
            x=x,
            y=alt.Y("repeats:Q", title="repeated scores (count)", axis=alt.Axis(tickMinStep=1)),
            color=alt.Color("changed:N", title="changed", scale=alt.Scale(domain=CAUSES, range=PALETTE[: len(CAUSES)])),
            order=alt.Order("changed:N"),
            tooltip=["difference", "changed", "repeats"],
        )
    )
    totals = counted.group_by("difference").agg(pl.col("repeats").sum()).sort("difference")
    words = alt.Chart(totals).mark_text(dy=-7, color=INK, fontSize=11).encode(x=x, y="repeats:Q", text="repeats:Q")
    explained = f"n={len(changes)} times that a job was scored again on the same text."
    return styled(alt.layer(bars, words), "How steady scores are", explained, None, height=220)


def correction_bars(frame: pl.DataFrame) -> alt.LayerChart:
    """The mean difference of a person's scores from ours by band, with its interval and n."""
    y = alt.Y("band:N", title="band of our score", sort=BAND_ORDER[::-1])
    title = "the person's score less ours (points)"
    base = alt.Chart(labelled(frame))
    chart = alt.layer(
        alt.Chart(pl.DataFrame({"at": [0.0]})).mark_rule(color=MUTED, strokeDash=[4, 4]).encode(x="at:Q"),
        base.mark_rule(color=BLUE, strokeWidth=2).encode(
            x=alt.X("mean_difference_low:Q", title=title), x2="mean_difference_high:Q", y=y
        ),
        base.mark_circle(color=BLUE, size=80, opacity=1).encode(
            x=alt.X("mean_difference:Q", title=title),
            y=y,
            tooltip=[
                "band",
                "n",
                *(
                    alt.Tooltip(c, format="+.2f")
                    for c in ("mean_difference", "mean_difference_low", "mean_difference_high")
                ),
            ],
        ),
        base.mark_text(dy=-12, color=INK, fontSize=11).encode(x="mean_difference:Q", y=y, text="label:N"),
    )
    explained = "Right of the line: the person thinks more of such jobs. Lines: 95% interval, from five corrections on."
    return styled(chart, "Where a person scores otherwise", explained, None, height=alt.Step(42))


def applied_bars(frame: pl.DataFrame) -> alt.LayerChart:
    """The share of the jobs with each score that was applied to, with its interval and n."""
    x = _score("score", "score (1 to 10)")

    def share(column: str) -> alt.Y:
        return _share(column, "scored jobs that were applied to")

    base = alt.Chart(frame)
    layers = [base.mark_bar(color=SKY, width=28).encode(x=x, y=share("rate")), *_points(frame, x, share, "score")]
    explained = "Of the jobs with each score, with 95% intervals. Where nothing was applied to, nothing is known."
    return styled(alt.layer(*layers), "What the outcomes can speak for", explained, frame, height=240)


def weighted_rates(frame: pl.DataFrame, *, outcome: str) -> alt.LayerChart:
    """The plain and the weighted rate of *outcome*, each with its interval and n."""
    words = {"plain": "as applied to", "weighted": "all scored jobs (weighted)"}
    shown = frame.with_columns(pl.col("estimate").replace(words))
    title = f"applications that lead to {_a(outcome)}"
    chart = interval_bars(shown, "estimate", title, sort=list(words.values()))
    explained = "An application that one in ten was chosen for stands for ten. Lines: 95% interval."
    return styled(chart, "Without the choice of what to apply to", explained, frame, height=alt.Step(34))


def _points(frame: pl.DataFrame, x: alt.X, share: Any, by: str) -> list[Any]:
    """Each rate as a point on its interval, under its n."""
    base = alt.Chart(labelled(frame))
    return [
        base.mark_rule(color=BLUE, strokeWidth=2).encode(x=x, y=share("low"), y2="high:Q"),
        base.mark_circle(color=BLUE, size=80, opacity=1).encode(x=x, y=share("rate"), tooltip=tips(by)),
        base.mark_text(dy=-8, color=INK, fontSize=11).encode(x=x, y=share("high"), text="label:N"),
    ]


def _score(column: str, title: str) -> alt.X:
    scale, axis = alt.Scale(domain=[0.5, 10.5], nice=False), alt.Axis(values=list(range(1, 11)), grid=False)
    return alt.X(f"{column}:Q", title=title, scale=scale, axis=axis)


def _share(column: str, title: str) -> alt.Y:
    return alt.Y(f"{column}:Q", title=title, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))


def _a(outcome: str) -> str:
    return f"an {outcome}" if outcome[0] in "aeiou" else f"a {outcome}"
