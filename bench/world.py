"""Workspaces of any size: the life of one real job, recorded once through the store, copied as many times as asked."""

from __future__ import annotations

import base64
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from jobctrl.discovery.admission import Admission, Batch
from jobctrl.discovery.intake import name_all
from jobctrl.discovery.model import BoardKind, Listing, LocationText, SearchPolicy, Source
from jobctrl.enrichment.events import JobActiveStateChanged, JobEnriched
from jobctrl.events import Event
from jobctrl.ids import job_id_for, new_event_id
from jobctrl.materials.events import CoverLetterGenerated, PdfRendered, ResumeApproved
from jobctrl.runtime.made_up import MadeUp, made_up_search
from jobctrl.runtime.tables import open_store
from jobctrl.runtime.workspace import workspace_at
from jobctrl.scoring.events import JobScored
from jobctrl.stages.events import StageCompleted, StageStarted
from jobctrl.store import Execution, Store, acting_for

SOURCE = Source(BoardKind.GREENHOUSE, "acme", display_name="Acme")
OTHER = Source(BoardKind.LEVER, "acme", display_name="Acme")
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
MARK = "zq00000000"
"""Stands in every place where the copies differ."""
_COLUMNS = (
    "event_id, stream, stream_version, event_type, schema_version, job_id, stage, level, workflow_id, run_id, "
    "occurred_at, payload, idempotency_key"
)


@cache
def _vocabulary() -> tuple[str, ...]:
    syllables = ("ba", "den", "fo", "gri", "lum", "mer", "nos", "pal", "qui", "ros", "sta", "tev", "vin", "wol", "zan")
    return tuple(a + b + c for a in syllables for b in syllables for c in syllables)


def words(seed: int, count: int = 450) -> str:
    """A text of its own for every seed, in lines, that reads like a posting to every rule that looks at it."""
    chosen = random.Random(seed).choices(_vocabulary(), k=count)
    return "\n".join(
        f"You will {' '.join(chosen[at : at + 12])} with the team and for our customers." for at in range(0, count, 12)
    )


def listing(name: str, *, title: str = "", text: str = "", company: str = "Acme") -> Listing:
    """A posting as a board would list it."""
    return Listing(
        native_id=name,
        title=title or f"Engineer {name}",
        url=f"https://boards.greenhouse.io/acme/jobs/{name}",
        company=company,
        locations=(LocationText("Kraków, Poland", "location.name"),),
        description_text=text or words(len(name)),
        published="2026-02-20T10:00:00Z",
    )


def admit(store: Store, listings: list[Listing], *, source: Source = SOURCE, run: str = "1") -> None:
    """Take the listings in, as a run of Discover would."""
    execution = Execution("discover", run)
    named = list(name_all(listings, source))
    with acting_for(execution):
        for start in range(0, len(named), 200):
            Admission(store).admit(Batch(source, execution, named[start : start + 200]), SearchPolicy(), NOW.date())


@dataclass(frozen=True)
class World:
    folder: Path
    jobs: tuple[str, ...]
    facts: int

    def open(self) -> Store:
        return open_store(workspace_at(self.folder))


@cache
def world(folder: Path, jobs: int, *, prepared: bool = False) -> World:
    """A workspace with so many jobs: found only (5 facts each), or prepared to the end (20 facts each)."""
    place = folder / f"world-{jobs}{'-prepared' if prepared else ''}"
    store = open_store(workspace_at(place), create=True)
    admit(store, [listing(MARK)])
    with store.reader() as connection:
        found = str(connection.execute("SELECT job_id FROM job_identities").fetchone()[0])
        kept = connection.execute("SELECT fingerprint, signature FROM job_contents").fetchone()
    if prepared:
        with store.writer() as tx:
            for event in _preparation(found):
                tx.append(f"job/{found}", event)
    with store.reader() as connection:
        life = connection.execute(f"SELECT {_COLUMNS} FROM job_events WHERE job_id = ?", (found,)).fetchall()
    store.close()
    names = [f"zq{number:08d}" for number in range(1, jobs + 1)]
    ids = tuple(str(job_id_for(name)) for name in names)
    with closing(sqlite3.connect(place / "jobctrl.db")) as connection:
        marks = ", ".join("?" * len(life[0]))
        connection.executemany(
            f"INSERT INTO job_events ({_COLUMNS}) VALUES ({marks})", _copies(life, found, names, ids, *kept)
        )
        connection.commit()
    # Opening finds the read tables behind the log, and folds it.
    open_store(workspace_at(place)).close()
    return World(place, ids, len(life) * (jobs + 1))


