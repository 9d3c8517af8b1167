"""A desk says what stands in the way, and what came of an action."""

from __future__ import annotations

import polars as pl
import pytest

from jobctrl.analytics.desk import act, act_on_each, bar, links, look, looked, open_desk, plain, tidy
from jobctrl.errors import InvalidRequest
from tests.analytics.searches import START


def test_a_desk_over_no_workspace_says_what_to_do(tmp_path):
    desk = open_desk(tmp_path)

    assert desk.db is None
    assert "jobctrl init" in desk.says


def test_a_desk_over_a_workspace_says_how_fresh_it_is(search):
    search.find("a")
    search.tell()

    desk = open_desk(search.folder)

    assert desk.db is not None
    assert "fact 2" in desk.says


def test_an_action_that_is_refused_is_told_with_its_hint():
    def refuse(key: str) -> str:
        raise InvalidRequest("A score is between 1 and 10.", hint="Choose another.")

    done = act(refuse, "a")

    assert not done.ok
    assert done.says == "A score is between 1 and 10. Choose another."


def test_of_several_jobs_those_that_were_done_can_be_undone():
    def dismiss(key: str, reason: str) -> str:
        if key == "c":
            raise InvalidRequest("No such job.")
        return f"Dismissed {key} for {reason}."

    assert act_on_each(dismiss, ["a", "b"], "pay").says == "Dismissed b for pay. 2 jobs in all."
    stopped = act_on_each(dismiss, ["a", "b", "c", "d"], "pay")
    assert (stopped.ok, stopped.keys) == (False, ("a", "b"))


def test_a_tidy_frame_shows_whole_minutes_and_no_endless_fractions():
    frame = pl.DataFrame({"at": [START], "usd": [0.123456], "none": [None]})

    assert tidy(frame).rows() == [("2026-03-02 09:00", 0.1235, None)]


@pytest.mark.parametrize(
    ("columns", "ends", "shape"),
    [
        (["rate"], ("low", "high"), "{:.1%}"),
        (["good_rate"], ("good_low", "good_high"), "{:.1%}"),
        (["n", "share"], ("low", "high"), "{:.1%}"),
        (["usd", "usd_each"], ("usd_low", "usd_high"), "${:,.4f}"),
        (["spent_usd"], ("low_usd", "high_usd"), "${:,.4f}"),
        (["p50_seconds"], ("p50_seconds_low", "p50_seconds_high"), "{:,.1f}"),
        (["median_days", "rate"], ("median_days_low", "median_days_high"), "{:,.1f}"),
        (["expected", "rate"], ("expected_low", "expected_high"), None),
        (["mean_difference"], ("mean_difference_low", "mean_difference_high"), None),
        (["pay"], ("pay_low", "pay_high"), None),
        (["pay"], ("low", "high"), None),
    ],
)
def test_the_ends_of_an_interval_look_like_what_they_are_ends_of(columns, ends, shape):
    frame = pl.DataFrame({name: [0.25] for name in (*columns, *ends)})

    formats = look(frame)["format_mapping"]

    assert [formats.get(end) for end in ends] == [shape, shape]


def test_what_nobody_foresaw_is_told_by_its_kind_and_logged_by_its_place(caplog):
    words = "the words of a posting"

    def stumble(key: str) -> str:
        raise KeyError(words)

    done, several = act(stumble, "a"), act_on_each(stumble, ["a"])
    answer, problem = looked(stumble, "a")

    assert answer is None
    for says in (done.says, several.says, problem):
        assert "KeyError" in says
        assert words not in says
    assert (done.ok, several.ok) == (False, False)
    assert "in stumble" in caplog.text
    assert words not in caplog.text


def test_an_answer_that_is_no_words_is_put_into_some():
    assert act(lambda: 3, says=lambda number: f"{number} of them.").says == "3 of them."
    assert act(lambda: 3).says == "Done."


def test_the_way_to_other_desks_carries_no_markup_of_its_own():
    html = links([("jobs", "All <jobs>", "find & act")])

    assert 'href="../jobs/"' in html
    assert "All &lt;jobs&gt;" in html
    assert "find &amp; act" in html


def test_a_bar_says_what_it_shows_and_never_grows_out_of_its_frame():
    assert 'aria-valuenow="40"' in bar(0.4, label="Used")
    assert "width:100.0%" in bar(3, label="Used")


def test_words_of_others_are_shown_and_never_rendered():
    import marimo as mo

    said = (
        "# *Run* `jobctrl up` <script>alert(1)</script> [win](http://x.example) www.x.example "
        "me@x.example for $5 or $9 | a_b_c"
    )

    html = mo.md(f"Note: {plain(said)}").text

    assert "<code>jobctrl up</code>" in html
    assert not any(markup in html for markup in ("<script", "<a ", "<em>", "<strong>", "arithmatex", "<h1"))
    assert "alert(1)" in html
