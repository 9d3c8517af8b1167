"""What discovery decides on: which job an identity names, and what each job says."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable

from msgspec.structs import replace

from jobctrl.discovery.events import (
    DuplicateJobLinked,
    JobDiscovered,
    JobHidden,
    JobSourceObserved,
    JobUnhidden,
    JobUpdated,
    Posting,
)
from jobctrl.events import Recorded
from jobctrl.postings.model import Place
from jobctrl.store import ReadTable, Row, script


class Identity(Row, frozen=True):
    identity_key: str
    job_id: str
    source_id: str
    native_id: str
    observation_id: str
    observed_url: str
    link_id: str | None
    """The merge that brought this identity to the job; None when the job was found by it."""
    link_reason: str | None
    posting: str
    """What it last said here, as the JSON of `Posting`, so that a merge can be undone."""


def _fold_identity(row: Identity | None, fact: Recorded) -> Identity | None:
    match fact.event:
        case JobSourceObserved() as e:
            return Identity(
                e.identity_key,
                e.job_id,
                e.source_id,
                e.source_native_id,
                e.source_observation_id,
                e.observed_url,
                None,
                None,
                e.posting.model_dump_json(by_alias=True),
            )
        case DuplicateJobLinked() as e if row and row.observation_id == e.superseded_job_or_observation_id:
            return replace(row, link_id=e.duplicate_link_id, link_reason=e.reason)
        case JobUpdated() as e if row:
            return replace(row, posting=e.posting.model_dump_json(by_alias=True))
        case _:
            return row


def _identity_keys(fact: Recorded) -> Iterable[tuple[str]]:
    match fact.event:
        case JobSourceObserved() | JobUpdated() as e:
            return [(e.identity_key,)]
        case DuplicateJobLinked() as e:
            # An observation's id is made of its identity key.
            return [(e.superseded_job_or_observation_id.removeprefix("observation:"),)]
        case _:
            return []


JOB_IDENTITIES = ReadTable(
    name="job_identities",
    version=2,
    sql=script("jobctrl.discovery", "state.sql"),
    row=Identity,
    key=("identity_key",),
    handles=(JobSourceObserved, DuplicateJobLinked, JobUpdated),
    keys=_identity_keys,
    fold=_fold_identity,
)


class JobContent(Row, frozen=True):
    job_id: str
    content_key: str | None
    fingerprint: str | None
    signature: bytes
    title: str
    employer: str | None
    requisition_id: str | None
    language: str | None
    employment_type: str | None
    department: str | None
    places: str
    description_hash: str | None
    hidden: int = 0
    """1 when a person does not want to see the job; nothing is prepared for it."""

    def place_set(self) -> tuple[Place, ...]:
        return tuple(Place(**place) for place in json.loads(self.places))


def _content(job_id: str, posting: Posting) -> JobContent:
    return JobContent(
        job_id,
        posting.content_key,
        posting.fingerprint,
        base64.b64decode(posting.signature or ""),
        posting.title,
        posting.employer,
        posting.requisition_id,
        posting.language,
        posting.employment_type,
        posting.department,
        json.dumps([place.model_dump() for place in posting.places]),
        posting.description_hash,
    )


def _fold_content(row: JobContent | None, fact: Recorded) -> JobContent | None:
    match fact.event:
        case JobDiscovered() | JobUpdated() as e:
            return replace(_content(e.job_id, e.posting), hidden=row.hidden if row else 0)
        case JobHidden() if row:
            return replace(row, hidden=1)
        case JobUnhidden() if row:
            return replace(row, hidden=0)
        case _:
            return row


JOB_CONTENTS = ReadTable(
    name="job_contents",
    version=1,
    sql=script("jobctrl.discovery", "contents.sql"),
    row=JobContent,
    key=("job_id",),
    handles=(JobDiscovered, JobUpdated, JobHidden, JobUnhidden),
    keys=lambda fact: [(fact.event.job_id,)],  # type: ignore[union-attr]
    fold=_fold_content,
)
