"""Where the work is, by all that the tiers of a page state."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from jobctrl.enrichment.model import FieldSource, Said, Stated
from jobctrl.postings.gazetteer import lookup
from jobctrl.postings.mode import mode_of_label
from jobctrl.postings.model import Place, PlaceReading, WorkMode
from jobctrl.postings.place import StatedPlace, combine, read_place
from jobctrl.postings.text import fold

# Letters, and the signs that stand in names of cities: no codes, no counts, no street numbers.
_CITY = re.compile(
    r"(?!(?i:remote|hybrid|anywhere|multiple|various|worldwide|nationwide)\b)[^\W\d_][^\d_,;:/|<>()@#]{1,45}"
)
_SEVERAL = re.compile(r"[,;/|•]|\s(?:or|and|ou|oder|und|y|e|o)\s")
_SITE = re.compile(r"[A-Z]{2,3}-[A-Z]{2,3}\s")


def read_places(
    tiers: Sequence[Stated], text: str, sources: dict[str, FieldSource], warnings: list[str]
) -> PlaceReading:
    """The places of the first tier that has any, and the mode of all: what a reader sees wins over a hidden flag."""
    label = _mode_label(tiers)
    remote = any(tier.telecommute for tier in tiers)
    contradicted = remote and label is not None and mode_of_label(label.text) is not WorkMode.REMOTE
    stated: tuple[StatedPlace, ...] = ()
    places: tuple[Place, ...] = ()
    for tier in tiers:
        found = tuple(dict.fromkeys(place for one in tier.places for place in places_of(one)))
        if found and not places:
            stated, places = tier.places, found
            sources["places"] = FieldSource(tier.tier, Said(stated[0].text, stated[0].field).span)
        elif found:
            places = tuple(_as_shown(place, found) for place in places)
    reading = combine(
        stated, workplace_type=label.text if label else None, remote_flag=remote and not contradicted, body=text
    )
    if contradicted:
        warnings.append("work_mode: the page says otherwise than its JSON-LD")
    return replace(reading, places=tuple(dict.fromkeys(places)), conflict=reading.conflict or contradicted)


def _mode_label(tiers: Sequence[Stated]) -> Said | None:
    """A word for the work mode: one that stands for itself, else in a location line (`Lyon (hybride)`)."""
    words_alone = [tier.work_mode for tier in tiers if tier.work_mode]
    in_lines = [Said(place.text, place.field) for tier in tiers for place in tier.places]
    known = (said for said in (*words_alone, *in_lines) if mode_of_label(said.text) is not WorkMode.UNKNOWN)
    return next(known, None)


def places_of(stated: StatedPlace) -> tuple[Place, ...]:
    """The places of one statement. Where fields part city, region and country they are believed: the gazetteer only
    spells them out, and a city that it does not know stays as written."""
    country = next((place.country for place in read_place(stated.country).places), None) if stated.country else None
    city = (stated.city or "").strip()
    text = ", ".join(dict.fromkeys(part for part in (city, stated.region) if part)) or stated.text
    places = tuple(
        replace(place, city=_without_site(place, city), country=place.country or country)
        for place in read_place(text, country=country).places
        if not country or place.country in (country, None)
    )
    if not city:
        return places or ((Place(country=country),) if country else ())
    cities = tuple(replace(place, region=place.region or stated.region) for place in places if place.city)
    if cities:
        return cities if _SEVERAL.search(city) else cities[:1]
    if not _CITY.fullmatch(city):
        return places or ((Place(country=country),) if country else ())
    near = places[0] if places else Place(country=country)
    return (Place(city, near.region or stated.region, near.country),)


def _without_site(place: Place, written: str) -> str | None:
    """The town alone where a locality is a site code: `USA-MN Mounds View South` names a building in Mounds View."""
    if place.city and _SITE.match(written) and lookup(place.city) is None:
        words = place.city.split()
        for count in range(len(words) - 1, 0, -1):
            known = lookup(shorter := " ".join(words[:count]))
            if known and any(town.country == place.country for town in known.cities):
                return shorter
    return place.city


def _as_shown(place: Place, shown: Sequence[Place]) -> Place:
    """The city that the page shows where the fields name its district: the shown city is the region there."""
    for other in shown:
        if other.city and place.region and fold(other.city) == fold(place.region) and other.country == place.country:
            return other
    return place
