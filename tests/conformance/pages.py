"""Pages against their labels: one verdict a field that the label speaks about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from jobctrl.enrichment.cascade import read_page
from jobctrl.enrichment.model import PageReading
from jobctrl.network.model import Response
from jobctrl.postings.dates import RELATIVE
from jobctrl.postings.model import DateReading, PayState
from jobctrl.postings.text import fold
from tests.conformance.harness import Line, Verdict, judge, labels

CAPTURED = datetime(2026, 8, 25, 12, tzinfo=UTC)


class PagesTable:
    """`pages.jsonl`: a line names a file; `url` and `status` come from it or from the recorded index."""

    name = "pages"

    def lines(self, labels_folder: Path, root: Path) -> Iterable[Line]:
        index = {}
        if (root / "index.jsonl").exists():
            index = {entry["file"]: entry for entry in labels(root / "index.jsonl")}
        for label in labels(labels_folder / "pages.jsonl"):
            entry = index.get(label["file"], {})
            asked = label.get("url") or entry.get("url") or f"https://example.org/{label['file']}"
            response = Response(
                url=label.get("final_url") or asked,
                status=label.get("status") or entry.get("status") or 200,
                content_type=label.get("content_type") or entry.get("content_type") or "text/html",
                body=(root / label["file"]).read_bytes(),
            )
            reading = read_page(response, url=asked, now=moment(label))
            for field, want, got, verdict in verdicts(label, reading):
                yield Line(label["file"], field, verdict, want, got, label.get("sure", True))


TABLE = PagesTable()


def moment(label: dict[str, Any]) -> datetime:
    """When the page was captured: the label's `now`, else a moment at which its stated deadline had not passed."""
    if "now" in label:
        return datetime.fromisoformat(label["now"])
    deadline = label.get("valid_through")
    if label["active_state"] == "open" and deadline and date.fromisoformat(deadline) < CAPTURED.date():
        return datetime.fromisoformat(deadline).replace(tzinfo=UTC) - timedelta(days=1)
    return CAPTURED


def verdicts(label: dict[str, Any], reading: PageReading) -> Iterator[tuple[str, Any, Any, Verdict]]:
    """Field, wanted, got, verdict. A field on which the label is silent is wrong when the reading states one."""
    facts = reading.facts
    texts = {"title": reading.title, "company": reading.company}
    for field, value in texts.items():
        want, accept = label.get(field), label.get(f"{field}_accept", [])
        yield field, want, value, judge(_plain(want), _plain(value), accept=map(_plain, accept))
    yield _places(label, reading)
    mode = facts.place.mode.value
    want_mode, accept = label["mode"], label.get("mode_accept", [])
    silent = None if mode == "unknown" and want_mode != "unknown" else mode
    yield "mode", want_mode, mode, judge(want_mode, silent, accept=accept)
    yield from _pay(label.get("pay"), reading)
    for field, value in (("published", _day(facts.published)), ("valid_through", _day(facts.valid_through))):
        others = [*label.get(f"{field}_accept", []), label.get(f"{field}_other", label.get(field))]
        yield field, label.get(field), value, judge(label.get(field), value, accept=others)
    for field, got in (("employment_type", facts.employment_type), ("language", facts.language.language)):
        if field == "language" and label["kind"] != "posting":
            continue
        yield field, label.get(field), got, judge(label.get(field), got, accept=label.get(f"{field}_accept", []))
    openness = reading.active.state.openness.value
    accept = label.get("state_accept", [])
    silent = None if openness == "unsure" and label["active_state"] != "unsure" else openness
    yield "active_state", label["active_state"], openness, judge(label["active_state"], silent, accept=accept)
    if label.get("apply_url"):
        yield "apply_url", label["apply_url"], reading.apply_url, judge(label["apply_url"], reading.apply_url)
    shortest = label.get("description_min_chars", 0)
    if shortest:
        got_length = len(reading.description)
        enough = Verdict.RIGHT if got_length >= shortest else Verdict.MISSED
        yield "description", shortest, got_length, enough


def _places(label: dict[str, Any], reading: PageReading) -> tuple[str, Any, Any, Verdict]:
    got = [{"city": p.city, "region": p.region, "country": p.country} for p in reading.facts.place.places]
    answers = [label["places"], *label.get("places_accept", [])]
    if any(_same_places(answer, got) for answer in answers):
        return "places", label["places"], got, Verdict.RIGHT
    subset, superset = label.get("places_accept_subset"), label.get("places_accept_superset")
    first = label["places"][:1]
    found = [any(_same_place(want, one) for one in got) for want in label["places"]]
    if superset and got and all(found):
        return "places", label["places"], got, Verdict.RIGHT
    if subset and got and _covers(first, got) and all(any(_same_place(w, g) for w in label["places"]) for g in got):
        return "places", label["places"], got, Verdict.RIGHT
    return "places", label["places"], got, Verdict.MISSED if not got else Verdict.WRONG


def _covers(wanted: list[dict[str, Any]], got: list[dict[str, Any]]) -> bool:
    return all(any(_same_place(want, one) for one in got) for want in wanted)


def _same_places(wanted: list[dict[str, Any]], got: list[dict[str, Any]]) -> bool:
    return len(wanted) == len(got) and _covers(wanted, got)


def _same_place(want: dict[str, Any], got: dict[str, Any]) -> bool:
    """City and country decide; a region counts when both name one and they share no spelling or code."""
    cities = {_plain(want.get("city")), *map(_plain, want.get("city_alt", []) or [])}
    if _plain(got["city"]) not in cities or want.get("country") != got["country"]:
        return False
    if want.get("city") or not want.get("region"):
        return True
    return bool(_plain(want["region"]) == _plain(got["region"]))


def _pay(want: dict[str, Any] | None, reading: PageReading) -> Iterator[tuple[str, Any, Any, Verdict]]:
    pay = reading.facts.pay
    stated = pay.state is PayState.STATED
    if want is None:
        shown = f"{pay.low}–{pay.high} {pay.currency}" if stated else None
        yield "pay", None, shown, Verdict.WRONG if stated else Verdict.RIGHT
        return
    got = {
        "currency": pay.currency,
        "period": pay.period.value if pay.period else None,
        "low": pay.low,
        "high": pay.high,
        "component": pay.component.value if pay.component.value != "unknown" else None,
    }
    for field, value in got.items():
        wanted = want.get(field)
        accept = want.get(f"{field}_accept", [])
        if field == "component" and wanted == "unknown":
            wanted = None
        if field in ("low", "high"):
            wanted = Decimal(str(wanted)) if wanted is not None else None
        yield f"pay.{field}", wanted, value if stated else None, judge(wanted, value if stated else None, accept=accept)


def _day(reading: DateReading) -> str | None:
    """The day that is printed; one that is only bounded or counted back is no statement."""
    if reading.day is None or reading.bound or RELATIVE in reading.warnings:
        return None
    return reading.day.isoformat()


def _plain(text: Any) -> Any:
    return " ".join(fold(text).split()) if isinstance(text, str) else text
