"""Whole postings of board responses: each field the source states, through the adapters and the readers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from jobctrl.discovery.model import BoardKind, Listing, Source
from jobctrl.discovery.reading import read_listing
from jobctrl.discovery.sources import adapter_for
from jobctrl.postings.dates import RELATIVE
from jobctrl.postings.model import DateReading, PayReading, PayState, PostingFacts
from tests.conformance.harness import Line, Verdict, judge, labels
from tests.conformance.place_text import judge_places

NOW = datetime(2026, 8, 25, 12, tzinfo=UTC)
NO_ADAPTER = "feeds"
"""Public feeds and comment threads, which no board adapter reads; their labels are left out and counted apart."""


class Postings:
    """Fields that neither the label nor the reading states are not counted: nothing right is claimed for silence.

    A label names a recorded file, or holds an answer of the vendor's shape itself (`kind` and `body`).
    """

    name = "postings"

    def lines(self, labels_dir: Path, root: Path) -> Iterable[Line]:
        without = 0
        for label in labels(labels_dir / f"{self.name}.jsonl"):
            if label.get("file", "").startswith(f"{NO_ADAPTER}/"):
                without += 1
                continue
            yield from _lines(label, root)
        if without:
            print(f"{self.name}: {without} labels of {NO_ADAPTER}/ left out, no adapter reads these")


def _lines(label: dict[str, Any], root: Path) -> Iterator[Line]:
    where = f"{label.get('file') or label['kind']} {label['native_id']}"
    sure = label.get("sure", True)
    source = (
        source_of(label["file"]) if "file" in label else Source(BoardKind(label["kind"]), label.get("token", "case"))
    )
    found = listings(root, label["file"]) if "file" in label else _by_id(_parsed(source, label))
    listing = found.get(label["native_id"])
    if listing is None:
        yield Line(where, "posting", Verdict.MISSED, label["native_id"], sorted(found)[:3], sure)
        return
    facts = read_listing(listing, source, now=NOW)
    for field, want, got, accept in _fields(label, listing, facts):
        accepted = [want, *accept]
        if got is None and None in accepted:
            continue
        yield Line(where, field, judge(want, got, accept=accept), want, got, sure)
    if label["places"] or facts.place.places:
        shown = [(place.city, place.region, place.country) for place in facts.place.places]
        yield Line(where, "places", judge_places(label, facts.place.places), label["places"], shown, sure)


def _fields(label: dict[str, Any], listing: Listing, facts: PostingFacts) -> Iterator[tuple[str, Any, Any, list[Any]]]:
    """Name, wanted, got and accepted values of each plain field."""

    def accepted(field: str) -> list[Any]:
        return list(label.get(f"{field}_accept", ()))

    yield "title", _tidy(label["title"]), listing.title, [_tidy(title) for title in accepted("title")]
    mode = [None if mode == "unknown" else mode for mode in (label["mode"], *accepted("mode"))]
    yield "mode", mode[0], None if facts.place.mode == "unknown" else facts.place.mode.value, mode[1:]
    yield "mode_conflict", label["mode_conflict"] or None, facts.place.conflict or None, []
    yield "published", label["published"], _day(facts.published), accepted("published")
    yield "updated", label["updated"], _day(facts.updated), accepted("updated")
    yield "language", label["language"], facts.language.language, accepted("language")
    yield "employment_type", label["employment_type"], facts.employment_type, accepted("employment_type")
    yield from _pay(label, facts.pay)


def _pay(label: dict[str, Any], got: PayReading) -> Iterator[tuple[str, Any, Any, list[Any]]]:
    stated = got.state is PayState.STATED
    want = label["pay"]
    if want is None:
        # Where the label has no summary, any of the ranges it knows may lead.
        known = [*label.get("pay_zones", ()), *label.get("pay_other", ())]
        bounds = (got.low, got.high) if stated else None
        yield "pay", None, bounds, [(_number(zone["low"]), _number(zone["high"])) for zone in known]
        return
    yield "pay.low", _number(want["low"]), got.low if stated else None, []
    yield "pay.high", _number(want["high"]), got.high if stated else None, []
    for part in ("currency", "period", "component"):
        read = getattr(got, part) if stated else None
        value = None if read is None or read == "unknown" else str(read)
        names = [None if name == "unknown" else name for name in (want[part], *want.get(f"{part}_accept", ()))]
        yield f"pay.{part}", names[0], value, names[1:]


def _number(value: Any) -> Decimal | None:
    return None if value is None else Decimal(str(value))


def _day(reading: DateReading) -> str | None:
    """The day as stated; one that was counted back from today is not."""
    return None if reading.day is None or RELATIVE in reading.warnings or reading.bound else reading.day.isoformat()


def _tidy(title: str) -> str:
    return " ".join(title.split())


def source_of(file: str) -> Source:
    """The source a recorded file answers for."""
    kind, _, rest = file.partition("/")
    if kind == BoardKind.WORKDAY:
        tenant, _, site = rest.partition("/")[0].partition("__")
        return Source(BoardKind.WORKDAY, f"{tenant}.wd5.myworkdayjobs.com/{tenant}/{site}")
    name = Path(rest).stem.partition(".")[0].partition("@")[0]
    return Source(BoardKind(kind), name.partition("-")[0] if "detail" in rest else name)


@lru_cache(maxsize=64)
def listings(root: Path, file: str) -> dict[str, Listing]:
    """The listings of a recorded file by native id, and by requisition where the vendor's id is longer."""
    source = source_of(file)
    adapter, body = adapter_for(source.kind), (root / file).read_bytes()
    return _by_id([adapter.parse_detail(body, source)] if "detail" in file else adapter.parse(body, source).listings)


def _parsed(source: Source, label: dict[str, Any]) -> Iterable[Listing]:
    return adapter_for(source.kind).parse(json.dumps(label["body"]).encode(), source).listings


def _by_id(found: Iterable[Listing]) -> dict[str, Listing]:
    found = list(found)
    by_requisition = {listing.requisition_id: listing for listing in reversed(found) if listing.requisition_id}
    return by_requisition | {listing.native_id: listing for listing in found}


TABLE = Postings()
