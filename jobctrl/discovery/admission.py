"""Every row a source returned ends as admitted, merged, filtered or rejected, once, with a reason."""

from __future__ import annotations

import base64
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Protocol

import msgspec
import numpy as np

from jobctrl.discovery.events import (
    CanonicalJobIdentityResolved,
    DuplicateJobLinked,
    DuplicateJobLinkRejected,
    JobDiscovered,
    JobSourceObserved,
    JobUpdated,
    Posting,
    StatedPlace,
    StatedSalary,
)
from jobctrl.discovery.intake import read_one
from jobctrl.discovery.model import (
    NamedListing,
    Outcome,
    ReadListing,
    Receipt,
    RowProblem,
    SearchPolicy,
    Source,
)
from jobctrl.discovery.rules import refusal, refusal_by_name
from jobctrl.discovery.state import JOB_CONTENTS, JOB_IDENTITIES, Identity, JobContent
from jobctrl.errors import NotFound
from jobctrl.ids import ContentHash, JobId, job_id_for
from jobctrl.postings.model import PayState, PostingFacts
from jobctrl.postings.similarity import Content, Sameness, verdict
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.store import Execution, Store, Transaction, statements

SQL = statements("jobctrl.discovery", "admission.sql")
NO_NEWS = frozenset(("facts_hash", "updated"))
"""Fields of a posting that may change without the posting saying anything else."""
LIKELY = 0.70
"""Estimated Jaccard from which the texts themselves are compared; the estimate of 128 hashes is off by 0.04 or so."""


@dataclass(frozen=True)
class Batch:
    """Rows of one source in one execution."""

    source: Source
    execution: Execution
    listings: Sequence[NamedListing] = ()
    problems: Sequence[RowProblem] = ()


def run_key(execution: Execution, source_id: str) -> str:
    """The id of one source's reading in one execution."""
    return f"{execution.workflow_id}/{execution.run_id}/{source_id}"


class Observed(Protocol):
    """Told, in the transaction of the receipts, which jobs a source showed in an execution."""

    def __call__(self, tx: Transaction, execution: Execution, job_ids: Sequence[str], source_id: str) -> None: ...


def _nobody(tx: Transaction, execution: Execution, job_ids: Sequence[str], source_id: str) -> None:
    """Rows that are admitted outside of a Discover execution concern no membership."""


