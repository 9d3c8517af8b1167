"""A paid model behind the whole house: set aside before, settled after, stopped at the ceiling."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from jobctrl.enrichment.activities import EnrichInput, EnrichmentActivities
from jobctrl.errors import BudgetExceeded, LlmTransient, ModelRefused
from jobctrl.runtime.house import House
from jobctrl.runtime.wiring import model_of, policy_of
from jobctrl.scoring.activities import Scored, ScoreInput, ScoringActivities
from jobctrl.scoring.model import ScoringPolicy
from jobctrl.settings.config import change_settings
from jobctrl.spend.state import CHARGES, Charge
from jobctrl.store import acting_for
from jobctrl.testing import Inline, SteadyPulse, TableWeb
from tests.llm.provider import Reply, anthropic_message, failure, openai_completion, serving
from tests.runtime.searching import RUN, admit, after, listing, new_house

WORDS = "Strong Python and SQL"


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setenv("JOBCTRL_ANTHROPIC_API_KEY", "sk-test-anthropic")
    monkeypatch.setenv("JOBCTRL_OPENAI_API_KEY", "sk-test-openai")
    house = new_house(tmp_path / "workspace")
    yield house
    house.close()


def job_with_text(house: House) -> str:
    [receipt] = admit(house.store, [listing()], policy=policy_of(house))
    enriching = EnrichmentActivities(house.store, Inline(), lambda mode: TableWeb({}), lambda: None)
    with acting_for(RUN):
        enriching._enrich(EnrichInput(house.store.workspace_id, "live"), SteadyPulse())
    assert receipt.job_id is not None
    return receipt.job_id


def answers(body: dict[str, Any], job_id: str) -> str:
    """What a model says to either prompt of scoring."""
    if '"rows"' in json.dumps(body):
        rows: list[Any] = []
        fits = {"technical_fit": 7, "experience_fit": 6, "role_fit": 8}
        return json.dumps({"job_id": job_id, "rows": rows, "score": 7, "confidence": "medium", **fits})
    asked = {
        "text": WORDS,
        "tier": "must_have",
        "weight": 0.9,
        "evidence_span": WORDS,
        "coverage_scope": "resume",
    }
    analysis = {"requirements": [asked], "keywords": [], "inferred_seniority": None, "role_framing": "Data work"}
    return json.dumps({"job_id": job_id, **analysis})


def score(house: House, job_id: str) -> Scored:
    scoring = ScoringActivities(
        house.store, Inline(), house.profiles, lambda: model_of(house), lambda: ScoringPolicy(), after
    )
    with acting_for(RUN):
        return scoring._score(ScoreInput(house.store.workspace_id, job_id), SteadyPulse())


def charges(house: House) -> list[Charge]:
    with house.store.reader() as connection:
        return CHARGES.all(connection, "1 ORDER BY recorded_at")


def use(house: House, provider: str, url: str, **changes: Any) -> None:
    address = f"{url}/v1" if provider == "openai" else url
    model = {"anthropic": "claude-test", "openai": "gpt-4o-test"}[provider]
    change_settings(
        house.workspace.config, {"provider": provider, "provider_base_url": address, "model": model, **changes}
    )


@pytest.mark.parametrize(
    ("provider", "says", "each"),
    [
        ("anthropic", anthropic_message, Decimal("0.00081")),
        ("openai", openai_completion, Decimal("0.0006")),
    ],
)
def test_every_call_of_a_score_is_settled_at_what_the_provider_says(house, provider, says, each):
    job_id = job_with_text(house)

    with serving(lambda body: says(answers(body, job_id))) as wire:
        use(house, provider, wire.url)
        scored = score(house, job_id)

    made = charges(house)
    assert scored.status == "ok"
    assert [(charge.state, charge.job_id, charge.provider) for charge in made] == [("settled", job_id, provider)] * 2
    assert house.ledger.today().settled == 2 * each
    assert sum(charge.usd_micros for charge in made) == int(2 * each * 1_000_000)


def test_a_missing_usage_keeps_the_whole_reservation(house):
    job_id = job_with_text(house)

    with serving(lambda body: anthropic_message(answers(body, job_id), usage=False)) as wire:
        use(house, "anthropic", wire.url)
        score(house, job_id)

    today = house.ledger.today()
    assert {charge.state for charge in charges(house)} == {"held"}
    assert today.settled == 0
    assert today.held > 0


def test_the_ceiling_stops_a_call_before_it_is_sent(house):
    job_id = job_with_text(house)

    with serving(lambda body: anthropic_message(answers(body, job_id))) as wire:
        use(house, "anthropic", wire.url, daily_budget_usd="0.0001")
        with pytest.raises(BudgetExceeded):
            score(house, job_id)

    assert wire.asked == []
    assert charges(house) == []


@pytest.mark.parametrize(
    ("reply", "error", "state"),
    [
        (failure(429, retry_after="2"), LlmTransient, "released"),
        (anthropic_message("no JSON at all"), LlmTransient, "settled"),
        (anthropic_message("{}", stop_reason="refusal"), ModelRefused, "settled"),
        (
            Reply(status=529, body={"type": "error", "error": {"type": "overloaded", "message": "x"}}),
            LlmTransient,
            None,
        ),
    ],
)
def test_a_failed_call_is_a_state_and_never_a_score(house, reply, error, state):
    job_id = job_with_text(house)

    with serving(lambda body: reply) as wire:
        use(house, "anthropic", wire.url)
        with pytest.raises(error):
            score(house, job_id)

    [charge] = charges(house)
    assert state is None or charge.state == state
    assert not [fact for fact in house.store.job_history(job_id) if fact.event_type == "JobScored"]


def test_no_text_of_the_posting_or_the_person_stands_in_the_log(house):
    job_id = job_with_text(house)

    with serving(lambda body: anthropic_message(answers(body, job_id))) as wire:
        use(house, "anthropic", wire.url)
        score(house, job_id)

    log = " ".join(fact.payload for fact in house.store.since(0, 10_000))
    assert "grain forecasts" not in log
    assert WORDS not in log
    assert "Dockyard" not in log
    assert "sk-test" not in log
