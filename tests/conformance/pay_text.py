"""Pay in a line of text: currency, period, low, high and component against the label."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

from jobctrl.postings.model import PayReading, PayState
from jobctrl.postings.pay import read_pay
from tests.conformance.harness import Line, Verdict, judge, labels

FIELDS = ("currency", "period", "low", "high", "component")


class PayText:
    name = "pay_text"

    def lines(self, labels_folder: Path, root: Path) -> Iterable[Line]:
        for number, label in enumerate(labels(labels_folder / f"{self.name}.jsonl"), start=1):
            reading = read_pay(label["text"], country=label.get("country_hint"))
            got = _stated(reading)
            yield Line(
                where=f"{number}: {label['text']}",
                field="",
                verdict=_verdict(label, reading, got),
                want={field: label.get(field) for field in FIELDS} if label["is_pay"] else None,
                got=got,
                sure=label.get("sure", True),
            )


def _verdict(label: dict[str, Any], reading: PayReading, got: dict[str, Any]) -> Verdict:
    if not label["is_pay"]:
        silent = reading.state is not PayState.STATED and reading.low is None and reading.high is None
        return Verdict.RIGHT if silent else Verdict.WRONG
    if reading.state is not PayState.STATED:
        return Verdict.MISSED
    verdicts = {
        judge(_plain(label.get(field)), got[field], accept=map(_plain, label.get(f"{field}_accept", ())))
        for field in FIELDS
    }
    return next(verdict for verdict in (Verdict.WRONG, Verdict.MISSED, Verdict.RIGHT) if verdict in verdicts)


def _stated(reading: PayReading) -> dict[str, Any]:
    component = reading.component.value
    return {
        "currency": reading.currency,
        "period": reading.period.value if reading.period else None,
        "low": reading.low,
        "high": reading.high,
        # "unknown" states nothing: it is right where the label says so, and silence elsewhere.
        "component": None if component == "unknown" else component,
    }


def _plain(value: Any) -> Any:
    if isinstance(value, int | float):
        return Decimal(str(value))
    return None if value == "unknown" else value


TABLE = PayText()
