"""What a call costs, and money that stays exact."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.spend.model import micros, usd
from jobctrl.spend.prices import estimate_usd


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gpt-4o-mini", "12.50"),
        ("openai/GPT-4o", "12.50"),
        ("gemini-flash", "2.80"),
        ("claude-sonnet", "18.00"),
        ("a-model-nobody-knows", "5.00"),
        ("local", "0"),
    ],
)
def test_a_million_tokens_each_way_cost_what_the_family_costs(model: str, expected: str) -> None:
    assert estimate_usd(model, 1_000_000, 1_000_000) == Decimal(expected)


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_a_call_is_priced_exactly_and_by_the_token(inputs: int, outputs: int) -> None:
    assert estimate_usd("claude", inputs, outputs) == inputs * Decimal("0.000003") + outputs * Decimal("0.000015")


@given(st.integers(0, 10**12))
def test_millionths_come_back_as_they_went(amount: int) -> None:
    assert micros(usd(amount)) == amount


@pytest.mark.parametrize(("amount", "whole"), [("0.0000004", 0), ("0.0000005", 1), ("0.0000015", 2), ("1.25", 1250000)])
def test_less_than_a_millionth_is_rounded_half_up(amount: str, whole: int) -> None:
    assert micros(Decimal(amount)) == whole
