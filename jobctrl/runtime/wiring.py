"""Where concrete things meet: the read tables, the store, the models, the web and the activities of one workspace."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from jobctrl.discovery.activities import DiscoveryActivities
from jobctrl.discovery.model import SearchPolicy
from jobctrl.enrichment.activities import EnrichmentActivities
from jobctrl.llm.local import LocalModel
from jobctrl.llm.metered import MeteredModel
from jobctrl.llm.model import Ask, Model, Usage
from jobctrl.materials.activities import MaterialsActivities
from jobctrl.materials.local import ANSWERS
from jobctrl.network.model import Web, WebSettings
from jobctrl.network.open import open_web
from jobctrl.operator import Operator
from jobctrl.operator.dispatch import Dispatch
from jobctrl.pipeline.activities import PipelineActivities
from jobctrl.pipeline.cohorts import CohortActivities
from jobctrl.pipeline.membership import Cohort, link
from jobctrl.pipeline.reconcile import reconcile
from jobctrl.pipeline.rules import materials_threshold
from jobctrl.pipeline.search import search_policy
from jobctrl.runtime.house import House
from jobctrl.runtime.reporting import write_weekly_report
from jobctrl.scoring.activities import ScoringActivities
from jobctrl.scoring.local import LOCAL_SKILLS
from jobctrl.scoring.policy import Policies
from jobctrl.settings.credentials import secret
from jobctrl.spend.ledger import Ledger
from jobctrl.spend.prices import estimate_usd
from jobctrl.store import Execution, Transaction
from jobctrl.work import Blocking
from jobctrl.workflows.fanout import FanoutActivities
from jobctrl.workflows.marks import Marks
from jobctrl.workflows.preparation import PreparationInput
from jobctrl.workflows.probe import ProbeActivities
from jobctrl.workflows.reporting import ReportActivities
from jobctrl.workflows.steps import Steps
from jobctrl.workflows.streaming import StreamActivities

DEFAULT_MODELS = {"anthropic": "claude-sonnet-4-5", "openai": "gpt-4o-mini"}


def operator_of(house: House, dispatch: Dispatch) -> Operator:
    return Operator(
        store=house.store,
        config=house.workspace.config,
        files=house.files,
        profiles=house.profiles,
        ledger=house.ledger,
        dispatch=dispatch,
        min_score=house.min_score,
    )


def activities(
    house: House, blocking: Blocking, start: Callable[[Sequence[PreparationInput]], Awaitable[object]]
) -> list[Any]:
    """Every activity of the worker, its adapters in place."""

    def after(tx: Transaction, job_id: str) -> None:
        reconcile(tx, job_id, min_score=house.min_score(), exploration_share=house.exploration_share())

    def observed(tx: Transaction, execution: Execution, job_ids: Sequence[str], source_id: str) -> None:
        link(tx, execution, job_ids, Cohort.OBSERVED, source_id=source_id)

    def threshold() -> int:
        return materials_threshold(house.min_score())

    def model() -> Model:
        return model_of(house)

    marks, steps = Marks(house.store, house.ledger), Steps(house.store)
    pipeline = PipelineActivities(house.store, house.min_score, house.exploration_share)
    discovery = DiscoveryActivities(
        house.store,
        blocking,
        lambda mode: web_of(house, mode),
        lambda: policy_of(house),
        lambda: house.settings.time_zone,
        lambda: house.settings.max_parallel_families,
        observed,
    )
    enrichment = EnrichmentActivities(
        house.store, blocking, lambda mode: web_of(house, mode), lambda: paid_model_of(house)
    )
    scoring = ScoringActivities(
        house.store, blocking, house.profiles, model, Policies(house.store, house.min_score).in_force, after
    )
    materials = MaterialsActivities(
        house.store, blocking, house.profiles, house.files, model, lambda: house.settings.paper, threshold, after
    )
    fanout = FanoutActivities(house.store, blocking, start, house.min_score, house.profiles.current)
    return [
        marks.record_workflow_started,
        marks.check_spend_budget,
        marks.record_workflow_outcome,
        steps.record_steps,
        pipeline.settle_owned_stage,
        CohortActivities(house.store, blocking, house.min_score, house.profiles.current).freeze_cohorts,
        discovery.plan_discovery_sources,
        discovery.discovery_source_family,
        enrichment.discovery_enrichment,
        StreamActivities(house.store, blocking, enrichment, fanout).discovery_stream,
        fanout.discovery_preparation_fanout,
        scoring.score_job,
        materials.tailor_job,
        materials.cover_letter,
        materials.render_pdf,
        ReportActivities(blocking, lambda due, pulse: write_weekly_report(house, due, pulse)).write_weekly_report,
        ProbeActivities(house.store).probe_log,
    ]


def web_of(house: House, mode: str) -> Web:
    settings = house.settings
    return open_web(
        mode,
        WebSettings(
            contact=settings.crawl_contact,
            interval_seconds=settings.host_interval_seconds,
            run_requests=settings.requests_per_run,
        ),
    )


def policy_of(house: House) -> SearchPolicy:
    current = house.profiles.current()
    return search_policy(current.profile.target if current else None, max_age_days=house.settings.max_posting_age_days)


def model_of(house: House) -> Model:
    """The model the settings name; a paid one is metered."""
    return paid_model_of(house) or LocalModel({**LOCAL_SKILLS, **ANSWERS})


def paid_model_of(house: House) -> Model | None:
    """The paid model the settings name, metered; None for the local one. Raises AuthenticationError without a key."""
    settings = house.settings
    if settings.provider == "local":
        return None
    name = settings.model or DEFAULT_MODELS[settings.provider]
    key = secret(settings.provider)
    inner: Model
    if settings.provider == "anthropic":
        from jobctrl.llm.anthropic import AnthropicModel

        inner = AnthropicModel(name, key, base_url=settings.provider_base_url)
    else:
        from jobctrl.llm.openai import OpenAIModel

        inner = OpenAIModel(name, key, base_url=settings.provider_base_url)
    return MeteredModel(inner, LedgerMeter(house.ledger), estimate_usd)


@dataclass(frozen=True)
class LedgerMeter:
    """The ledger, in the words of a metered model."""

    ledger: Ledger

    def reserve(self, ask: Ask[Any], *, model: str, provider: str, estimate: Usage) -> str:
        return self.ledger.reserve(
            ask.lane.value,
            provider=provider,
            model=model,
            estimate=estimate.usd or Decimal(0),
            tokens=(estimate.input_tokens or 0) + (estimate.output_tokens or 0),
            job_id=ask.job_id,
        )

    def settle(self, reservation: str, usage: Usage, request_id: str | None) -> None:
        self.ledger.settle(
            reservation,
            input_tokens=usage.input_tokens or 0,
            output_tokens=usage.output_tokens or 0,
            cost=usage.usd or Decimal(0),
            request_id=request_id,
        )

    def hold(self, reservation: str, reason: str) -> None:
        self.ledger.hold(reservation, reason)

    def release(self, reservation: str, reason: str) -> None:
        self.ledger.release(reservation, reason)
