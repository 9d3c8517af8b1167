"""A resume as a PDF, read back and checked: from a cold process, and again with changed data."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from bench.measure import Row, Scale, command, each, ms
from jobctrl.materials.pdf import render_resume
from jobctrl.materials.tailor import tailor
from jobctrl.profile.document import load_profile
from jobctrl.profile.model import Profile

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PROFILE = Path(__file__).resolve().parents[1] / "data" / "sample_profile.json"


def rows(scale: Scale, scratch: Path) -> Iterable[Row]:
    import typst

    repeat = scale.of(7, 3)
    nothing = command([sys.executable, "-c", "pass"], repeat=repeat)
    cold = command([sys.executable, "-m", "bench.pdf"], repeat=repeat)
    yield Row("a resume as PDF, cold process", ms(cold), ms(nothing), cold / nothing, goal="<= 100 ms", met=cold <= 0.1)
    profile = load_profile(PROFILE)
    changed = [_changed(profile, number) for number in range(scale.of(20, 5))]
    render(profile)
    warm = each(render, changed)
    bare = each(lambda text: typst.compile(text.encode(), format="pdf"), [f"= Resume {number}" for number in range(5)])
    yield Row(
        "the same warm, changed data, its pages and text checked; against a bare typst page",
        ms(warm),
        ms(bare),
        warm / bare,
        goal="<= 15 ms",
        met=warm <= 0.015,
    )


def _changed(profile: Profile, number: int) -> Profile:
    return profile.model_copy(update={"headline": f"{profile.headline} {number}"})


def render(profile: Profile) -> None:
    render_resume(tailor(profile, (), now=NOW), profile)


if __name__ == "__main__":
    render(load_profile(PROFILE))
