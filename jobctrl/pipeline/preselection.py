"""The order in which jobs are prepared: what is nearest to the profile first, before anything is paid for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from jobctrl.discovery.state import JOB_CONTENTS
from jobctrl.enrichment.state import enrichment_of
from jobctrl.pipeline.targets import Target
from jobctrl.profile.model import Profile
from jobctrl.scoring.retrieval import Preselectable, preselect
from jobctrl.store import Store

ENOUGH_TEXT = 6_000
"""Characters of a posting that are compared."""


def preselected(store: Store, profile: Profile, found: Sequence[Target], *, limit: int, now: datetime) -> list[Target]:
    """*found* in the order of preparation, at most *limit* (0 keeps all); what has its score goes first."""
    scored = [target for target in found if target.kind != "score_job"]
    unscored = {str(target.job_id): target for target in found if target.kind == "score_job"}
    if limit and len(scored) >= limit:
        return scored[:limit]
    room = limit - len(scored) if limit else 0
    ranked = preselect(profile, _postings(store, list(unscored)), room, now=now)
    return [*scored, *(unscored[each.job_id] for each in ranked)]


def _postings(store: Store, job_ids: Sequence[str]) -> list[Preselectable]:
    postings = []
    with store.reader() as connection:
        for job_id in job_ids:
            content, enriched = JOB_CONTENTS.get(connection, job_id), enrichment_of(connection, job_id)
            if content is None or enriched is None:
                continue
            seen = datetime.fromisoformat(enriched.enriched_at) if enriched.enriched_at else None
            postings.append(
                Preselectable(
                    job_id=job_id,
                    title=content.title,
                    text=enriched.description_hash or "",
                    company=content.employer or "",
                    location=" ".join(filter(None, (place.city for place in content.place_set()))),
                    seen_at=seen.astimezone(UTC) if seen else None,
                    identity_confidence="canonical",
                    has_link=True,
                )
            )
    return [replace(each, text=_text(store, each.text)) for each in postings]


def _text(store: Store, ref: str) -> str:
    return store.content(ref).decode("utf-8", "replace")[:ENOUGH_TEXT] if ref else ""
