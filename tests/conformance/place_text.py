"""Location strings: the set of places and the work mode of each line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jobctrl.postings.folding import fold
from jobctrl.postings.gazetteer import same_subdivision
from jobctrl.postings.model import Place
from jobctrl.postings.place import read_place
from tests.conformance.harness import Line, Verdict, judge, labels

LabelledPlaces = list[dict[str, Any]]


class PlaceText:
    name = "place_text"

    def lines(self, labels_dir: Path, root: Path) -> Iterable[Line]:
        for label in labels(labels_dir / f"{self.name}.jsonl"):
            reading = read_place(label["text"], country=label.get("given_country"))
            sure = label.get("sure", True)
            verdict = judge_places(label, reading.places)
            yield Line(label["text"], "places", verdict, label["places"], _shown(reading.places), sure)
            got = None if reading.mode == "unknown" else reading.mode.value
            accepted = [label["mode"], *label.get("mode_accept", ())]
            want = [None if mode == "unknown" else mode for mode in accepted]
            yield Line(label["text"], "mode", judge(want[0], got, accept=want), label["mode"], reading.mode.value, sure)


def judge_places(label: dict[str, Any], got: Iterable[Place]) -> Verdict:
    """Right when the set of places is the labelled one; wrong when it holds a place the label does not know."""
    read = list(got)
    accepted = [label["places"], *label.get("places_accept", ())]
    verdicts = [_compare(want, read, label) for want in accepted]
    return next((v for v in (Verdict.RIGHT, Verdict.MISSED) if v in verdicts), Verdict.WRONG)


def _compare(want: LabelledPlaces, got: list[Place], label: dict[str, Any]) -> Verdict:
    open_want = list(want)
    foreign = vague = False
    for place in got:
        match = next((w for w in open_want if _equal(w, place)), None)
        if match is not None:
            open_want.remove(match)
        elif any(_vaguer(place, w) for w in open_want):
            vague = True
        elif not any(_equal(w, place) for w in want):
            foreign = True
    if foreign and not label.get("places_accept_superset"):
        return Verdict.WRONG
    first_found = bool(want) and any(_equal(want[0], place) for place in got)
    if not vague and (not open_want or (label.get("places_accept_subset") and first_found)):
        return Verdict.RIGHT
    return Verdict.MISSED


def _equal(want: dict[str, Any], got: Place) -> bool:
    return (
        want["country"] == got.country
        and _same_name(want, "city", got.city)
        and (
            _same_name(want, "region", got.region)
            or bool(want["region"] and got.region and same_subdivision(got.country, want["region"], got.region))
        )
    )


def _same_name(want: dict[str, Any], part: str, got: str | None) -> bool:
    names = [name for name in (want[part], want.get(f"{part}_alt")) if name]
    if not names or got is None:
        return not names and got is None
    return fold(got) in {fold(name) for name in names}


def _vaguer(got: Place, want: dict[str, Any]) -> bool:
    """Whether *got* says less than the label and contradicts none of it."""
    if (got.city is None) != (want["city"] is None) and got.city is not None:
        return False
    return all(
        value is None
        or value == want[part]
        or _same_name(want, part, value)
        or (part == "region" and bool(want["region"]) and same_subdivision(want["country"], value, want["region"]))
        for part, value in (("city", got.city), ("region", got.region), ("country", got.country))
    ) and any((got.city, got.region, got.country))


def _shown(places: Iterable[Place]) -> list[tuple[str | None, str | None, str | None]]:
    return [(place.city, place.region, place.country) for place in places]


TABLE = PlaceText()
