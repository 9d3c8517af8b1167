"""Recruitee careers sites: one answer with every offer, texts included."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar
from urllib.parse import quote

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
from jobctrl.discovery.sources.words import address, amount, markup, missing, period, sections, word
from jobctrl.network.model import Purpose, Request


class Place(msgspec.Struct):
    name: str | None = None
    city: str | None = None
    state: str | None = None
    country: str | None = None
    country_code: str | None = None


class Salary(msgspec.Struct):
    min: int | float | str | None = None
    max: int | float | str | None = None
    currency: str | None = None
    period: str | None = None


class Offer(msgspec.Struct):
    id: int | str | None = None
    title: str | None = None
    careers_url: str | None = None
    careers_apply_url: str | None = None
    company_name: str | None = None
    location: str | None = None
    locations: list[Place] | None = None
    city: str | None = None
    state_name: str | None = None
    country: str | None = None
    country_code: str | None = None
    remote: bool | None = None
    hybrid: bool | None = None
    on_site: bool | None = None
    status: str | None = None
    department: str | None = None
    employment_type_code: str | None = None
    description: str | None = None
    requirements: str | None = None
    salary: Salary | None = None
    published_at: str | None = None
    updated_at: str | None = None
    close_at: str | None = None


class Offers(msgspec.Struct):
    offers: list[Offer]


_SHAPE = wire.Shape(Offers, Offer, "offers", frozenset({"careers_url", "careers_apply_url"}))


class Recruitee(Board):
    kind: ClassVar[BoardKind] = BoardKind.RECRUITEE

    def requests(self, source: Source) -> tuple[Request, ...]:
        # A site on the employer's own domain has the domain for a token.
        host = source.token if "." in source.token else f"{quote(source.token, safe='')}.recruitee.com"
        return (Request(f"https://{host}/api/offers/", purpose=Purpose.BOARD_API),)

    def parse(self, body: bytes, source: Source) -> BoardListing:
        return parse(body, source)

    def parse_detail(self, body: bytes, source: Source) -> Listing:
        return wire.one(body, source, Offer, _listing)

    def detail_requests(self, listing: Listing, source: Source) -> tuple[Request, ...]:
        # An offer without a text in the list has none in its own answer either.
        return ()


def parse(body: bytes, source: Source) -> BoardListing:
    """A site's answer. Raises SourceUnavailable when it is not Recruitee's."""
    return wire.board(wire.decode(body, source, _SHAPE), _listing, body, source, _SHAPE)


def _listing(offer: Offer, index: int, source: Source) -> Listing | RowProblem:
    native_id, title, url = word(offer.id), word(offer.title), address(offer.careers_url)
    if not (native_id and title and url):
        return missing(index, native_id, title, url)
    if word(offer.status) not in (None, "published"):
        return RowProblem(index, "unlisted", native_id, detail=title)
    return Listing(
        native_id=native_id,
        title=title,
        url=url,
        company=word(offer.company_name),
        apply_url=address(offer.careers_apply_url),
        locations=tuple(_locations(offer)),
        country=word(offer.country_code),
        workplace_type="hybrid" if offer.hybrid else "on-site" if offer.on_site else None,
        remote_flag=offer.remote or None,
        employment_type=_type(offer),
        department=word(offer.department),
        description_html=sections(
            ((None, markup(offer.description)), ("Requirements", markup(offer.requirements))),
        ),
        pay=tuple(_pay(offer.salary)),
        published=word(offer.published_at),
        updated=word(offer.updated_at),
        closes=word(offer.close_at),
    )


def _type(offer: Offer) -> str | None:
    code = word(offer.employment_type_code)
    return code.replace("_", " ") if code else None


def _locations(offer: Offer) -> Iterator[LocationText]:
    """The list of places where there is one, else the fields of the single place; then the vendor's own summary."""
    fields = Place(city=offer.city, state=offer.state_name, country=offer.country, country_code=offer.country_code)
    for number, place in enumerate(offer.locations or [fields]):
        city, region, country = word(place.city), word(place.state), word(place.country)
        text = ", ".join(part for part in (city, region, country) if part) or word(place.name)
        if text:
            yield LocationText(text, f"locations[{number}]", country=word(place.country_code), city=city, region=region)
    if summary := word(offer.location):
        yield LocationText(summary, "location")


def _pay(salary: Salary | None) -> Iterator[StatedPay]:
    low, high = (amount(salary.min), amount(salary.max)) if salary else (None, None)
    if salary and (low or high):
        yield StatedPay(low, high, word(salary.currency), period(salary.period), field="salary")
