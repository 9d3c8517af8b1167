"""The profile as a desk shows it."""

from __future__ import annotations

from dataclasses import dataclass

from jobctrl.analytics.desk import plain
from jobctrl.analytics.person import evidence, told, versions
from jobctrl.profile.reach import EvidenceItem
from jobctrl.profile.rules import Problem
from jobctrl.profile.state import Version

FIRST = Version(1, "0" * 64, "2026-03-02T09:00:00.000Z", ("personal", "resume.experience"), "pdf")
SECOND = Version(2, "1" * 64, "2026-03-03T09:00:00.000Z", ("headline",))
BULLET = EvidenceItem("bullet", "b1", "Analyst, Reedmace", "Counted reeds.", None, None, True, since_version=1)


@dataclass(frozen=True)
class Draft:
    problems: tuple[Problem, ...] = ()
    sections: tuple[str, ...] = ()
    touches: tuple[str, ...] = ()


def test_evidence_says_where_it_came_from():
    new = EvidenceItem("achievement", "a1", "Analyst, Reedmace", "Saved a winter.", "draft", 0.4, False)

    frame = evidence([BULLET, new], [SECOND, FIRST])

    assert frame["came_with"].to_list() == ["version 1, read from a resume PDF", "not saved yet"]
    assert frame["confidence"].to_list() == [None, 0.4]


def test_an_empty_profile_has_the_columns_all_the_same():
    assert evidence([], []).columns == evidence([BULLET], [FIRST]).columns
    assert versions([]).is_empty()


def test_versions_say_what_changed_and_where_they_were_read_from():
    assert versions([SECOND, FIRST]).rows() == [
        (2, "2026-03-03 09:00", "headline", "here"),
        (1, "2026-03-02 09:00", "personal, experience", "a resume PDF"),
    ]


def test_a_draft_tells_its_problems_or_what_it_touches_or_nothing():
    hostile = Problem("headline", "'[win](http://x.example) <img src=x onerror=alert(1)>' is too long", "write less")
    wrong = Draft(problems=(Problem("target.countries[0]", "'Poland' is no country code", "write `PL`"),))

    assert "'Poland' is no country code; write `PL`" in told(wrong)
    assert told(Draft()) == ""
    assert told(Draft(sections=("headline",), touches=("Nothing is made again.",))) == (
        f"Saving changes **headline** and schedules nothing.\n\n- {plain('Nothing is made again.')}"
    )
    # A file that somebody else wrote is quoted, and never rendered.
    assert not set("<[") & set(told(Draft(problems=(hostile,))))
