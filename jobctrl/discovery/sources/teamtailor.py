"""Teamtailor career sites: a JSON feed with schema.org data in each item, else the RSS feed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar
from urllib.parse import quote
from xml.etree import ElementTree

import msgspec

from jobctrl.discovery.model import (
    BoardKind,
    BoardListing,
    Listing,
    LocationText,
    RowProblem,
    Source,
    StatedPay,
)
from jobctrl.discovery.sources import wire
from jobctrl.discovery.sources.base import Board
from jobctrl.discovery.sources.markup import all_of, name_of, parse_xml, text_of
from jobctrl.discovery.sources.words import address, amount, markup, missing, period, word
from jobctrl.network.model import Purpose, Request

_NUMBER = re.compile(r"/jobs/(\d+)")


class Postal(msgspec.Struct, rename="camel"):
    address_locality: str | None = None
    address_region: str | None = None
    address_country: str | None = None


class Place(msgspec.Struct):
    address: Postal | None = None


class Organization(msgspec.Struct):
    name: str | None = None


class Identifier(msgspec.Struct):
    value: int | str | None = None


class Value(msgspec.Struct, rename="camel"):
    min_value: int | float | str | None = None
    max_value: int | float | str | None = None
    value: int | float | str | None = None
    unit_text: str | None = None


class Salary(msgspec.Struct):
    currency: str | None = None
    value: Value | None = None


class JobPosting(msgspec.Struct, rename="camel"):
    identifier: Identifier | None = None
    description: str | None = None
    job_location: list[Place] | Place | None = None
    job_location_type: str | None = None
    employment_type: Any = None
    hiring_organization: Organization | None = None
    base_salary: Salary | None = None
    date_posted: str | None = None
    valid_through: str | None = None


class Item(msgspec.Struct):
    id: str | int | None = None
    title: str | None = None
    url: str | None = None
    content_html: str | None = None
    date_published: str | None = None
    date_modified: str | None = None
    language: str | None = None
    posting: JobPosting | None = msgspec.field(default=None, name="_jobposting")


class Feed(msgspec.Struct):
    items: list[Item]


_SHAPE = wire.Shape(Feed, Item, "items", frozenset({"_jobposting", "date_published"}))


class Teamtailor(Board):
    kind: ClassVar[BoardKind] = BoardKind.TEAMTAILOR

    def requests(self, source: Source) -> tuple[Request, ...]:
        host = source.token if "." in source.token else f"{quote(source.token, safe='')}.teamtailor.com"
        return (
            Request(f"https://{host}/jobs.json", purpose=Purpose.BOARD_API),
            Request(f"https://{host}/jobs.rss", purpose=Purpose.BOARD_API),
        )

    def parse(self, body: bytes, source: Source) -> BoardListing:
        return parse(body, source)

    def parse_detail(self, body: bytes, source: Source) -> Listing:
        return wire.one(body, source, Item, _listing)

    def detail_requests(self, listing: Listing, source: Source) -> tuple[Request, ...]:
        # The feed is all that Teamtailor tells without a key; the page itself is for enrichment.
        return ()


def parse(body: bytes, source: Source) -> BoardListing:
    """A site's feed in either shape. Raises SourceUnavailable when it is not Teamtailor's."""
    if body.lstrip()[:5] in (b"<?xml", b"<rss "):
        return _parse_rss(body, source)
    return wire.board(wire.decode(body, source, _SHAPE), _listing, body, source, _SHAPE)


def _listing(item: Item, index: int, source: Source) -> Listing | RowProblem:
    posting = item.posting or JobPosting()
    title, url = word(item.title), address(item.url)
    native_id = _native_id(url, word(posting.identifier.value) if posting.identifier else word(item.id))
    if not (native_id and title and url):
        return missing(index, native_id, title, url)
    kinds = posting.employment_type
    return Listing(
        native_id=native_id,
        title=title,
        url=url,
        company=word(posting.hiring_organization.name) if posting.hiring_organization else None,
        locations=tuple(_locations(posting)),
        remote_flag=True if word(posting.job_location_type) == "TELECOMMUTE" else None,
        employment_type=word(kinds[0] if isinstance(kinds, list) and kinds else kinds),
        description_html=markup(item.content_html) or markup(posting.description),
        pay=tuple(_pay(posting.base_salary)),
        published=word(item.date_published) or word(posting.date_posted),
        updated=word(item.date_modified),
        closes=word(posting.valid_through),
        language=word(item.language),
    )


def _native_id(url: str | None, stated: str | None) -> str | None:
    number = _NUMBER.search(url or "")
    return number[1] if number else stated


def _locations(posting: JobPosting) -> Iterator[LocationText]:
    places = posting.job_location if isinstance(posting.job_location, list) else [posting.job_location]
    for number, place in enumerate(places):
        postal = (place.address if place else None) or Postal()
        city, region, country = (
            word(part) for part in (postal.address_locality, postal.address_region, postal.address_country)
        )
        if text := ", ".join(part for part in (city, region, country) if part):
            yield LocationText(text, f"jobLocation[{number}].address", country=country, city=city, region=region)


def _pay(salary: Salary | None) -> Iterator[StatedPay]:
    value = salary.value if salary else None
    if salary and value:
        one = amount(value.value)
        low, high = amount(value.min_value) or one, amount(value.max_value) or one
        if low or high:
            yield StatedPay(low, high, word(salary.currency), period(value.unit_text), field="baseSalary")


def _parse_rss(body: bytes, source: Source) -> BoardListing:
    expected = "Teamtailor's RSS with <channel>"
    root = parse_xml(body, source, expected)
    channels = all_of(root, "channel")
    if not channels:
        raise wire.unexpected(source, expected, f"XML with <{name_of(root)}>")
    listings: list[Listing] = []
    problems: list[RowProblem] = []
    for index, item in enumerate(all_of(channels[0], "item")):
        made = _from_rss(item, index)
        if isinstance(made, RowProblem):
            problems.append(made)
        else:
            listings.append(made)
    return BoardListing(tuple(listings), tuple(problems))


def _from_rss(item: ElementTree.Element, index: int) -> Listing | RowProblem:
    title, url = word(text_of(item, "title")), address(text_of(item, "link"))
    native_id = _native_id(url, word(text_of(item, "guid")))
    if not (native_id and title and url):
        return missing(index, native_id, title, url)
    return Listing(
        native_id=native_id,
        title=title,
        url=url,
        locations=tuple(_rss_locations(item)),
        workplace_type=word(text_of(item, "remoteStatus")),
        department=word(text_of(item, "department")),
        team=word(text_of(item, "role")),
        description_html=markup(text_of(item, "description")),
        published=word(text_of(item, "pubDate")),
    )


def _rss_locations(item: ElementTree.Element) -> Iterator[LocationText]:
    for places in all_of(item, "locations"):
        for number, place in enumerate(all_of(places, "location")):
            city, country = word(text_of(place, "city")), word(text_of(place, "country"))
            text = ", ".join(part for part in (city, country) if part) or word(text_of(place, "name"))
            if text:
                yield LocationText(text, f"locations.location[{number}]", country=country, city=city)
