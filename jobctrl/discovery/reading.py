"""From a listing as the board sends it to the facts it states: the vendor's fields and the text, each with its span."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from jobctrl.discovery.model import BoardKind, Listing, LocationText, Source
from jobctrl.discovery.stated_pay import join, read_stated
from jobctrl.postings.dates import read_date
from jobctrl.postings.employment import read_employment_type
from jobctrl.postings.language import read_language
from jobctrl.postings.mode import mode_of_label
from jobctrl.postings.model import DateReading, LanguageReading, Place, PlaceReading, PostingFacts, Span, WorkMode
from jobctrl.postings.pay import read_pay
from jobctrl.postings.place import StatedPlace, combine, read_place
from jobctrl.postings.text import fold, html_to_text, repair

_OFFICE = re.compile(r"offices\[\d+\]\.(name|location)")
_ASIDE = re.compile(r"[(\[]([^()\[\]]+)[)\]]|\s[-–—|]\s([^-–—|]+)$")
_BARE_MODE = re.compile(
    r"(?:fully |100 ?% ?|all[- ])?(?:remote|hybrid|on-?site|in[- ]office)(?: (?:only|role|position))?", re.I
)
_PARTS_STATE_THE_PLACE = frozenset(
    {BoardKind.SMARTRECRUITERS, BoardKind.WORKABLE, BoardKind.RECRUITEE, BoardKind.TEAMTAILOR}
)
"""Vendors whose city, region and country are the place itself; elsewhere they only explain the words beside them."""


def read_listing(listing: Listing, source: Source, *, now: datetime, text: str | None = None) -> PostingFacts:
    """All that *listing* states. Nothing is guessed: what it leaves open stays unknown, contradictions stay visible.

    *text* is its description, for a caller that has it already.
    """
    text = description_of(listing) if text is None else text
    place = _place(listing, source, text)
    country = _country(place, listing)
    return PostingFacts(
        place=place,
        pay=join([read_stated(stated, country) for stated in listing.pay], read_pay(text, country=country)),
        published=_date(listing.published, "published", now),
        updated=_date(listing.updated, "updated", now),
        valid_through=_date(listing.closes, "closes", now),
        language=_language(listing, text),
        employment_type=read_employment_type(listing.employment_type) if listing.employment_type else None,
    )


def description_of(listing: Listing) -> str:
    """The text of the posting as lines of words; empty when the board sent none."""
    if listing.description_html:
        return repair(html_to_text(listing.description_html))
    return repair(listing.description_text or "").strip()


def _place(listing: Listing, source: Source, text: str) -> PlaceReading:
    parts = list(_places_in_parts(listing)) if source.kind in _PARTS_STATE_THE_PLACE else []
    apart = {location.field for location, _ in parts}
    stated = [place for place in _stated_places(listing) if place.field not in apart]
    label = listing.workplace_type
    if mode_of_label(label) is WorkMode.UNKNOWN:
        label = next(_modes_of_offices(listing), None)
    # "Full-time: Remote" is a statement about the place as well.
    if listing.employment_type and mode_of_label(listing.employment_type) is not WorkMode.UNKNOWN:
        stated.append(StatedPlace(listing.employment_type, "employment_type"))
    country = _code(listing.country)
    # A label of three words says more than a yes or no: vendors set the flag for hybrid work as well.
    both = bool(listing.remote_flag) and mode_of_label(label) is WorkMode.HYBRID
    flag = None if both else listing.remote_flag
    reading = combine(stated, workplace_type=label, remote_flag=flag, body=text, country=country)
    places = (*(place for _, place in parts), *(_completed(place, listing.locations) for place in reading.places))
    spans = (*reading.spans, *(_whole(location.text, location.field) for location, _ in parts))
    reading = replace(reading, places=tuple(dict.fromkeys(places)), conflict=reading.conflict or both, spans=spans)
    if not reading.places and country and listing.country:
        spans = (*spans, _whole(listing.country, "country"))
        reading = replace(reading, places=(Place(country=country),), spans=spans)
    if reading.mode is WorkMode.UNKNOWN:
        mode, found = _mode_of_title(listing.title)
        reading = replace(reading, mode=mode, spans=(*reading.spans, *found))
    return reading


def _whole(text: str, field: str) -> Span:
    return Span(0, len(text), text, field)


def _stated_places(listing: Listing) -> Iterator[StatedPlace]:
    """What the vendor says of the place. The offices it is filed under speak only when its own words name no place."""
    own = [place for place in listing.locations if not _OFFICE.fullmatch(place.field)]
    offices = [place for place in listing.locations if _OFFICE.fullmatch(place.field)]
    for place in own:
        yield StatedPlace(place.text, place.field, place.city, place.region, place.country)
    if not any(read_place(place.text).places for place in own if place.text):
        located = {place.field.partition(".")[0] for place in offices if place.field.endswith(".location")}
        for place in offices:
            office, _, part = place.field.partition(".")
            # Where an office stands says more than what it is called.
            if part == "location" or office not in located:
                yield StatedPlace(place.text, place.field)


def _modes_of_offices(listing: Listing) -> Iterator[str]:
    for place in listing.locations:
        if _OFFICE.fullmatch(place.field) and mode_of_label(place.text) is not WorkMode.UNKNOWN:
            yield place.text


def _places_in_parts(listing: Listing) -> Iterator[tuple[LocationText, Place]]:
    """The places whose city is known to no list of cities, as their parts state them."""
    for location in listing.locations:
        country = _code(location.country)
        read = read_place(location.text, country=country).places
        city = location.city
        if city and fold(city) not in {fold(place.city) for place in read if place.city}:
            yield location, Place(city, _region(location, country), country)


def _completed(place: Place, locations: Iterable[LocationText]) -> Place:
    """*place* with the region that the vendor gives for just this city in a field of its own."""
    if not place.city or place.region:
        return place
    for location in locations:
        if location.region and _names(location, place):
            return replace(place, region=_region(location, place.country))
    return place


def _names(location: LocationText, place: Place) -> bool:
    """Whether *place* is the city of *location*, by its part or by its words."""
    if _code(location.country) != place.country:
        return False
    if location.city:
        # Vendors write "New York" beside "New York City".
        return fold(location.city).removesuffix(" city") == fold(place.city or "").removesuffix(" city")
    return [read.city for read in read_place(location.text, country=place.country).places] == [place.city]


def _region(location: LocationText, country: str | None) -> str | None:
    """The region of a place in parts, unless it only says the city, the country or a continent over again."""
    region = location.region
    if not region:
        return None
    if location.city and fold(region) == fold(location.city):
        return region if country == "US" else None
    named = read_place(region, country=country).places
    wider = any(not place.city and (place.region is None or place.country is None) for place in named)
    return None if wider and len(region) > 3 else region


def _mode_of_title(title: str) -> tuple[WorkMode, tuple[Span, ...]]:
    """The mode in an aside of the title that names at most a country: `Engineer (Hybrid)`, `Engineer - US Remote`."""
    for match in _ASIDE.finditer(title):
        group = 1 if match[1] else 2
        mode = mode_of_label(match[group])
        if mode is WorkMode.UNKNOWN:
            continue
        places = read_place(match[group]).places
        if _BARE_MODE.fullmatch(match[group].strip()) or (places and not any(place.city for place in places)):
            return mode, (Span(match.start(group), match.end(group), match[group], "title"),)
    return WorkMode.UNKNOWN, ()


def _country(place: PlaceReading, listing: Listing) -> str | None:
    """The one country of the posting, to settle a sign of money that several share; None when there are several."""
    countries = {found.country for found in place.places if found.country}
    if len(countries) == 1:
        return countries.pop()
    stated = _code(listing.country)
    return stated if stated in countries or not countries else None


def _code(country: str | None) -> str | None:
    """The ISO code of a country given as a code or a name."""
    if not country:
        return None
    if len(country) == 2 and country.isascii():
        return country.upper()
    places = read_place(country).places
    return places[0].country if places and not places[0].city else None


def _date(stated: str | None, field: str, now: datetime) -> DateReading:
    if not stated:
        return DateReading()
    reading = read_date(stated, now=now)
    return replace(reading, span=replace(reading.span, field=field)) if reading.span else reading


def _language(listing: Listing, text: str) -> LanguageReading:
    """The language of the text; of a posting without a readable one, what the vendor says."""
    reading = read_language(text)
    if reading.language or reading.confidence or not listing.language:
        return reading
    code = listing.language.replace("_", "-").partition("-")[0].lower()
    return LanguageReading(code) if len(code) == 2 and code.isalpha() else reading
