"""How scoring meets the world: measure one posting against the profile, once for each text, profile and policy."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import msgspec
from temporalio import activity

from jobctrl.discovery.state import JOB_CONTENTS
from jobctrl.enrichment.state import JOB_ENRICHMENTS
from jobctrl.errors import InvalidRequest, NotFound
from jobctrl.ids import JobId
from jobctrl.llm.model import Model
from jobctrl.postings.model import PostingFacts
from jobctrl.profile.state import CurrentProfile, Profiles
from jobctrl.scoring.events import EmployerAnalyzed, JobScored
from jobctrl.scoring.evidence import ProfileIndex, index_profile
from jobctrl.scoring.model import ScoreCard, ScoringPolicy, Tier
from jobctrl.scoring.score import score_posting
from jobctrl.scoring.state import latest_score
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Owner, Stage, StageState
from jobctrl.store import Store, Transaction, current_execution
from jobctrl.work import Blocking, Pulse


@dataclass(frozen=True)
class ScoreInput:
    workspace: str
    job_id: str
    rescore: bool = False


@dataclass(frozen=True)
class Scored:
    status: str
    """ok, already_done or not_eligible (there is no text to score)."""
    score: int | None = None
    version: int | None = None


@dataclass(frozen=True)
class _Posting:
    """All that the work needs; nothing is read while it runs."""

    job_id: JobId
    title: str
    employer: str | None
    text: str
    text_hash: str
    facts: PostingFacts
    language: str | None
    owner: Owner


@dataclass
class ScoringActivities:
    """`model` gives the model that is asked, `after` moves the later stages in the transaction that stores a score."""

    store: Store
    blocking: Blocking
    profiles: Profiles
    model: Callable[[], Model]
    policy: Callable[[], ScoringPolicy]
    after: Callable[[Transaction, str], None]
    _index: tuple[str, ProfileIndex] | None = None

    @activity.defn
    async def score_job(self, job: ScoreInput) -> Scored:
        """Score once for each text, profile and policy; a retry finds the first answer."""
        return await self.blocking(lambda pulse: self._score(job, pulse))

    def _score(self, job: ScoreInput, pulse: Pulse) -> Scored:
        profile = self.profiles.required()
        policy = self.policy()
        loaded = self._load(job, profile, policy, pulse.attempt)
        if isinstance(loaded, Scored):
            return loaded
        began = time.monotonic()
        card = score_posting(
            job_id=loaded.job_id,
            title=loaded.title,
            text=loaded.text,
            facts=loaded.facts,
            profile=profile.profile,
            policy=policy,
            model=self.model(),
            now=self.store.clock(),
            company=loaded.employer or "",
            index=self._indexed(profile),
        )
        return self._commit(loaded, card, profile, int((time.monotonic() - began) * 1000))

    def _load(self, job: ScoreInput, profile: CurrentProfile, policy: ScoringPolicy, attempt: int) -> _Posting | Scored:
        execution = current_execution()
        if execution is None:
            raise InvalidRequest("Jobs are scored inside a workflow run only.")
        with self.store.writer() as tx:
            content = JOB_CONTENTS.get(tx.connection, job.job_id)
            enriched = JOB_ENRICHMENTS.get(tx.connection, job.job_id)
            if content is None:
                raise NotFound(f"There is no job {job.job_id}.")
            if enriched is None or enriched.description_hash is None:
                return Scored("not_eligible")
            latest = latest_score(tx.connection, job.job_id)
            machine = StageMachine(tx, job.job_id, Stage.SCORE)
            state = StageState(machine.row.state)
            current = latest is not None and (
                latest.snapshot_hash,
                latest.profile_version,
                latest.policy_version,
            ) == (enriched.description_hash, profile.version, policy.version)
            if latest is not None and current and state is StageState.SUCCEEDED and not job.rescore:
                return Scored("already_done", latest.fit_score, latest.version)
            if state is StageState.SUCCEEDED:
                machine.mark_stale("rescore_requested")
                machine.reset(reason="rescore_requested", attempts=True)
            machine.start(owner_attempt=attempt, baseline=str(latest.version) if latest else None)
            text = tx.content(enriched.description_hash).decode("utf-8", "replace")
            facts = _facts(tx, enriched.facts_hash)
        return _Posting(
            JobId(job.job_id),
            content.title,
            content.employer,
            text,
            enriched.description_hash,
            facts,
            enriched.language or content.language,
            Owner(execution.workflow_id, execution.run_id, attempt),
        )

    def _commit(self, posting: _Posting, card: ScoreCard, profile: CurrentProfile, duration_ms: int) -> Scored:
        with self.store.writer() as tx:
            machine = StageMachine(tx, posting.job_id, Stage.SCORE)
            machine.check_owner(posting.owner)
            latest = latest_score(tx.connection, posting.job_id)
            version = (latest.version if latest else 0) + 1
            for event in score_events(tx, card, posting.text_hash, version, profile.version, posting.language):
                tx.append(f"job/{posting.job_id}", event)
            machine.complete(duration_ms=duration_ms)
            self.after(tx, posting.job_id)
        return Scored("ok", card.score, version)

    def _indexed(self, profile: CurrentProfile) -> ProfileIndex:
        if self._index is None or self._index[0] != profile.ref:
            self._index = (profile.ref, index_profile(profile.profile, now=self.store.clock()))
        return self._index[1]


def score_events(
    tx: Transaction, card: ScoreCard, text_hash: str, version: int, profile_version: int, language: str | None
) -> tuple[EmployerAnalyzed, JobScored]:
    """The facts of one scoring; the analysis and the ledger are kept by hash."""
    analysis = tx.put(_json(asdict(card.analysis)), "application/json")
    ledger = tx.put(
        _json(
            {
                "ledger": asdict(card.ledger),
                "eligibility": asdict(card.eligibility),
                "dimensions": card.dimensions._asdict(),
                "warnings": card.warnings,
                "modelScore": card.model_score,
            }
        ),
        "application/json",
    )
    analyzed = EmployerAnalyzed(
        job_id=card.job_id,
        generation=card.analysis.generation,
        snapshot_hash=text_hash,
        analysis_ref=analysis,
        requirement_count=len(card.analysis.requirements),
        must_have_count=sum(1 for each in card.analysis.requirements if each.tier is Tier.MUST_HAVE),
        provider=card.provider,
        model=card.model,
        prompt_version=",".join(card.prompt_versions),
    )
    scored = JobScored(
        job_id=card.job_id,
        version=version,
        fit_score=card.score,
        fit_band=card.band.value,
        confidence=card.confidence.value,
        weighted_fit=card.ledger.weighted_fit,
        must_have_coverage=card.ledger.must_have_coverage,
        eligibility=card.eligibility.status.value,
        blockers=[finding.code for finding in card.eligibility.blockers],
        warnings=[finding.code for finding in card.eligibility.warnings],
        profile_version=profile_version,
        policy_version=card.policy_version,
        formula_version=card.formula_version,
        analysis_ref=analysis,
        ledger_ref=ledger,
        snapshot_hash=text_hash,
        language=language,
        provider=card.provider,
        model=card.model,
    )
    return analyzed, scored


def _facts(tx: Transaction, facts_hash: str | None) -> PostingFacts:
    if facts_hash is None:
        return PostingFacts()
    return msgspec.json.decode(tx.content(facts_hash), type=PostingFacts)


def _json(value: Any) -> bytes:
    return msgspec.json.encode(value)
