"""Whatever calls do and in whatever order, every way to ask for the money adds up to the ledger, to the millionth."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobctrl.analytics.spend import charges, spend, spend_days, unit_costs
from jobctrl.errors import BudgetExceeded
from jobctrl.spend.ledger import Ledger
from jobctrl.spend.model import Ceilings, micros, usd
from tests.analytics.conftest import asked
from tests.analytics.searches import Search

MONEY = st.integers(0, 4_000_000).map(usd)
CALL = st.integers(0, 30)
STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("reserve"),
            st.sampled_from(["enrich", "score", "tailor", "cover"]),
            st.sampled_from([("anthropic", "claude-small"), ("openai", "gpt-mini")]),
            MONEY,
            st.sampled_from([None, "a", "b"]),
        ),
        st.tuples(st.just("settle"), CALL, MONEY),
        st.tuples(st.just("hold"), CALL),
        st.tuples(st.just("release"), CALL),
        st.tuples(st.just("abandon"), st.integers(0, 20)),
        st.tuples(st.just("wait"), st.integers(1, 20)),
    ),
    max_size=40,
)


def carry_out(search: Search, ledger: Ledger, steps: list[tuple[Any, ...]], jobs: dict[str, str]) -> None:
    made: list[str] = []
    for step in steps:
        match step:
            case ("reserve", lane, (provider, model), estimate, job):
                with suppress(BudgetExceeded):
                    made.append(
                        ledger.reserve(
                            lane, provider=provider, model=model, estimate=estimate, tokens=10, job_id=jobs.get(job)
                        )
                    )
            case ("wait", hours):
                search.later(hours=hours)
            case ("abandon", hours):
                ledger.hold_abandoned(timedelta(hours=hours))
            case (_, number, *_) if not made:
                pass
            case ("settle", number, cost):
                ledger.settle(made[number % len(made)], input_tokens=7, output_tokens=3, cost=cost)
            case ("hold", number):
                ledger.hold(made[number % len(made)], "timeout")
            case ("release", number):
                ledger.release(made[number % len(made)], "refused")


def booked(search: Search, column: str) -> dict[Any, int]:
    """What the ledger itself has by *column* of its tables."""
    query = f"""
        SELECT key, SUM(usd_micros) FROM (
          SELECT {column} AS key, usd_micros FROM llm_spend
          UNION ALL SELECT {column}, usd_micros FROM spend_reservations
        ) GROUP BY key"""
    with search.store.reader() as connection:
        return {key: total for key, total in connection.execute(query) if total}


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=STEPS, ceiling=st.sampled_from([Decimal(0), Decimal(5)]))
def test_the_total_is_the_ledgers_whatever_calls_do(steps, ceiling):
    with TemporaryDirectory() as folder:
        search = Search(Path(folder) / "workspace")
        jobs = {name: search.find(name) for name in ("a", "b")}
        search.tell()
        ledger = Ledger(search.store, lambda: Ceilings(daily_usd=ceiling))

        carry_out(search, ledger, steps, jobs)

        db = asked(search)
        total = sum(booked(search, "'all'").values())
        for by in ("day", "lane", "stage", "model", "provider", "job"):
            assert spend(db, by=by)["total_usd_micros"].sum() == total, by
        by_day = dict(spend(db).select("day", "total_usd_micros").rows())
        assert {day.isoformat(): amount for day, amount in by_day.items() if amount} == booked(search, "day")
        by_lane = dict(spend(db, by="lane").select("lane", "total_usd_micros").rows())
        assert {lane: amount for lane, amount in by_lane.items() if amount} == booked(search, "lane")
        assert charges(db)["total_usd_micros"].sum() == total
        assert micros(Decimal(str(round(spend_days(db)["usd"].sum(), 6)))) == total
        assert [micros(Decimal(str(round(each, 6)))) for each in unit_costs(db)["usd"]] == [total] * 4
        today = ledger.today()
        row = spend(db).filter(spend(db)["day"].cast(str) == today.day)
        for state, amount in (("settled", today.settled), ("reserved", today.reserved), ("held", today.held)):
            assert micros(Decimal(str(round(row[f"{state}_usd"].sum(), 6)))) == micros(amount), state
        search.close()
