"""What becomes of a made-up job once it was found: read, scored, prepared, applied to, answered, closed."""

from __future__ import annotations

import math
import random
from collections.abc import Generator, Iterator
from datetime import datetime, timedelta

from jobctrl.apply.events import ApplicationManuallyMarked
from jobctrl.discovery.events import DiscoveryFeedbackRecorded, JobHidden
from jobctrl.enrichment.events import JobActiveStateChanged, JobEnriched, PostingContentSnapshotCaptured
from jobctrl.events import Event
from jobctrl.materials.events import BulletProvenanceRecorded, CoverLetterGenerated, PdfRendered, ResumeApproved
from jobctrl.outcomes.events import ApplicationOutcomeRecorded, OutcomeKind
from jobctrl.pipeline.events import WorkflowCompleted, WorkflowStarted
from jobctrl.runtime.made_up.contents import Contents, Ledger
from jobctrl.runtime.made_up.finding import Find
from jobctrl.runtime.made_up.paying import Calls
from jobctrl.runtime.made_up.told import Told
from jobctrl.scoring.events import EmployerAnalyzed, JobScored, ScoreCorrected
from jobctrl.scoring.rules import band
from jobctrl.stages.events import StageCompleted, StageExhausted, StageFailed, StageName, StageSkipped, StageStarted
from jobctrl.store import Execution, moment

THRESHOLD = 7
_FAILS, _COMES_BACK, _RESCORED, _CORRECTED, _APPLIED = 0.07, 0.8, 0.06, 0.02, 0.45


def interview_chance(fit: float) -> float:
    """The truth behind the made-up answers: how likely an interview is for a fit between 0 and 1."""
    return 1 / (1 + math.exp(6.5 - 7 * fit))


