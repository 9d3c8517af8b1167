"""What a call costs, by model family. Coarse and dated: an estimate, not a bill."""

from __future__ import annotations

from decimal import Decimal

PER_MILLION: tuple[tuple[str, Decimal, Decimal], ...] = (
    # family (a part of the model's name), USD per million input tokens, per million output tokens; first match counts
    ("local", Decimal(0), Decimal(0)),
    ("gpt-4o", Decimal("2.50"), Decimal("10.00")),
    ("gemini", Decimal("0.30"), Decimal("2.50")),
    ("claude", Decimal("3.00"), Decimal("15.00")),
)
OTHER = (Decimal("1.00"), Decimal("4.00"))


def estimate_usd(model: str, input_tokens: int, output_tokens: int) -> Decimal:
    """The price of a call in US dollars."""
    name = model.lower()
    price_in, price_out = next(((i, o) for family, i, o in PER_MILLION if family in name), OTHER)
    return (price_in * input_tokens + price_out * output_tokens) / Decimal(1_000_000)
