"""How materials meet the world: tailor a resume, write a letter, render and read back their PDFs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec
from temporalio import activity

from jobctrl.discovery.state import JOB_CONTENTS
from jobctrl.enrichment.state import JOB_ENRICHMENTS
from jobctrl.errors import InvalidRequest, MaterialRejected, NotFound
from jobctrl.llm.model import Model
from jobctrl.materials.asks import letter_ask, resume_ask
from jobctrl.materials.events import (
    BulletProvenanceRecorded,
    CoverLetterGenerated,
    PdfRendered,
    ResumeApproved,
    ResumeFailed,
)
from jobctrl.materials.files import ArtifactFiles
from jobctrl.materials.grounding import check_resume
from jobctrl.materials.letter import assemble_letter
from jobctrl.materials.model import Letter, Need, Paper, Style
from jobctrl.materials.model import Tier as NeedTier
from jobctrl.materials.pdf import LETTER_SIZES, render_letter, render_resume
from jobctrl.materials.provenance import provenance
from jobctrl.materials.state import Materials, materials_of
from jobctrl.materials.tailor import assemble
from jobctrl.profile.state import CurrentProfile, Profiles
from jobctrl.scoring.model import FitLedger, PostingAnalysis, Scope
from jobctrl.scoring.state import ScoreRow, explored, latest_score
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Owner, Stage, StageState
from jobctrl.store import Store, Transaction, current_execution
from jobctrl.work import Blocking, Pulse


@dataclass(frozen=True)
class TailorInput:
    workspace: str
    job_id: str


@dataclass(frozen=True)
class CoverInput:
    workspace: str
    job_id: str


@dataclass(frozen=True)
class RenderInput:
    workspace: str
    job_id: str


@dataclass(frozen=True)
class StepResult:
    status: str
    """ok, already_done, skipped or not_eligible."""
    generation: int | None = None
    reason: str = ""


@dataclass(frozen=True)
class _Ready:
    """All that the work needs; nothing is read while it runs."""

    job_id: str
    title: str
    employer: str
    posting: str
    needs: tuple[Need, ...]
    score: ScoreRow
    materials: Materials | None
    owner: Owner


@dataclass
class MaterialsActivities:
    """`model` gives the model that proposes, `after` moves the later stages in the transaction that ends one."""

    store: Store
    blocking: Blocking
    profiles: Profiles
    files: ArtifactFiles
    model: Callable[[], Model]
    paper: Callable[[], str]
    threshold: Callable[[], int]
    after: Callable[[Transaction, str], None]

    @activity.defn
    async def tailor_job(self, job: TailorInput) -> StepResult:
        """A tailored resume for the current score and profile; a retry finds the first one."""
        return await self.blocking(lambda pulse: self._tailor(job.job_id, pulse))

    @activity.defn
    async def cover_letter(self, job: CoverInput) -> StepResult:
        """A letter beside the resume that stands."""
        return await self.blocking(lambda pulse: self._cover(job.job_id, pulse))

    @activity.defn
    async def render_pdf(self, job: RenderInput) -> StepResult:
        """The PDFs that the standing materials lack."""
        return await self.blocking(lambda pulse: self._render(job.job_id))

    def _tailor(self, job_id: str, pulse: Pulse) -> StepResult:
        profile = self.profiles.required()
        ready = self._load(job_id, Stage.TAILOR, profile, pulse.attempt)
        if isinstance(ready, StepResult):
            return ready
        now = self.store.clock()
        model = self.model()
        answer = model.ask(
            resume_ask(profile.profile.resume, ready.needs, job_id=job_id, posting=ready.posting, now=now)
        )
        resume = assemble(profile.profile, ready.needs, answer.value, now=now)
        if findings := check_resume(resume, profile.profile):
            self._reject(ready, [finding.code for finding in findings])
            raise MaterialRejected(
                f"The resume states what the profile does not: {', '.join(sorted({f.code for f in findings}))}."
            )
        pdf = render_resume(resume, profile.profile, style=self._style())
        digest = self.files.keep(pdf.content)
        with self.store.writer() as tx:
            machine = StageMachine(tx, job_id, Stage.TAILOR)
            machine.check_owner(ready.owner)
            generation = (ready.materials.generation if ready.materials else 0) + 1
            content = tx.put(msgspec.json.encode(resume), "application/json")
            lines = tx.put(msgspec.json.encode(provenance(resume)), "application/json")
            artifact = f"resume:{job_id}:{generation}"
            tx.append(
                f"job/{job_id}",
                ResumeApproved(
                    job_id=job_id,
                    artifact_id=artifact,
                    generation=generation,
                    content_ref=content,
                    score_version=ready.score.version,
                    profile_version=profile.version,
                    bullet_count=len(resume.lines),
                    must_have_coverage=resume.coverage.must_have_coverage,
                    provider=answer.provider,
                    model=answer.model,
                ),
                BulletProvenanceRecorded(
                    job_id=job_id,
                    artifact_id=artifact,
                    generation=generation,
                    bullet_count=len(resume.lines),
                    provenance_ref=lines,
                ),
                PdfRendered(
                    job_id=job_id,
                    artifact_type="resume_pdf",
                    artifact_id=f"resume-pdf:{job_id}:{generation}",
                    generation=generation,
                    content_ref=digest,
                    pages=pdf.pages,
                    bytes=len(pdf.content),
                ),
            )
            machine.complete()
            self.after(tx, job_id)
        return StepResult("ok", generation)

    def _cover(self, job_id: str, pulse: Pulse) -> StepResult:
        profile = self.profiles.required()
        ready = self._load(job_id, Stage.COVER, profile, pulse.attempt)
        if isinstance(ready, StepResult):
            return ready
        assert ready.materials is not None
        model = self.model()
        answer = model.ask(letter_ask(profile.profile.resume, ready.needs, job_id=job_id, posting=ready.posting))
        letter = assemble_letter(
            profile.profile,
            ready.needs,
            answer.value,
            title=ready.title,
            company=ready.employer,
            now=self.store.clock(),
        )
        with self.store.writer() as tx:
            machine = StageMachine(tx, job_id, Stage.COVER)
            machine.check_owner(ready.owner)
            generation = ready.materials.generation
            standing = materials_of(tx.connection, job_id)
            if standing is None or standing.generation != generation:
                raise InvalidRequest("The resume was replaced while its letter was written.")
            tx.append(
                f"job/{job_id}",
                CoverLetterGenerated(
                    job_id=job_id,
                    artifact_id=f"letter:{job_id}:{generation}",
                    generation=generation,
                    content_ref=tx.put(msgspec.json.encode(letter), "application/json"),
                    word_count=len(letter.text.split()),
                    provider=answer.provider,
                    model=answer.model,
                ),
            )
            machine.complete()
            self.after(tx, job_id)
        return StepResult("ok", generation)

    def _render(self, job_id: str) -> StepResult:
        with self.store.reader() as connection:
            standing = materials_of(connection, job_id)
        if standing is None or standing.letter_ref is None:
            return StepResult("not_eligible", reason="no_letter")
        if standing.lifecycle == "complete":
            return StepResult("already_done", standing.generation)
        profile = self.profiles.required().profile
        letter = msgspec.json.decode(self.store.content(standing.letter_ref), type=Letter)
        style = self._style()
        pdf = render_letter(letter, profile, style=Style(paper=style.paper, sizes=LETTER_SIZES, max_pages=1))
        digest = self.files.keep(pdf.content)
        with self.store.writer() as tx:
            tx.append(
                f"job/{job_id}",
                PdfRendered(
                    job_id=job_id,
                    artifact_type="cover_letter_pdf",
                    artifact_id=f"letter-pdf:{job_id}:{standing.generation}",
                    generation=standing.generation,
                    content_ref=digest,
                    pages=pdf.pages,
                    bytes=len(pdf.content),
                ),
                key=f"letter-pdf:{job_id}:{standing.generation}",
            )
        return StepResult("ok", standing.generation)

    def _load(self, job_id: str, stage: Stage, profile: CurrentProfile, attempt: int) -> _Ready | StepResult:
        execution = current_execution()
        if execution is None:
            raise InvalidRequest("Materials are prepared inside a workflow run only.")
        with self.store.writer() as tx:
            content = JOB_CONTENTS.get(tx.connection, job_id)
            enriched = JOB_ENRICHMENTS.get(tx.connection, job_id)
            score = latest_score(tx.connection, job_id)
            standing = materials_of(tx.connection, job_id)
            machine = StageMachine(tx, job_id, stage)
            state = StageState(machine.row.state)
            if content is None:
                raise NotFound(f"There is no job {job_id}.")
            if state is StageState.SUCCEEDED:
                return StepResult("already_done", standing.generation if standing else None)
            if state in (StageState.BLOCKED, StageState.SKIPPED, StageState.CANCELED, StageState.EXHAUSTED):
                return StepResult("skipped", reason=machine.row.error_code or state.value)
            if score is None or score.eligibility == "blocked":
                return StepResult("not_eligible", reason="score")
            if score.fit_score < self.threshold() and not explored(tx.connection, score):
                return StepResult("not_eligible", reason="score")
            if enriched is None or enriched.description_hash is None:
                return StepResult("not_eligible", reason="no_text")
            if stage is Stage.COVER and standing is None:
                return StepResult("not_eligible", reason="no_resume")
            machine.start(owner_attempt=attempt, baseline=_baseline(stage, standing))
            return _Ready(
                job_id,
                content.title,
                content.employer or "",
                tx.content(enriched.description_hash).decode("utf-8", "replace"),
                needs_of(tx, score),
                score,
                standing,
                Owner(execution.workflow_id, execution.run_id, attempt),
            )

    def _reject(self, ready: _Ready, codes: list[str]) -> None:
        with self.store.writer() as tx:
            row = StageMachine(tx, ready.job_id, Stage.TAILOR).row
            tx.append(
                f"job/{ready.job_id}",
                ResumeFailed(job_id=ready.job_id, validation_errors=codes, attempt_number=row.attempt_count),
                key=f"rejected:{ready.job_id}:{ready.owner.run_id}:{ready.owner.attempt}",
            )

    def _style(self) -> Style:
        return Style(paper=Paper.LETTER if self.paper() == "letter" else Paper.A4)


def _baseline(stage: Stage, standing: Materials | None) -> str | None:
    if standing is None:
        return None
    return str(standing.generation) if stage is Stage.TAILOR else standing.letter_ref


def needs_of(tx: Transaction, score: ScoreRow) -> tuple[Need, ...]:
    """What the posting asks for and a resume can answer, with the evidence the score found."""
    analysis = msgspec.json.decode(tx.content(score.analysis_ref), type=PostingAnalysis)
    stored = msgspec.json.decode(tx.content(score.ledger_ref))
    ledger = msgspec.convert(stored["ledger"], FitLedger)
    evidence = {item.requirement_id: item.evidence_ids for item in ledger.items}
    keywords: dict[str, list[str]] = {}
    for keyword in analysis.keywords:
        if keyword.requirement_id is not None:
            keywords.setdefault(keyword.requirement_id, []).append(keyword.keyword)
    return tuple(
        Need(
            requirement_id=each.id,
            text=each.text,
            tier=NeedTier(each.tier.value),
            weight=each.weight,
            keywords=tuple(keywords.get(each.id, ())),
            evidence_ids=evidence.get(each.id, ()),
        )
        for each in analysis.requirements
        if each.coverage_scope is Scope.RESUME
    )