class Admission:
    """Decides under the writer's lock, so that two sources showing the same posting at once still make one job."""

    def __init__(self, store: Store, observed: Observed = _nobody) -> None:
        self._store = store
        self._observed = observed

    def admit(self, batch: Batch, policy: SearchPolicy, today: date) -> list[Receipt]:
        """The receipts of this call. A row that has one from an earlier attempt of this execution is passed over."""
        scope = {
            "workflow_id": batch.execution.workflow_id,
            "run_id": batch.execution.run_id,
            "source_id": batch.source.id,
        }
        reading = _Reading(batch.source, self._store.clock())
        with self._store.reader() as connection:
            worth_reading = [named for named in batch.listings if _may_say_news(connection, named, batch, policy)]
        # Reading is most of the work, and needs no lock.
        reading.all(worth_reading)
        receipts: list[Receipt] = []
        titles: dict[str, str] = {}
        with self._store.writer() as tx:
            done = {row[0] for row in tx.connection.execute(SQL["known_receipts"], scope)}
            reading.look_up_contents(tx)
            for problem in batch.problems:
                item = f"row:{problem.index}"
                if item not in done:
                    receipts.append(Receipt(batch.source.id, item, Outcome.REJECTED, problem.reason))
            for named in batch.listings:
                if named.item_key not in done:
                    titles[named.item_key] = named.listing.title
                    receipts.append(self._place(tx, batch, named, reading, policy, today))
            tx.connection.executemany(
                SQL["add_receipt"],
                [
                    {
                        **scope,
                        "item_key": receipt.item_key,
                        "outcome": receipt.outcome.value,
                        "reason": receipt.reason,
                        "job_id": receipt.job_id,
                        "title": titles.get(receipt.item_key),
                        "at": tx.moment,
                    }
                    for receipt in receipts
                ],
            )
            tx.connection.executemany(SQL["remember_reading"], reading.remembered())
            shown = [receipt.job_id for receipt in receipts if receipt.job_id is not None]
            self._observed(tx, batch.execution, shown, batch.source.id)
        return receipts

    def _place(
        self, tx: Transaction, batch: Batch, named: NamedListing, reading: _Reading, policy: SearchPolicy, today: date
    ) -> Receipt:
        source, listing = batch.source, named.listing
        known = tx.row(JOB_IDENTITIES, named.identity_key)
        if known is not None:
            if _speaks_for_itself(known, source) and not named.is_repeat and named.item_key in reading:
                read = reading.of(named)
                self._seen_again(tx, batch, read, known)
                reading.now_held(read)
            return Receipt(source.id, named.item_key, Outcome.MERGED, "seen_before", JobId(known.job_id))
        if refused := refusal_by_name(listing.title, listing.company, policy):
            return Receipt(source.id, named.item_key, Outcome.FILTERED, refused[0])
        read = reading.of(named)
        if refused := refusal(listing.title, listing.company, read.facts, policy, today):
            return Receipt(source.id, named.item_key, Outcome.FILTERED, refused[0])
        posting = posting_of(tx, read)
        if reading.may_be_held(read) and (same := duplicate_of(tx, read)):
            job_id, reason, confidence = same
            _observe(tx, batch, read, posting, job_id, first_finder=False)
            tx.append(
                f"job/{job_id}",
                DuplicateJobLinked(
                    duplicate_link_id=f"link:{read.identity_key}",
                    surviving_job_id=job_id,
                    superseded_job_or_observation_id=f"observation:{read.identity_key}",
                    source_id=source.id,
                    reason=reason,
                    confidence=confidence,
                ),
                key=f"linked:{read.identity_key}",
            )
            return Receipt(source.id, read.item_key, Outcome.MERGED, reason, JobId(job_id))
        job_id = job_id_for(read.identity_key)
        _discover(tx, batch, read, posting, job_id)
        reading.now_held(read)
        return Receipt(source.id, read.item_key, Outcome.ADMITTED, "new", job_id)

    def _seen_again(self, tx: Transaction, batch: Batch, read: ReadListing, known: Identity) -> None:
        posting, before = posting_of(tx, read), Posting.model_validate_json(known.posting)
        changed = [name for name in Posting.model_fields if getattr(before, name) != getattr(posting, name)]
        if not set(changed) - NO_NEWS:
            return
        tx.append(
            f"job/{known.job_id}",
            JobUpdated(
                job_id=known.job_id,
                source_id=batch.source.id,
                identity_key=read.identity_key,
                changed_fields=changed,
                posting=posting,
            ),
            key=f"updated:{read.identity_key}:{batch.execution.run_id}",
        )

    def split(self, link_id: str, reason: str) -> JobId:
        """Undo a merge: the observation becomes a job of its own. Returns its id; a second call returns the same."""
        with self._store.writer() as tx:
            row = tx.connection.execute(SQL["link"], {"link_id": link_id}).fetchone()
            if row is None:
                split_before = _split_id(link_id.removeprefix("link:"))
                if JOB_CONTENTS.get(tx.connection, split_before) is not None:
                    return split_before
                raise NotFound(
                    f"There is no merge {link_id} to undo.", hint="`jobctrl show JOB` lists the merges of a job."
                )
            identity_key, job_id, source_id, native_id, url, stored = row
            posting = Posting.model_validate_json(stored)
            new_id = _split_id(identity_key)
            tx.append(
                f"job/{job_id}",
                DuplicateJobLinkRejected(
                    duplicate_link_id=link_id,
                    job_id=job_id,
                    candidate_posting_url=url,
                    new_job_id=new_id,
                    reason=reason,
                ),
                key=f"split:{link_id}",
            )
            _record_job(tx, new_id, source_id, native_id, identity_key, url, "split", posting)
        return new_id

    def counts(self, execution: Execution, source_id: str) -> dict[tuple[str, str], int]:
        """How many rows of the source ended as (outcome, reason) in this execution."""
        scope = {"workflow_id": execution.workflow_id, "run_id": execution.run_id, "source_id": source_id}
        with self._store.reader() as connection:
            return {(o, r): n for o, r, n in connection.execute(SQL["counts"], scope)}


def _split_id(identity_key: str) -> JobId:
    """The job that an observation becomes when its merge is undone."""
    return job_id_for(f"{identity_key}#split")