class Life:
    """The facts of one job, in order; each moves the job's clock on."""

    def __init__(self, dice: random.Random, find: Find, contents: Contents, calls: Calls) -> None:
        self._dice, self._find, self._contents, self._calls = dice, find, contents, calls
        self._at = find.at
        self._job = find.job_id
        self._run = Execution(f"prep-{find.job_id}", f"run-{find.native_id}")

    def told(self, discover: Execution) -> Iterator[Told]:
        """Everything after the find."""
        yield from self._closing()
        self._pass(minutes=self._dice.uniform(1, 40))
        reads = yield from self._enriched(discover)
        if not reads:
            return
        self._pass(minutes=self._dice.uniform(1, 90))
        run = {"workflow_id": self._run.workflow_id, "workflow_type": "JobPreparationWorkflow"}
        began = self._at
        yield self._of_run(WorkflowStarted(**run, temporal_run_id=self._run.run_id, input_summary={"jobId": self._job}))
        ledger = self._contents.ledger(self._find.suits)
        yield from self._scored(ledger, 1)
        score = ledger.ledger.score
        if score < THRESHOLD:
            for stage in ("tailor", "cover"):
                yield self._fact(StageSkipped(job_id=self._job, stage=stage, reason="MIN_SCORE"), self._run)
        else:
            yield from self._prepared()
        took = int((self._at - began).total_seconds() * 1000)
        yield self._of_run(WorkflowCompleted(**run, temporal_run_id=self._run.run_id, duration_ms=took))
        yield from self._judged(ledger)
        if score >= THRESHOLD and self._dice.random() < _APPLIED:
            yield from self._applied(ledger)

    def _pass(self, **by: float) -> None:
        self._at += timedelta(**by)

    def _fact(self, event: Event, execution: Execution | None = None, at: datetime | None = None) -> Told:
        return Told(at or self._at, f"job/{self._job}", event, execution=execution)

    def _of_run(self, event: Event) -> Told:
        return Told(self._at, f"run/{self._run.workflow_id}/{self._run.run_id}", event, execution=self._run)

    def _closing(self) -> Iterator[Told]:
        """It is open when it is found, and taken down some day."""
        yield self._fact(self._state("active", "unknown"))
        gone = self._at + timedelta(days=self._dice.expovariate(1 / 40))
        closed = self._dice.choices(("closed", "expired", "removed"), (6, 3, 1))[0]
        yield self._fact(self._state(closed, "active"), at=gone)

    def _state(self, state: str, before: str) -> JobActiveStateChanged:
        return JobActiveStateChanged(
            job_id=self._job,
            source_id=self._find.source_id,
            active_state=state,
            previous_state=before,
            verification_method="board_listing",
        )

    def _started(self, stage: StageName, execution: Execution, attempt: int = 1) -> Told:
        return self._fact(StageStarted(job_id=self._job, stage=stage, attempt_number=attempt), execution)

    def _completed(self, stage: StageName, execution: Execution, seconds: float) -> Told:
        self._pass(seconds=seconds)
        return self._fact(StageCompleted(job_id=self._job, stage=stage, duration_ms=int(seconds * 1000)), execution)

    def _enriched(self, discover: Execution) -> Generator[Told, None, bool]:
        """Whether its text came to be known."""
        attempts = 1
        while self._dice.random() < _FAILS:
            yield self._started("enrich", discover, attempts)
            self._pass(seconds=self._dice.uniform(1, 15))
            yield self._fact(
                StageFailed(
                    job_id=self._job,
                    stage="enrich",
                    error_code="source_unavailable",
                    error_message="The page did not load.",
                    retryable=True,
                    attempt_number=attempts,
                ),
                discover,
            )
            if self._dice.random() > _COMES_BACK:
                exhausted = StageExhausted(job_id=self._job, stage="enrich", attempt_count=attempts, max_attempts=3)
                yield self._fact(exhausted, discover)
                return False
            attempts += 1
            self._pass(hours=self._dice.uniform(1, 20))
        yield self._started("enrich", discover, attempts)
        tier = self._dice.choice(("ats_api", "ats_api", "json_ld", "dom"))
        yield self._fact(
            PostingContentSnapshotCaptured(
                job_id=self._job,
                snapshot_version=1,
                snapshot_ref=self._contents.text,
                source_id=self._find.source_id,
                extraction_tier=tier,
                confidence="high",
                chars=self._contents.chars,
                language="en",
            ),
            discover,
        )
        yield self._fact(
            JobEnriched(
                job_id=self._job,
                source_id=self._find.source_id,
                description_hash=self._contents.text,
                application_url=self._find.posting.apply_url,
                extraction_tier=tier,
                facts_hash=self._contents.facts,
                language="en",
            ),
            discover,
        )
        yield self._completed("enrich", discover, self._dice.lognormvariate(0.5, 0.8))
        return True

    def _scored(self, ledger: Ledger, version: int) -> Iterator[Told]:
        yield self._started("score", self._run)
        yield from self._calls.made(self._dice, "score", self._at, self._job, self._run)
        yield self._fact(
            EmployerAnalyzed(
                job_id=self._job,
                generation=1,
                snapshot_hash=self._contents.text,
                analysis_ref=self._contents.analysis,
                requirement_count=self._contents.requirements,
                must_have_count=self._contents.must_haves,
                provider="anthropic",
                model="made-up",
                prompt_version="1",
                cached=version > 1,
            ),
            self._run,
        )
        yield self._fact(self._score(ledger, version), self._run)
        yield self._completed("score", self._run, self._dice.lognormvariate(1.2, 0.5))

    def _score(self, ledger: Ledger, version: int, *, person: int | None = None) -> JobScored:
        score = ledger.ledger.score if person is None else person
        return JobScored(
            job_id=self._job,
            version=version,
            fit_score=score,
            fit_band=band(score).value,
            confidence="high" if self._dice.random() < 0.7 else "medium",
            weighted_fit=ledger.ledger.weighted_fit,
            must_have_coverage=ledger.ledger.must_have_coverage,
            eligibility="eligible",
            profile_version=1,
            policy_version=1,
            formula_version="requirement-fit-v1" if person is None else "person",
            analysis_ref=self._contents.analysis,
            ledger_ref=ledger.ref,
            snapshot_hash=self._contents.text,
            language="en",
            provider="anthropic" if person is None else "person",
            model="made-up" if person is None else "person",
            corrected_from=None if person is None else ledger.ledger.score,
        )

    def _prepared(self) -> Iterator[Told]:
        made = {"job_id": self._job, "generation": 1}
        paid = {"provider": "anthropic", "model": "made-up"}
        yield self._started("tailor", self._run)
        yield from self._calls.made(self._dice, "tailor", self._at, self._job, self._run)
        resume, lines = f"resume:{self._job}:1", self._contents.lines
        yield self._fact(
            ResumeApproved(
                **made,
                **paid,
                artifact_id=resume,
                content_ref=lines,
                score_version=1,
                profile_version=1,
                bullet_count=6,
                must_have_coverage=0.8,
            ),
            self._run,
        )
        provenance = BulletProvenanceRecorded(**made, artifact_id=resume, bullet_count=6, provenance_ref=lines)
        yield self._fact(provenance, self._run)
        yield self._fact(self._pdf("resume_pdf"), self._run)
        yield self._completed("tailor", self._run, self._dice.lognormvariate(2, 0.5))
        yield self._started("cover", self._run)
        yield from self._calls.made(self._dice, "cover", self._at, self._job, self._run)
        letter = {"artifact_id": f"letter:{self._job}:1", "content_ref": self._contents.letter, "word_count": 180}
        yield self._fact(CoverLetterGenerated(**made, **paid, **letter), self._run)
        yield self._fact(self._pdf("cover_letter_pdf"), self._run)
        yield self._completed("cover", self._run, self._dice.lognormvariate(1.8, 0.5))

    def _pdf(self, kind: str) -> PdfRendered:
        return PdfRendered(
            job_id=self._job,
            artifact_type=kind,
            artifact_id=f"{kind}:{self._job}:1",
            generation=1,
            content_ref=self._contents.text,
            pages=1 + (self._dice.random() < 0.3),
            bytes=self._dice.randint(20_000, 60_000),
        )

    def _judged(self, ledger: Ledger) -> Iterator[Told]:
        """What a person thinks of it, and what a second look of the scorer says."""
        chance = self._dice.random()
        if chance < _CORRECTED:
            self._pass(hours=self._dice.uniform(1, 40))
            ours = ledger.ledger.score
            theirs = min(10, max(1, ours + self._dice.choice((-2, -1, 1))))
            said = {"original_score": ours, "corrected_score": theirs, "reason_ref": self._contents.text}
            yield self._fact(ScoreCorrected(job_id=self._job, version=2, **said))
            yield self._fact(self._score(ledger, 2, person=theirs))
        elif chance < _CORRECTED + _RESCORED:
            self._pass(days=self._dice.uniform(1, 20))
            yield from self._scored(self._contents.ledger(self._find.suits + self._dice.gauss(0, 0.06)), 2)
        elif chance > 0.96:
            self._pass(hours=self._dice.uniform(1, 40))
            kind = "dismissed" if chance > 0.975 else "saved"
            told = {"feedback_id": f"feedback:{self._job}", "source_id": self._find.source_id, "kind": kind}
            yield self._fact(DiscoveryFeedbackRecorded(job_id=self._job, **told))
            if kind == "dismissed":
                yield self._fact(JobHidden(job_id=self._job, reason="dismissed"))

    def _applied(self, ledger: Ledger) -> Iterator[Told]:
        self._pass(days=self._dice.uniform(0.2, 5))
        score = ledger.ledger.score
        yield self._fact(
            ApplicationManuallyMarked(
                job_id=self._job, applied_at=moment(self._at), fit_score=score, score_version=1, simulated=True
            )
        )
        invited = self._dice.random() < interview_chance(ledger.ledger.weighted_fit)
        if invited:
            self._pass(days=self._dice.expovariate(1 / 9))
            yield self._answer("interview")
            self._pass(days=self._dice.uniform(3, 20))
            yield self._answer("offer" if self._dice.random() < 0.2 else "rejection")
        elif self._dice.random() < 0.55:
            self._pass(days=self._dice.expovariate(1 / 12))
            yield self._answer("rejection" if self._dice.random() < 0.8 else "recruiter_reply")

    def _answer(self, kind: OutcomeKind) -> Told:
        return self._fact(
            ApplicationOutcomeRecorded(
                job_id=self._job,
                outcome_id=f"{kind}:{self._job}",
                kind=kind,
                happened_at=moment(self._at),
                simulated=True,
            )
        )