def _copies(
    life: list[tuple[object, ...]],
    found: str,
    names: list[str],
    ids: tuple[str, ...],
    fingerprint: str,
    signature: bytes,
) -> Iterator[tuple[object, ...]]:
    chance = random.Random(1)
    sign = base64.b64encode(signature).decode()
    for name, job_id in zip(names, ids, strict=True):
        pairs = (
            (MARK, name),
            (found, job_id),
            (fingerprint, f"{chance.getrandbits(256):064x}"),
            (sign, base64.b64encode(chance.randbytes(len(signature))).decode()),
        )
        for row in life:
            copy = [_replaced(value, pairs) for value in row[1:]]
            yield (new_event_id(), *copy)


def _replaced(value: object, pairs: tuple[tuple[str, str], ...]) -> object:
    if isinstance(value, str):
        for old, new in pairs:
            value = value.replace(old, new)
    return value


def _preparation(job_id: str) -> list[Event]:
    facts: list[Event] = [_active(job_id)]
    facts += [StageStarted(job_id=job_id, stage="enrich", attempt_number=1)]
    facts += [
        JobEnriched(
            job_id=job_id,
            source_id=str(SOURCE.id),
            description_hash="1" * 64,
            application_url=None,
            extraction_tier="ats_api",
        ),
        StageCompleted(job_id=job_id, stage="enrich"),
        StageStarted(job_id=job_id, stage="score", attempt_number=1),
        scored(job_id, 1),
        StageCompleted(job_id=job_id, stage="score", duration_ms=20),
        StageStarted(job_id=job_id, stage="tailor", attempt_number=1),
        ResumeApproved(
            job_id=job_id,
            artifact_id=f"resume:{job_id}",
            generation=1,
            content_ref="4" * 64,
            score_version=1,
            profile_version=1,
            bullet_count=6,
            must_have_coverage=0.8,
            provider="local",
            model="local",
        ),
        StageCompleted(job_id=job_id, stage="tailor"),
        StageStarted(job_id=job_id, stage="cover", attempt_number=1),
        CoverLetterGenerated(
            job_id=job_id,
            artifact_id=f"letter:{job_id}",
            generation=1,
            content_ref="5" * 64,
            word_count=180,
            provider="local",
            model="local",
        ),
        StageCompleted(job_id=job_id, stage="cover"),
        PdfRendered(
            job_id=job_id,
            artifact_type="resume_pdf",
            artifact_id=f"pdf:{job_id}",
            generation=1,
            content_ref="6" * 64,
            pages=1,
            bytes=40_000,
        ),
        scored(job_id, 2),
    ]
    return facts


def _active(job_id: str) -> JobActiveStateChanged:
    return JobActiveStateChanged(
        job_id=job_id,
        source_id=str(SOURCE.id),
        active_state="open",
        previous_state="unknown",
        verification_method="board_listing",
    )


def scored(job_id: str, number: int) -> JobScored:
    """A job was scored for the *number*th time."""
    return JobScored(
        job_id=job_id,
        version=number,
        fit_score=number % 11,
        fit_band="good",
        confidence="medium",
        weighted_fit=0.7,
        must_have_coverage=0.7,
        eligibility="eligible",
        profile_version=1,
        policy_version=1,
        formula_version="requirement-fit-v1",
        provider="local",
        model="local",
        analysis_ref="2" * 64,
        ledger_ref="3" * 64,
    )


@cache
def made_up(folder: Path, jobs: int) -> MadeUp:
    """A whole made-up search with so many jobs and about twenty facts for each of them."""
    return made_up_search(folder / f"made-up-{jobs}", jobs=jobs, worked=0.76)