class _Reading:
    """What the rows of one batch say; each is read once, and only when somebody asks."""

    def __init__(self, source: Source, now: datetime) -> None:
        self._source = source
        self._now = now
        self._read: dict[str, ReadListing] = {}
        self._digests: dict[str, str] = {}
        self._new: set[str | None] = set()

    def __contains__(self, item_key: str) -> bool:
        return item_key in self._read

    def all(self, listings: Iterable[NamedListing]) -> None:
        for named in listings:
            self.of(named)

    def of(self, named: NamedListing) -> ReadListing:
        if named.item_key not in self._read:
            self._read[named.item_key] = read_one(named, self._source, now=self._now)
            self._digests[named.identity_key] = named.digest
        return self._read[named.item_key]

    def look_up_contents(self, tx: Transaction) -> None:
        """Ask at once which employers' titles among those read are in no job yet. Called under the writer's lock."""
        keys = {read.content_key for read in self._read.values()}
        found = tx.connection.execute(SQL["contents_held"], {"content_keys": msgspec.json.encode(list(keys)).decode()})
        self._new = keys - {key for (key,) in found}

    def may_be_held(self, read: ReadListing) -> bool:
        """Whether some job may say the same as *read*."""
        return read.content_key not in self._new

    def now_held(self, read: ReadListing) -> None:
        """A job says this from now on, so the next that is read may say the same."""
        self._new.discard(read.content_key)

    def remembered(self) -> list[dict[str, str]]:
        return [{"identity_key": key, "digest": digest} for key, digest in self._digests.items()]


def _may_say_news(connection: sqlite3.Connection, named: NamedListing, batch: Batch, policy: SearchPolicy) -> bool:
    """Whether a row has to be read: it is new, or its own source shows it changed."""
    known = JOB_IDENTITIES.get(connection, named.identity_key)
    if known is None:
        return refusal_by_name(named.listing.title, named.listing.company, policy) is None
    if not _speaks_for_itself(known, batch.source) or named.is_repeat:
        return False
    before = connection.execute(SQL["read_before"], {"identity_key": named.identity_key}).fetchone()
    return before is None or before[0] != named.digest


def _speaks_for_itself(known: Identity, source: Source) -> bool:
    """Whether the job says what *source* says here: not for a merged observation, nor at another source's address."""
    return known.link_id is None and known.source_id == source.id


def posting_of(tx: Transaction, read: ReadListing) -> Posting:
    """The facts of a listing as events carry them; its text and its spans are kept by hash."""
    listing = read.listing
    return Posting(
        title=listing.title,
        employer=listing.company,
        url=listing.url,
        apply_url=listing.apply_url,
        requisition_id=listing.requisition_id,
        department=listing.department,
        description_hash=tx.put(read.description) if read.description else None,
        description_chars=len(read.description),
        facts_hash=keep_facts(tx, read.facts),
        content_key=read.content_key,
        fingerprint=read.fingerprint,
        signature=base64.b64encode(read.signature).decode() or None,
        **stated(read.facts),
    )


def keep_facts(tx: Transaction, facts: PostingFacts) -> ContentHash:
    """The facts with their spans, kept by hash."""
    return tx.put(msgspec.json.encode(facts), "application/json")


def stated(facts: PostingFacts) -> dict[str, Any]:
    """The fields of `Posting` that come out of *facts*."""
    pay = facts.pay
    salary = StatedSalary(
        state=pay.state.value,
        currency=pay.currency,
        period=pay.period.value if pay.period else None,
        low=pay.low,
        high=pay.high,
        component=pay.component.value,
    )
    return {
        "employment_type": facts.employment_type,
        "places": [StatedPlace(**vars(place)) for place in facts.place.places],
        "mode": facts.place.mode.value,
        "mode_conflict": facts.place.conflict,
        "pay": None if pay.state is PayState.NOT_STATED else salary,
        "published": facts.published.day,
        "updated": facts.updated.day,
        "closes": facts.valid_through.day,
        "language": facts.language.language,
    }


def _discover(tx: Transaction, batch: Batch, read: ReadListing, posting: Posting, job_id: JobId) -> None:
    listing = read.listing
    run = run_key(batch.execution, batch.source.id)
    _record_job(tx, job_id, batch.source.id, listing.native_id, read.identity_key, listing.url, run, posting)
    tx.append(
        f"job/{job_id}",
        CanonicalJobIdentityResolved(
            job_id=job_id,
            canonical_url=read.canonical_url,
            ats_kind=batch.source.kind.value,
            source_native_id=listing.native_id,
            confidence=0.9 if read.canonical_url else 0.6,
        ),
        key=f"identity:{job_id}",
    )


