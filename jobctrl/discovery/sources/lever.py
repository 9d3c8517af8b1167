"""Lever postings: one bare list with every posting of the site."""

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


class Categories(msgspec.Struct, rename="camel"):
    commitment: str | None = None
    department: str | None = None
    location: str | None = None
    team: str | None = None
    all_locations: list[str | None] | None = None


class Part(msgspec.Struct):
    text: str | None = None
    content: str | None = None


class SalaryRange(msgspec.Struct):
    min: int | float | str | None = None
    max: int | float | str | None = None
    currency: str | None = None
    interval: str | None = None


class Posting(msgspec.Struct, rename="camel"):
    id: str | int | None = None
    text: str | None = None
    hosted_url: str | None = None
    apply_url: str | None = None
    categories: Categories | None = None
    country: str | None = None
    workplace_type: str | None = None
    created_at: int | str | None = None
    updated_at: int | str | None = None
    description: str | None = None
    description_plain: str | None = None
    lists: list[Part] | None = None
    additional: str | None = None
    additional_plain: str | None = None
    salary_range: SalaryRange | None = None
    salary_description: str | None = None
    salary_description_plain: str | None = None


_SHAPE = wire.Shape(list[Posting], Posting, None, frozenset({"hostedUrl", "categories"}))


class Lever(Board):
    kind: ClassVar[BoardKind] = BoardKind.LEVER

    def requests(self, source: Source) -> tuple[Request, ...]:
        return (Request(f"{_site(source)}?mode=json", purpose=Purpose.BOARD_API),)

    def parse(self, body: bytes, source: Source) -> BoardListing:
        return parse(body, source)

    def parse_detail(self, body: bytes, source: Source) -> Listing:
        return parse_detail(body, source)

    def detail_requests(self, listing: Listing, source: Source) -> tuple[Request, ...]:
        # A posting without a text in the list has none in its own answer either.
        return ()


def parse(body: bytes, source: Source) -> BoardListing:
    """A site's answer. Raises SourceUnavailable when it is not Lever's."""
    return wire.board(wire.decode(body, source, _SHAPE), _listing, body, source, _SHAPE)


def parse_detail(body: bytes, source: Source) -> Listing:
    """The answer about one posting. Raises SourceUnavailable when it is none."""
    return wire.one(body, source, Posting, _listing)


def _site(source: Source) -> str:
    """Lever keeps European sites on a host of their own; their token says so as `eu/acme`."""
    region, _, name = source.token.rpartition("/")
    host = "api.eu.lever.co" if region == "eu" else "api.lever.co"
    return f"https://{host}/v0/postings/{quote(name, safe='')}"


def _listing(posting: Posting, index: int, source: Source) -> Listing | RowProblem:
    apply_url = address(posting.apply_url)
    native_id, title, url = word(posting.id), word(posting.text), address(posting.hosted_url) or apply_url
    if not (native_id and title and url):
        return missing(index, native_id, title, url)
    categories = posting.categories or Categories()
    return Listing(
        native_id=native_id,
        title=title,
        url=url,
        apply_url=apply_url,
        locations=tuple(_locations(categories)),
        country=word(posting.country),
        workplace_type=word(posting.workplace_type),
        employment_type=word(categories.commitment),
        department=word(categories.department),
        team=word(categories.team),
        description_html=_description(posting),
        description_text=_plain(posting),
        pay=tuple(_pay(posting)),
        published=word(posting.created_at),
        updated=word(posting.updated_at),
    )


def _locations(categories: Categories) -> Iterator[LocationText]:
    first = word(categories.location)
    if first:
        yield LocationText(first, "categories.location")
    for place, text in enumerate(categories.all_locations or ()):
        if (other := word(text)) and other != first:
            yield LocationText(other, f"categories.allLocations[{place}]")


def _description(posting: Posting) -> str | None:
    """The text in the order of the page: opening and body, the lists, the words on pay, the closing."""
    return sections(
        (
            (None, posting.description),
            *((word(part.text), _listed(part.content)) for part in posting.lists or ()),
            (None, posting.salary_description),
            (None, posting.additional),
        )
    )


def _listed(content: str | None) -> str | None:
    content = markup(content)
    return f"<ul>{content}</ul>" if content and content.lstrip()[:3].lower() == "<li" else content


def _plain(posting: Posting) -> str | None:
    if markup(posting.description) or markup(posting.additional):
        return None
    parts = (posting.description_plain, posting.salary_description_plain, posting.additional_plain)
    return "\n\n".join(part for part in parts if part and part.strip()) or None


def _pay(posting: Posting) -> Iterator[StatedPay]:
    stated = posting.salary_range
    low, high = (amount(stated.min), amount(stated.max)) if stated else (None, None)
    if stated and (low or high):
        yield StatedPay(
            low=low,
            high=high,
            currency=word(stated.currency),
            period=period(stated.interval),
            text=word(posting.salary_description_plain),
            field="salaryRange",
        )
