"""One job in full: where it was seen, the merges that can be undone, and the contents that belong to it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from jobctrl.discovery.events import (
    DuplicateJobLinked,
    DuplicateJobLinkRejected,
    JobDiscovered,
    JobSourceObserved,
    JobUpdated,
)
from jobctrl.enrichment.events import JobEnriched
from jobctrl.events import Recorded
from jobctrl.store import ReadTable, Row, script


class JobDetail(Row, frozen=True):
    job_id: str
    description_hash: str | None
    facts_hash: str
    """The facts with the spans they were read from."""
    observations: str
    """JSON: [{id, sourceId, nativeId, url, at, linkId, reason}]."""
    events: int
    last_event_at: str


def fold(row: JobDetail | None, fact: Recorded) -> JobDetail | None:
    """The detail as it stands after *fact*."""
    at = fact.occurred_at
    match fact.event:
        case JobDiscovered() as e if row is None:
            return JobDetail(e.job_id, e.posting.description_hash, e.posting.facts_hash, "[]", 1, at)
        case _ if row is None:
            return None
        case JobUpdated() as e:
            row = replace(row, description_hash=e.posting.description_hash, facts_hash=e.posting.facts_hash)
        case JobSourceObserved() as e:
            seen = {
                "id": e.source_observation_id,
                "sourceId": e.source_id,
                "nativeId": e.source_native_id,
                "url": e.observed_url,
                "at": at,
            }
            row = replace(row, observations=json.dumps([*json.loads(row.observations), seen]))
        case DuplicateJobLinked() as e:
            row = replace(
                row,
                observations=_changed(
                    row, e.superseded_job_or_observation_id, linkId=e.duplicate_link_id, reason=e.reason
                ),
            )
        case DuplicateJobLinkRejected() as e:
            kept = [seen for seen in json.loads(row.observations) if seen.get("linkId") != e.duplicate_link_id]
            row = replace(row, observations=json.dumps(kept))
        case JobEnriched() as e:
            row = replace(row, description_hash=e.description_hash, facts_hash=e.facts_hash or row.facts_hash)
    return replace(row, events=row.events + 1, last_event_at=at)


def _changed(row: JobDetail, observation: str, **changes: Any) -> str:
    return json.dumps(
        [{**seen, **changes} if seen["id"] == observation else seen for seen in json.loads(row.observations)]
    )


def _keys(fact: Recorded) -> Iterable[tuple[str]]:
    event = fact.event
    return [(event.surviving_job_id if isinstance(event, DuplicateJobLinked) else event.job_id,)]  # type: ignore[union-attr]


JOB_DETAILS = ReadTable(
    name="job_details",
    version=1,
    sql=script("jobctrl.operations", "details.sql"),
    row=JobDetail,
    key=("job_id",),
    handles=(
        JobDiscovered,
        JobUpdated,
        JobSourceObserved,
        DuplicateJobLinked,
        DuplicateJobLinkRejected,
        JobEnriched,
    ),
    keys=_keys,
    fold=fold,
)
