"""What is paid, by all that the tiers of a page state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jobctrl.enrichment.model import ExtractionTier, FieldSource, Stated
from jobctrl.postings.model import PayComponent, PayReading, PayState
from jobctrl.postings.pay import read_pay


def read_stated_pay(
    tiers: Sequence[Stated], text: str, country: str | None, sources: dict[str, FieldSource]
) -> PayReading:
    """Pay as the page shows it, completed by fields of the same figures; then fields; then the text."""
    readings: list[tuple[ExtractionTier, PayReading]] = []
    for stating in reversed(tiers):
        if stating.pay_text and (shown := read_pay(stating.pay_text.text, country=country)).span is not None:
            readings.append((stating.tier, _with_field(shown, stating.pay_text.field)))
    readings += [(stating.tier, stating.pay) for stating in tiers if stating.pay is not None]
    in_text = read_pay(text, country=country)
    readings.append((sources["description"].tier if "description" in sources else ExtractionTier.JSON_LD, in_text))
    stated = [(tier, pay) for tier, pay in readings if pay.state is PayState.STATED]
    if not stated:
        return next((pay for _, pay in readings if pay.state is not PayState.NOT_STATED), in_text)
    tier, pay = stated[0]
    for _, other in stated[1:]:
        if _same_figures(pay, other):
            pay = replace(
                pay,
                currency=pay.currency or other.currency,
                period=pay.period or other.period,
                component=pay.component if pay.component is not PayComponent.UNKNOWN else other.component,
                zones=pay.zones or other.zones,
                warnings=() if other.currency and not pay.currency else pay.warnings,
            )
    sources["pay"] = FieldSource(tier, pay.span)
    return pay


def _same_figures(one: PayReading, other: PayReading) -> bool:
    ours, theirs = {one.low, one.high} - {None}, {other.low, other.high} - {None}
    return bool(ours & theirs)


def _with_field(pay: PayReading, field: str) -> PayReading:
    return replace(pay, span=replace(pay.span, field=field)) if pay.span else pay
