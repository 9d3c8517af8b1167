"""Pay in fields of its own: read by the same rules as text, and joined with what the text says."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from jobctrl.discovery.model import StatedPay
from jobctrl.postings.model import PayComponent, PayPeriod, PayReading, PayState, Span
from jobctrl.postings.pay import read_pay

DIFFERS = "field_and_text_differ"
"""A field states one pay and the text, or another field, a different one; both are kept."""
SWAPPED = "swapped_bounds"
_CODE = re.compile(r"[A-Z]{3}")


def read_stated(stated: StatedPay, country: str | None) -> PayReading:
    """The reading of one pay statement of the vendor: its numbers, or its words when it has no numbers."""
    words = read_pay(stated.text, country=country) if stated.text else PayReading()
    if stated.low is None and stated.high is None:
        return _in_field(words, stated.field)
    low, high = stated.low, stated.high
    swapped = low is not None and high is not None and low > high
    if swapped:
        low, high = high, low
    code = (stated.currency or "").upper()
    currency = code if _CODE.fullmatch(code) else None
    period = PayPeriod(stated.period) if stated.period else None
    span = _rendered(stated, currency)
    judged = read_pay(f"Salary: {span.text}", country=country)
    if judged.state is PayState.AMBIGUOUS:
        return PayReading(PayState.AMBIGUOUS, currency, period, span=span, warnings=judged.warnings)
    component = PayComponent(stated.component) if stated.component else PayComponent.UNKNOWN
    reading = PayReading(PayState.STATED, currency, period, low, high, component, span, (SWAPPED,) if swapped else ())
    return _completed(reading, words) if _agree(reading, words) else reading


def join(stated: Iterable[PayReading], said: PayReading) -> PayReading:
    """Fields and text as one reading: the first field leads, text that agrees completes it, the rest are its zones."""
    fields = [reading for reading in stated if reading.state is not PayState.NOT_STATED]
    fields.sort(key=lambda reading: reading.component is PayComponent.BONUS)
    if not fields or fields[0].state is not PayState.STATED:
        return said if said.state is PayState.STATED or not fields else fields[0]
    main, *others = fields
    agrees = _agree(main, said)
    if agrees:
        main = _completed(main, said)
    texts = [*_flat(said)] if said.state is PayState.STATED else []
    zones = [reading for reading in (*others, *texts) if not _same(main, reading)]
    differs = any(_comparable(main, zone) and not _within(zone, main) for zone in zones)
    warnings = (*main.warnings, DIFFERS) if differs else main.warnings
    return replace(main, zones=tuple(zones), warnings=warnings)


def _in_field(reading: PayReading, field: str) -> PayReading:
    return replace(reading, span=replace(reading.span, field=field)) if reading.span else reading


def _rendered(stated: StatedPay, currency: str | None) -> Span:
    """The numbers as the field states them, in one line."""
    low, high = stated.low, stated.high
    if low is not None and high is not None:
        figures = f"{low:f}" if low == high else f"{low:f} - {high:f}"
    else:
        figures = f"from {low:f}" if low is not None else f"up to {high:f}"
    text = " ".join(part for part in (figures, currency, f"per {stated.period}" if stated.period else "") if part)
    return Span(0, len(text), text, stated.field)


def _flat(reading: PayReading) -> tuple[PayReading, ...]:
    return (replace(reading, zones=()), *reading.zones)


def _agree(main: PayReading, said: PayReading) -> bool:
    """Whether *said* is the same pay: the same bounds, or zones that together reach from the one to the other."""
    if main.state is not PayState.STATED or said.state is not PayState.STATED:
        return False
    if _same(main, said):
        return True
    alike = [reading for reading in _flat(said) if _comparable(main, reading) and _within(reading, main)]
    return (
        min((reading.low for reading in alike if reading.low is not None), default=None) == main.low
        and max((reading.high for reading in alike if reading.high is not None), default=None) == main.high
    )


def _same(one: PayReading, other: PayReading) -> bool:
    return (one.low, one.high) == (other.low, other.high) and _comparable(one, other)


def _comparable(one: PayReading, other: PayReading) -> bool:
    return (
        (one.currency == other.currency or None in (one.currency, other.currency))
        and (one.period == other.period or None in (one.period, other.period))
        and PayComponent.BONUS not in (one.component, other.component)
    )


def _within(part: PayReading, whole: PayReading) -> bool:
    return (part.low is None or whole.low is None or part.low >= whole.low) and (
        part.high is None or whole.high is None or part.high <= whole.high
    )


def _completed(main: PayReading, said: PayReading) -> PayReading:
    """*main* with what it leaves open and the agreeing words say."""
    components = {reading.component for reading in _flat(said)} - {PayComponent.UNKNOWN, PayComponent.BONUS}
    named = components.pop() if len(components) == 1 else PayComponent.UNKNOWN
    return replace(
        main,
        currency=main.currency or said.currency,
        period=main.period or said.period,
        component=named if main.component is PayComponent.UNKNOWN else main.component,
    )
