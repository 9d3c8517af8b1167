"""From a listing as the board sends it to the facts it states: vendor fields first, then the text, each with its span."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from jobctrl.discovery.model import BoardKind, Listing, LocationText, Source
from jobctrl.discovery.stated_pay import join, read_stated
from jobctrl.postings.dates import read_date
from jobctrl.postings.employment import read_employment_type
from jobctrl.postings.language import read_language
from jobctrl.postings.mode import mode_of_label
from jobctrl.postings.model import DateReading, LanguageReading, Place, PlaceReading, PostingFacts, WorkMode
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


def read_listing(listing: Listing, source: Source, *, now: datetime) -> PostingFacts:
    """All that *listing* states. Nothing is guessed: what it leaves open stays unknown, contradictions stay visible."""
    text = description_of(listing)
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
    stated = list(_stated_places(listing))
    label = listing.workplace_type
    if mode_of_label(label) is WorkMode.UNKNOWN:
        label = next(_modes_of_offices(listing), None)
    # "Full-time: Remote" is a statement about the place as well.
    if listing.employment_type and mode_of_label(listing.employment_type) is not WorkMode.UNKNOWN:
        stated.append(StatedPlace(listing.employment_type, "employment_type"))
    country = _code(listing.country)
    reading = combine(stated, workplace_type=label, remote_flag=listing.remote_flag, body=text, country=country)
    if source.kind in _PARTS_STATE_THE_PLACE:
        reading = replace(reading, places=_with_parts(reading.places, listing.locations))
    if not reading.places and country:
        reading = replace(reading, places=(Place(country=country),))
    if reading.mode is WorkMode.UNKNOWN:
        reading = replace(reading, mode=_mode_of_title(listing.title))
    return reading


def _stated_places(listing: Listing) -> Iterator[StatedPlace]:
    """What the vendor says of the place. Offices a posting is filed under speak only when its own words name no place."""
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


def _with_parts(places: tuple[Place, ...], locations: tuple[LocationText, ...]) -> tuple[Place, ...]:
    """*places* and each city that the vendor gives in a field of its own and that no list of cities knows."""
    known = {fold(place.city) for place in places if place.city}
    added = list(places)
    for location in locations:
        if location.city and fold(location.city) not in known and not read_place(location.text).places[:1]:
            added.append(Place(location.city, location.region, _code(location.country)))
    return tuple(added)


def _mode_of_title(title: str) -> WorkMode:
    """The mode in an aside of the title: `Engineer (Hybrid)`, `Engineer - US Remote`."""
    for match in _ASIDE.finditer(title):
        aside = (match[1] or match[2]).strip()
        mode = mode_of_label(aside)
        if mode is not WorkMode.UNKNOWN and (_BARE_MODE.fullmatch(aside) or read_place(aside).places):
            return mode
    return WorkMode.UNKNOWN


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
