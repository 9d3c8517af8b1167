"""The ledger: no ceiling is passed, no call is counted twice, and no money is lost sight of."""

from __future__ import annotations

import multiprocessing
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobctrl.errors import BudgetExceeded
from jobctrl.spend.ledger import Ledger
from jobctrl.spend.model import Ceilings, usd
from jobctrl.spend.state import CHARGES, Charge
from jobctrl.store import Execution, Store, acting_for
from tests.spend.paying import race, stand_at
from tests.store.workspace import Clock, open_workspace, tables_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "workspace.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = open_workspace(path, (CHARGES,))
    yield store
    store.close()


def ledger_of(store: Store, daily: str = "25", **lanes: int) -> Ledger:
    return Ledger(store, lambda: Ceilings(Decimal(daily), lanes))


def reserve(ledger: Ledger, estimate: str = "1", tokens: int = 100, lane: str = "score") -> str:
    return ledger.reserve(lane, provider="openai", model="m", estimate=Decimal(estimate), tokens=tokens, job_id="j1")


def charge(store: Store, call_id: str) -> Charge:
    with store.reader() as connection:
        found = CHARGES.get(connection, call_id)
    assert found is not None
    return found


def kinds(store: Store, call_id: str) -> list[str]:
    return [fact.event_type.removeprefix("ModelCall") for fact in store.stream(f"spend/{call_id}")]


def test_a_call_is_set_aside_then_settled_at_what_it_cost(store: Store) -> None:
    ledger = ledger_of(store)

    with acting_for(Execution("prepare/j1", "r1")):
        call = reserve(ledger, "2")
    assert (ledger.today().reserved, ledger.today().settled) == (2, 0)
    assert ledger.today().tokens == {"score": 100}
    ledger.settle(call, input_tokens=70, output_tokens=5, cost=Decimal("0.75"), request_id="q1")

    day, kept = ledger.today(), charge(store, call)
    assert (day.reserved, day.settled, day.held, day.committed) == (0, Decimal("0.75"), 0, Decimal("0.75"))
    assert day.tokens == {"score": 75}
    assert (kept.state, kept.usd_micros, kept.job_id, kept.workflow_id) == ("settled", 750_000, "j1", "prepare/j1")
    assert [fact.event_type for fact in store.job_history("j1")] == ["ModelCallReserved"]


def test_settling_twice_counts_once(store: Store) -> None:
    ledger = ledger_of(store)
    call = reserve(ledger)

    for cost in ("0.5", "0.9"):
        ledger.settle(call, input_tokens=1, output_tokens=1, cost=Decimal(cost))

    assert ledger.today().committed == Decimal("0.5")
    assert kinds(store, call) == ["Reserved", "Settled"]


def test_a_held_call_keeps_its_reservation_until_it_is_settled(store: Store) -> None:
    ledger = ledger_of(store)
    call = reserve(ledger, "2")

    ledger.hold(call, "timeout")
    ledger.hold(call, "timeout")
    assert (ledger.today().held, ledger.today().reserved) == (2, 0)
    assert (charge(store, call).state, charge(store, call).usd_micros) == ("held", 2_000_000)
    ledger.settle(call, input_tokens=1, output_tokens=1, cost=Decimal("0.1"))

    assert ledger.today().committed == Decimal("0.1")
    assert kinds(store, call) == ["Reserved", "Held", "Settled"]


@pytest.mark.parametrize("held", [False, True])
def test_a_released_call_costs_nothing(store: Store, held: bool) -> None:
    ledger = ledger_of(store)
    call = reserve(ledger)
    if held:
        ledger.hold(call, "timeout")

    ledger.release(call, "never sent")
    ledger.release(call, "never sent")

    assert ledger.today().committed == 0
    assert ledger.today().tokens == {}
    assert (charge(store, call).state, charge(store, call).usd_micros) == ("released", 0)
    assert kinds(store, call).count("Released") == 1


@pytest.mark.parametrize("end", ["settle", "release"])
def test_a_closed_call_stays_closed(store: Store, end: str) -> None:
    ledger = ledger_of(store)
    call = reserve(ledger)
    if end == "settle":
        ledger.settle(call, input_tokens=1, output_tokens=1, cost=Decimal("0.5"))
    else:
        ledger.release(call, "never sent")
    before, position = ledger.today(), store.position()

    ledger.hold(call, "late")
    ledger.release(call, "late")
    ledger.settle(call, input_tokens=9, output_tokens=9, cost=Decimal(9))
    ledger.hold("no such call", "late")

    assert ledger.today() == before
    assert store.position() == position


