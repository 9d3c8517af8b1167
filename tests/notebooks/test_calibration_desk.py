"""The calibration desk over a search that has everything: repeated scores, corrections, and jobs chosen by chance."""

from __future__ import annotations

import numpy as np

from tests.analytics.searches import Search
from tests.notebooks.conftest import desk
from tests.notebooks.test_desks import recorded

TEXT = "a" * 64


def test_every_part_of_the_desk_has_something_to_show_and_nothing_is_recorded(tmp_path, monkeypatch):
    workspace = tmp_path / "workspace"
    search, dice = Search(workspace), np.random.default_rng(1)
    for number in range(160):
        job, score = search.find(f"j{number}"), 1 + number % 10
        search.score(job, score, snapshot_hash=TEXT)
        if number % 8 == 0:
            search.score(job, min(10, score + 1), version=2, snapshot_hash=TEXT, profile_version=2)
        if number % 9 == 0:
            search.score(job, max(1, score - 1), version=3, snapshot_hash=TEXT, corrected_from=score)
        if score < 7 and number % 3 == 0:
            search.explore(job, score, 0.2)
        if score >= 7 or number % 3 == 0:
            search.apply(job, score, days_ago=20)
            if dice.random() < score / 15:
                search.answer(job, "interview")
    search.close()
    monkeypatch.setenv("JOBCTRL_DIR", str(workspace))
    before = recorded(workspace)

    _, defined = desk("calibration").app.run()

    assert recorded(workspace) == before
    assert defined["verdict"].need_more == 0
    assert defined["chosen"].why_no_estimate == ""
    for part in ("steady", "corrected", "missing", "explored", "forecasts", "reliability"):
        shown = getattr(defined[part], "text", "")
        assert "No job" not in shown, part
        assert "Nobody" not in shown, part
        assert "None so far" not in shown, part