def _record_job(
    tx: Transaction,
    job_id: JobId,
    source_id: str,
    native_id: str,
    identity_key: str,
    url: str,
    run_id: str,
    posting: Posting,
) -> None:
    found = tx.append(
        f"job/{job_id}",
        JobDiscovered(
            job_id=job_id,
            source_id=source_id,
            source_native_id=native_id,
            identity_key=identity_key,
            posting=posting,
        ),
        key=f"discovered:{job_id}",
    )
    if found:
        StageMachine(tx, job_id, Stage.DISCOVER).start()
        StageMachine(tx, job_id, Stage.DISCOVER).complete()
    tx.append(
        f"job/{job_id}",
        JobSourceObserved(
            job_id=job_id,
            source_observation_id=f"observation:{identity_key}",
            source_id=source_id,
            source_native_id=native_id,
            identity_key=identity_key,
            observed_url=url,
            run_id=run_id,
            first_finder=True,
            posting=posting,
        ),
        key=f"observed:{job_id}:{identity_key}",
    )


def _observe(
    tx: Transaction, batch: Batch, read: ReadListing, posting: Posting, job_id: str, *, first_finder: bool
) -> None:
    tx.append(
        f"job/{job_id}",
        JobSourceObserved(
            job_id=job_id,
            source_observation_id=f"observation:{read.identity_key}",
            source_id=batch.source.id,
            source_native_id=read.listing.native_id,
            identity_key=read.identity_key,
            observed_url=read.listing.url,
            run_id=run_key(batch.execution, batch.source.id),
            first_finder=first_finder,
            posting=posting,
        ),
        key=f"observed:{job_id}:{read.identity_key}",
    )


def duplicate_of(tx: Transaction, read: ReadListing) -> tuple[str, str, float] | None:
    """The job that says the same, the reason and the confidence; None when no job surely does."""
    if read.content_key is None:
        return None
    mine, connection = _content_of(read), tx.connection
    if read.fingerprint:
        for (job_id,) in connection.execute(SQL["by_fingerprint"], {"fingerprint": read.fingerprint}):
            if _is_same(tx, mine, JOB_CONTENTS.get(connection, job_id)):
                return job_id, "content_fingerprint_match", 0.95
    for job_id in _likely(connection, read):
        if _is_same(tx, mine, JOB_CONTENTS.get(connection, job_id)):
            return job_id, "content_shingle_match", 0.85
    return None


def _likely(connection: sqlite3.Connection, read: ReadListing) -> Iterable[str]:
    """Jobs of the same employer and title whose signature is near, the nearest first."""
    if not read.signature:
        return []
    rows = [
        (job_id, signature)
        for job_id, signature, _ in connection.execute(SQL["by_content"], {"content_key": read.content_key})
        if len(signature) == len(read.signature)
    ]
    if not rows:
        return []
    table = np.frombuffer(b"".join(signature for _, signature in rows), dtype="<u4").reshape(len(rows), -1)
    likeness = (table == np.frombuffer(read.signature, dtype="<u4")).mean(axis=1)
    nearest = np.argsort(-likeness)[:20]
    return [rows[index][0] for index in nearest if likeness[index] >= LIKELY]


def _is_same(tx: Transaction, mine: Content, other: JobContent | None) -> bool:
    if other is None or other.description_hash is None:
        return False
    text = tx.content(other.description_hash)
    theirs = Content(
        title=other.title,
        company=other.employer,
        text=text.decode("utf-8", "replace"),
        requisition=other.requisition_id,
        places=other.place_set(),
        language=other.language,
        employment_type=other.employment_type,
        team=other.department,
    )
    return verdict(mine, theirs).sameness is Sameness.SAME


def _content_of(read: ReadListing) -> Content:
    listing, facts = read.listing, read.facts
    return Content(
        title=listing.title,
        company=listing.company,
        text=read.description,
        requisition=listing.requisition_id,
        places=facts.place.places,
        language=facts.language.language,
        employment_type=facts.employment_type,
        team=listing.department,
    )