def test_the_ceiling_of_the_day_counts_all_lanes_and_all_that_is_set_aside(store: Store) -> None:
    ledger = ledger_of(store, "3")
    settled = reserve(ledger, "1", lane="score")
    ledger.settle(settled, input_tokens=1, output_tokens=1, cost=Decimal(1))
    ledger.hold(reserve(ledger, "1", lane="tailor"), "timeout")

    with pytest.raises(BudgetExceeded) as caught:
        reserve(ledger, "1.000001", lane="cover")
    assert caught.value.hint
    assert "$3" in caught.value.message
    reserve(ledger, "1", lane="cover")

    with pytest.raises(BudgetExceeded):
        ledger.check()
    with pytest.raises(BudgetExceeded):
        reserve(ledger, "0")


def test_an_exhausted_lane_does_not_stop_its_peers(store: Store) -> None:
    ledger = ledger_of(store, "25", score=250)
    reserve(ledger, tokens=100)
    with pytest.raises(BudgetExceeded, match="score"):
        reserve(ledger, tokens=151)
    reserve(ledger, tokens=150)

    with pytest.raises(BudgetExceeded, match="250 of its 250"):
        ledger.check("score")

    ledger.check("tailor")
    ledger.check()
    reserve(ledger, tokens=10**6, lane="tailor")


def test_a_refused_call_leaves_no_trace(store: Store) -> None:
    ledger = ledger_of(store, "1")

    with pytest.raises(BudgetExceeded):
        reserve(ledger, "2")

    assert store.position() == 0
    assert ledger.today().committed == 0


def test_what_is_rounded_up_counts_rounded_against_the_ceiling(store: Store) -> None:
    ledger = ledger_of(store, "0.0000015")
    reserve(ledger, "0.0000005")

    with pytest.raises(BudgetExceeded):
        reserve(ledger, "0.0000005")

    assert ledger.today().committed == Decimal("0.000001")


def test_zero_is_no_ceiling(store: Store) -> None:
    ledger = ledger_of(store, "0", score=0)

    for _ in range(3):
        reserve(ledger, "1000", tokens=10**9)

    assert ledger.check("score").committed == 3000


def test_a_changed_ceiling_counts_at_once(store: Store) -> None:
    ceilings = [Ceilings(Decimal(1))]
    ledger = Ledger(store, lambda: ceilings[-1])
    reserve(ledger, "1")
    with pytest.raises(BudgetExceeded):
        reserve(ledger, "1")

    ceilings.append(Ceilings(Decimal(2)))

    reserve(ledger, "1")


@pytest.mark.parametrize(
    ("now", "day"),
    [
        (datetime(2026, 3, 1, 23, 59, 50, tzinfo=UTC), "2026-03-01"),
        (datetime(2026, 3, 2, 0, 30, tzinfo=timezone(timedelta(hours=2))), "2026-03-01"),
        (datetime(2026, 3, 1, 23, 30, tzinfo=timezone(timedelta(hours=-5))), "2026-03-02"),
    ],
)
def test_a_spend_day_is_a_utc_day_whatever_the_clock_speaks(store: Store, now: datetime, day: str) -> None:
    store.clock = Clock(now)
    ledger = ledger_of(store)

    call = reserve(ledger)

    assert ledger.today().day == charge(store, call).day == day


def test_a_call_over_midnight_counts_for_the_day_it_was_allowed_on(store: Store) -> None:
    store.clock = Clock(datetime(2026, 3, 1, 23, 59, 50, tzinfo=UTC))
    ledger = ledger_of(store, "1")
    call = reserve(ledger, "1")

    store.clock = Clock(datetime(2026, 3, 2, 0, 0, 10, tzinfo=UTC))
    ledger.settle(call, input_tokens=1, output_tokens=1, cost=Decimal(1))

    assert ledger.today().committed == 0
    assert charge(store, call).day == "2026-03-01"
    reserve(ledger, "1")


def test_calls_that_a_dead_process_left_are_held_and_young_ones_are_not(store: Store) -> None:
    ledger = ledger_of(store)
    old = reserve(ledger, "2")
    store.clock.now += timedelta(hours=1)  # type: ignore[attr-defined]
    young = reserve(ledger, "1")

    assert ledger.hold_abandoned(timedelta(minutes=30)) == 1
    assert ledger.hold_abandoned(timedelta(minutes=30)) == 0

    assert (charge(store, old).state, charge(store, young).state) == ("held", "reserved")
    assert (ledger.today().held, ledger.today().reserved) == (2, 1)


