"""A job search told fact by fact, through a real workspace file with the real read tables."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from jobctrl.apply.events import ApplicationManuallyMarked
from jobctrl.discovery.events import (
    DiscoveryRunCompleted,
    DiscoveryRunFailed,
    DuplicateJobLinked,
    JobDiscovered,
    JobSourceObserved,
    Posting,
    SourceRegistryEntryCreated,
    StatedPlace,
)
from jobctrl.discovery.registry import SOURCES
from jobctrl.discovery.state import JOB_CONTENTS, JOB_IDENTITIES
from jobctrl.enrichment.events import JobActiveStateChanged, JobEnriched
from jobctrl.enrichment.state import JOB_ENRICHMENTS
from jobctrl.events import Event
from jobctrl.ids import job_id_for
from jobctrl.materials.events import BulletProvenanceRecorded, CoverLetterGenerated, PdfRendered, ResumeApproved
from jobctrl.materials.state import ARTIFACTS, JOB_MATERIALS
from jobctrl.operations.details import JOB_DETAILS
from jobctrl.operations.jobs import JOBS
from jobctrl.outcomes.events import ApplicationOutcomeRecorded
from jobctrl.pipeline.events import (
    ExecutionRef,
    PipelineStepCompleted,
    PipelineStepStarted,
    WorkflowCompleted,
    WorkflowFailed,
    WorkflowStarted,
)
from jobctrl.pipeline.receipts import PREPARATION_OUTCOMES
from jobctrl.pipeline.runs import WORKFLOW_RUNS
from jobctrl.pipeline.steps import PIPELINE_STEPS
from jobctrl.profile.state import PROFILES
from jobctrl.scoring.events import ExplorationChosen, JobScored
from jobctrl.scoring.state import EXPLORATIONS, JOB_SCORES, SCORING_POLICIES
from jobctrl.spend.events import ModelCallHeld, ModelCallReserved, ModelCallSettled
from jobctrl.spend.state import CHARGES
from jobctrl.stages.events import StageCompleted, StageFailed, StageStarted
from jobctrl.stages.state import STAGE_STATES
from jobctrl.store import ReadTable, Store, Transaction, moment

TABLES: tuple[ReadTable[Any], ...] = (
    JOBS,
    JOB_DETAILS,
    JOB_SCORES,
    SCORING_POLICIES,
    EXPLORATIONS,
    CHARGES,
    SOURCES,
    JOB_IDENTITIES,
    JOB_CONTENTS,
    WORKFLOW_RUNS,
    PIPELINE_STEPS,
    PREPARATION_OUTCOMES,
    STAGE_STATES,
    JOB_MATERIALS,
    ARTIFACTS,
    JOB_ENRICHMENTS,
    PROFILES,
)
START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
BANDS = ((9, "excellent"), (7, "strong"), (5, "plausible"), (3, "stretch"), (1, "poor"))


class Search:
    """Facts are gathered and written in one transaction by `tell`; `now` is the moment they are told at."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = START
        folder.mkdir(parents=True, exist_ok=True)
        self.store = Store(folder / "jobctrl.db", TABLES, clock=lambda: self.now)
        self._waiting: list[tuple[str, Event, str | None]] = []
        self._calls = 0

    def later(self, **by: float) -> Search:
        """Tell what waits, then let time pass."""
        self.tell()
        self.now += timedelta(**by)
        return self

    def tell(self) -> None:
        if not self._waiting:
            return
        with self.store.writer() as tx:
            self._write(tx, self._waiting)
        self._waiting = []

    def _write(self, tx: Transaction, facts: Iterable[tuple[str, Event, str | None]]) -> None:
        for stream, event, job_id in facts:
            tx.append(stream, event, job_id=job_id)

    def _job(self, job_id: str, *events: Event) -> None:
        self._waiting += [(f"job/{job_id}", event, None) for event in events]

    def source(self, source_id: str, name: str = "") -> None:
        kind, token = source_id.split(":")
        event = SourceRegistryEntryCreated(
            source_id=source_id, kind=kind, token=token, display_name=name or token.title(), policy_id="ats_api"
        )
        self._waiting.append((f"source/{source_id}", event, None))

    def reading(self, source_id: str, **counts: Any) -> None:
        """A source was read; the outcomes default to all rows being new."""
        returned = counts.pop("returned", 0)
        told = {"admitted": returned, "merged": 0, "filtered": 0, "rejected": 0, "seen_before": 0, **counts}
        event = DiscoveryRunCompleted(
            run_id=f"discover/{self.now.isoformat()}/{source_id}", source_id=source_id, returned=returned, **told
        )
        self._waiting.append((f"source/{source_id}", event, None))

    def reading_failed(self, source_id: str, error: str = "source_unavailable") -> None:
        event = DiscoveryRunFailed(
            run_id=f"discover/{self.now.isoformat()}/{source_id}",
            source_id=source_id,
            error_class=error,
            error_message="The board answered 503.",
            retryable=True,
        )
        self._waiting.append((f"source/{source_id}", event, None))

    def find(self, name: str, source_id: str = "greenhouse:acme", **says: Any) -> str:
        """A posting nobody had seen; returns the job's id."""
        key = f"{source_id}:{name}"
        job_id = job_id_for(key)
        posting = self._posting(name, says)
        self._job(
            job_id,
            JobDiscovered(job_id=job_id, source_id=source_id, source_native_id=name, identity_key=key, posting=posting),
            self._observation(job_id, key, source_id, name, posting, first=True),
        )
        return job_id

    def also_shown(self, job_id: str, name: str, source_id: str) -> None:
        """Another source shows the same posting, and it is merged."""
        key = f"{source_id}:{name}"
        self._job(
            job_id,
            self._observation(job_id, key, source_id, name, self._posting(name, {}), first=False),
            DuplicateJobLinked(
                duplicate_link_id=f"link:{key}",
                surviving_job_id=job_id,
                superseded_job_or_observation_id=f"observation:{key}",
                source_id=source_id,
                reason="content_shingle_match",
                confidence=0.85,
            ),
        )

    def _posting(self, name: str, says: dict[str, Any]) -> Posting:
        said = {
            "title": f"Engineer {name}",
            "employer": "Acme",
            "url": f"https://jobs.example.org/{name}",
            "places": [StatedPlace(city="Kraków", country="PL")],
            "facts_hash": "0" * 64,
            "language": "en",
            **says,
        }
        return Posting(**said)

    def _observation(
        self, job_id: str, key: str, source_id: str, name: str, posting: Posting, *, first: bool
    ) -> JobSourceObserved:
        return JobSourceObserved(
            job_id=job_id,
            source_observation_id=f"observation:{key}",
            source_id=source_id,
            source_native_id=name,
            identity_key=key,
            observed_url=posting.url,
            run_id="discover",
            first_finder=first,
            posting=posting,
        )

    def enrich(self, job_id: str, source_id: str = "greenhouse:acme") -> None:
        self._job(
            job_id,
            JobEnriched(
                job_id=job_id,
                source_id=source_id,
                description_hash="1" * 64,
                application_url=None,
                extraction_tier="ats_api",
            ),
        )

    def active(self, job_id: str, state: str, source_id: str = "greenhouse:acme") -> None:
        self._job(
            job_id,
            JobActiveStateChanged(
                job_id=job_id,
                source_id=source_id,
                active_state=state,
                previous_state="unknown",
                verification_method="board_listing",
            ),
        )

    def stage(self, job_id: str, stage: Any, *, fails: str | None = None, takes: float = 0) -> None:
        """A stage begins and ends, *takes* seconds later."""
        self._job(job_id, StageStarted(job_id=job_id, stage=stage, attempt_number=1))
        if takes:
            self.later(seconds=takes)
        if fails:
            ended: Event = StageFailed(
                job_id=job_id,
                stage=stage,
                error_code=fails,
                error_message="The page did not load.",
                retryable=True,
                attempt_number=1,
            )
        else:
            ended = StageCompleted(job_id=job_id, stage=stage, duration_ms=int(takes * 1000))
        self._job(job_id, ended)

    def score(self, job_id: str, score: int, *, version: int = 1, **says: Any) -> None:
        said = {
            "fit_band": next(band for floor, band in BANDS if score >= floor),
            "confidence": "medium",
            "weighted_fit": score / 10,
            "must_have_coverage": score / 10,
            "eligibility": "eligible",
            "profile_version": 1,
            "policy_version": 1,
            "formula_version": "requirement-fit-v1",
            "provider": "local",
            "model": "local",
            "analysis_ref": "2" * 64,
            "ledger_ref": "3" * 64,
            **says,
        }
        self._job(job_id, JobScored(job_id=job_id, version=version, fit_score=score, **said))

    def explore(self, job_id: str, score: int, propensity: float, *, threshold: int = 7) -> None:
        """Chance lets a job below the threshold through."""
        chosen = ExplorationChosen(
            job_id=job_id, score=score, score_version=1, threshold=threshold, propensity=propensity, policy_version=1
        )
        self._job(job_id, chosen)

    def prepare(self, job_id: str, *, resume: str = "4" * 64, letter: str = "4" * 64, pdf: str = "5" * 64) -> None:
        """A resume, a letter and a PDF; their contents are named by hash."""
        common = {"job_id": job_id, "generation": 1}
        self._job(
            job_id,
            ResumeApproved(
                **common,
                artifact_id=f"resume:{job_id}",
                content_ref=resume,
                score_version=1,
                profile_version=1,
                bullet_count=6,
                must_have_coverage=0.8,
                provider="local",
                model="local",
            ),
            BulletProvenanceRecorded(**common, artifact_id=f"resume:{job_id}", bullet_count=6, provenance_ref=resume),
            CoverLetterGenerated(
                **common,
                artifact_id=f"letter:{job_id}",
                content_ref=letter,
                word_count=180,
                provider="local",
                model="local",
            ),
            PdfRendered(
                **common,
                artifact_type="resume_pdf",
                artifact_id=f"pdf:{job_id}",
                content_ref=pdf,
                pages=1,
                bytes=40_000,
            ),
        )

    def apply(self, job_id: str, score: int | None, *, days_ago: float = 0, simulated: bool = False) -> None:
        self._job(
            job_id,
            ApplicationManuallyMarked(
                job_id=job_id,
                applied_at=moment(self.now - timedelta(days=days_ago)),
                fit_score=score,
                score_version=1,
                simulated=simulated,
            ),
        )

    def answer(self, job_id: str, kind: Any, *, simulated: bool = False) -> None:
        self._job(
            job_id,
            ApplicationOutcomeRecorded(
                job_id=job_id,
                outcome_id=f"{kind}:{job_id}",
                kind=kind,
                happened_at=moment(self.now),
                simulated=simulated,
            ),
        )

    def call(
        self,
        lane: str,
        usd_micros: int,
        *,
        job_id: str | None = None,
        ends: str = "settled",
        provider: str = "anthropic",
        model: str = "claude-small",
        day: str | None = None,
    ) -> None:
        """A paid call that ends as settled, held or reserved."""
        self._calls += 1
        call_id = f"call-{self._calls:05d}"
        stream = f"spend/{call_id}"
        reserved = ModelCallReserved(
            call_id=call_id,
            day=day or self.now.date().isoformat(),
            lane=lane,
            provider=provider,
            model=model,
            job_id=job_id,
            reserved_usd_micros=usd_micros,
            reserved_tokens=1000,
        )
        self._waiting.append((stream, reserved, job_id))
        if ends == "settled":
            settled = ModelCallSettled(call_id=call_id, input_tokens=700, output_tokens=200, usd_micros=usd_micros)
            self._waiting.append((stream, settled, None))
        if ends == "held":
            self._waiting.append((stream, ModelCallHeld(call_id=call_id, reason="timeout"), None))

    def run(self, workflow_id: str, *, run_id: str = "run-1", ends: str | None = "succeeded") -> None:
        """A Discover execution with one step."""
        stream = f"run/{workflow_id}/{run_id}"
        names = {"workflow_id": workflow_id, "workflow_type": "DiscoverWorkflow", "temporal_run_id": run_id}
        step = {
            "execution": ExecutionRef(workflow_id=workflow_id, temporal_run_id=run_id),
            "step_kind": "source_family",
            "item_key": "ats_api",
            "attempt": 1,
        }
        self._waiting.append((stream, WorkflowStarted(**names), None))
        self._waiting.append((stream, PipelineStepStarted(**step), None))
        if ends == "succeeded":
            self._waiting.append((stream, PipelineStepCompleted(**step, duration_ms=900, item_count=12), None))
            self._waiting.append((stream, WorkflowCompleted(**names, duration_ms=1200), None))
        if ends == "failed":
            failed = WorkflowFailed(
                **names,
                error_code="source_unavailable",
                error_message="No board answered.",
                retryable=True,
                duration_ms=800,
            )
            self._waiting.append((stream, failed, None))

    def close(self) -> None:
        self.tell()
        self.store.close()
