"""What discovery decides on: which job an address names, and what each job says."""

from __future__ import annotations

import base64

import pytest

from jobctrl.discovery.events import (
    DuplicateJobLinked,
    JobDiscovered,
    JobHidden,
    JobSourceObserved,
    JobUnhidden,
    JobUpdated,
    Posting,
    StatedPlace,
)
from jobctrl.discovery.state import JOB_CONTENTS, JOB_IDENTITIES, Identity, JobContent
from jobctrl.events import Event, Recorded
from jobctrl.postings.model import Place

POSTING = Posting(
    title="Welder", url="https://x.example/1", facts_hash="f", content_key="mill|welder", fingerprint="p",
    signature=base64.b64encode(b"sign").decode(), places=[StatedPlace(city="Kraków", country="PL")],
)  # fmt: skip
SEEN = JobSourceObserved(
    job_id="j1", source_observation_id="observation:k", source_id="lever:a", source_native_id="1", identity_key="k",
    observed_url="https://x.example/1", run_id="r", first_finder=True, posting=POSTING,
)  # fmt: skip
FOUND = JobDiscovered(job_id="j1", source_id="lever:a", source_native_id="1", identity_key="k", posting=POSTING)


def recorded(event: Event) -> Recorded:
    return Recorded(
        1, "e", "job/j1", 1, event.event_type, 1, "j1", None, None, None, "2026-03-01T12:00:00.000Z",
        event.model_dump_json(by_alias=True),
    )  # fmt: skip


def identity(*events: Event) -> Identity | None:
    row = None
    for event in events:
        assert JOB_IDENTITIES.keys(recorded(event)) == [("k",)]
        row = JOB_IDENTITIES.fold(row, recorded(event))
    return row


def content(*events: Event) -> JobContent | None:
    row = None
    for event in events:
        row = JOB_CONTENTS.fold(row, recorded(event))
    return row


def link(observation: str = "observation:k") -> DuplicateJobLinked:
    return DuplicateJobLinked(
        duplicate_link_id="link:k", surviving_job_id="j1", superseded_job_or_observation_id=observation,
        source_id="lever:a", reason="content_fingerprint_match", confidence=0.9,
    )  # fmt: skip


def update(title: str) -> JobUpdated:
    posting = POSTING.model_copy(update={"title": title})
    return JobUpdated(job_id="j1", source_id="lever:a", identity_key="k", changed_fields=["title"], posting=posting)


def test_an_address_names_the_job_that_was_seen_there() -> None:
    row = identity(SEEN)

    assert row is not None
    assert (row.job_id, row.native_id, row.link_id) == ("j1", "1", None)
    assert Posting.model_validate_json(row.posting) == POSTING


def test_a_merge_is_remembered_until_the_observation_is_a_job_of_its_own() -> None:
    merged = identity(SEEN, link())
    assert merged is not None
    assert (merged.link_id, merged.link_reason) == ("link:k", "content_fingerprint_match")

    split = identity(SEEN, link(), SEEN.model_copy(update={"job_id": "j2"}))
    assert split is not None
    assert (split.job_id, split.link_id) == ("j2", None)


def test_what_was_last_said_there_is_kept_for_a_split() -> None:
    row = identity(SEEN, update("Senior Welder"))

    assert row is not None
    assert Posting.model_validate_json(row.posting).title == "Senior Welder"


@pytest.mark.parametrize("event", [link(), update("x")])
def test_facts_about_an_address_nobody_saw_leave_no_row(event: Event) -> None:
    assert JOB_IDENTITIES.fold(None, recorded(event)) is None


def test_a_job_says_what_its_posting_says_last() -> None:
    row = content(FOUND, update("Senior Welder"))

    assert row is not None
    assert (row.title, row.content_key, row.signature) == ("Senior Welder", "mill|welder", b"sign")
    assert row.place_set() == (Place("Kraków", None, "PL"),)


def test_a_hidden_job_stays_hidden_when_its_posting_changes() -> None:
    hidden = content(FOUND, JobHidden(job_id="j1", reason="no"), update("Senior Welder"))
    assert hidden is not None
    assert hidden.hidden == 1

    back = content(FOUND, JobHidden(job_id="j1", reason="no"), JobUnhidden(job_id="j1"))
    assert back is not None
    assert back.hidden == 0
    assert content(JobHidden(job_id="j1", reason="no")) is None