def test_a_process_killed_in_its_call_leaves_its_money_set_aside(store: Store, path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.spend.paying", str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        call = process.stdout.readline().strip()
        process.send_signal(signal.SIGKILL)
    ledger = ledger_of(store)
    assert ledger.today().reserved == 3

    store.clock.now += timedelta(hours=1)  # type: ignore[attr-defined]
    ledger.hold_abandoned(timedelta(minutes=30))

    assert ledger.today().held == 3
    assert kinds(store, call) == ["Reserved", "Held"]


@pytest.fixture(scope="module")
def four() -> Iterator[ProcessPoolExecutor]:
    """Four real processes that can start at one moment."""
    context = multiprocessing.get_context("spawn")
    gate = context.Barrier(4)
    with ProcessPoolExecutor(4, mp_context=context, initializer=stand_at, initargs=(gate,)) as pool:
        yield pool


@pytest.mark.parametrize("ceilings", [Ceilings(Decimal(7), {}), Ceilings(Decimal(0), {"score": 7999})])
def test_racing_processes_never_pass_a_ceiling(four: ProcessPoolExecutor, path: Path, ceilings: Ceilings) -> None:
    allowed = list(four.map(race, [path] * 4, [ceilings] * 4, [6] * 4))

    store = open_workspace(path, (CHARGES,))
    assert sum(allowed) == 7
    assert ledger_of(store).today().committed == 7
    assert ledger_of(store).today().tokens == {"score": 7000}
    store.close()


MONEY = st.decimals(0, 3, places=7, allow_nan=False)
TOKENS = st.integers(0, 400)
STEPS = st.one_of(
    st.tuples(st.just("reserve"), st.sampled_from(["score", "tailor"]), MONEY, TOKENS),
    st.tuples(st.just("settle"), st.integers(0, 9), MONEY, TOKENS),
    st.tuples(st.just("hold"), st.integers(0, 9)),
    st.tuples(st.just("release"), st.integers(0, 9)),
    st.tuples(st.just("wait"), st.integers(1, 20)),
    st.tuples(st.just("hold_abandoned"), st.integers(0, 10)),
)


def act(ledger: Ledger, store: Store, calls: list[str], step: tuple[Any, ...]) -> None:
    match step:
        case ("reserve", lane, estimate, tokens):
            calls.append(ledger.reserve(lane, provider="openai", model="m", estimate=estimate, tokens=tokens))
        case ("settle", which, cost, tokens) if calls:
            ledger.settle(calls[which % len(calls)], input_tokens=tokens, output_tokens=1, cost=cost)
        case ("hold", which) if calls:
            ledger.hold(calls[which % len(calls)], "timeout")
        case ("release", which) if calls:
            ledger.release(calls[which % len(calls)], "never sent")
        case ("wait", hours):
            store.clock.now += timedelta(hours=hours)  # type: ignore[attr-defined]
        case ("hold_abandoned", hours):
            ledger.hold_abandoned(timedelta(hours=hours))


@settings(max_examples=60, deadline=None)
@given(st.lists(STEPS, max_size=25))
def test_the_ledger_and_the_charges_agree_to_the_millionth(steps: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = open_workspace(Path(folder) / "w.db", (CHARGES,))
        ledger, calls = Ledger(store, lambda: Ceilings(Decimal(4), {"score": 900})), list[str]()
        for step in steps:
            before = ledger.today()
            try:
                act(ledger, store, calls, step)
            except BudgetExceeded:
                assert ledger.today() == before
            if step[0] == "reserve":
                assert ledger.today().committed <= max(4, before.committed)
                assert ledger.today().tokens.get("score", 0) <= max(900, before.tokens.get("score", 0))

            with store.reader() as connection:
                of_today = CHARGES.all(connection, "day = ?", [ledger.today().day])
            money: defaultdict[str, Decimal] = defaultdict(Decimal)
            for one in of_today:
                money[one.state] += usd(one.reserved_usd_micros if one.state == "reserved" else one.usd_micros)
            day = ledger.today()
            assert (day.settled, day.reserved, day.held) == (money["settled"], money["reserved"], money["held"])

        with store.reader() as connection:
            sums = connection.execute(
                "SELECT day, lane, COUNT(*), SUM(input_tokens), SUM(output_tokens), SUM(usd_micros) FROM charges"
                " WHERE state = 'settled' GROUP BY day, lane ORDER BY day, lane"
            ).fetchall()
            assert connection.execute("SELECT * FROM llm_spend ORDER BY day, lane").fetchall() == sums
        live = tables_of(store, (CHARGES,))
        store.rebuild()
        assert tables_of(store, (CHARGES,)) == live
        store.close()
