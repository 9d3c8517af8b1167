"""Workday career sites (CXS): a paged list of titles, and the text of each posting on its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import ClassVar
from urllib.parse import quote, unquote

import msgspec

from jobctrl.discovery.model import BoardKind, BoardListing, Listing, LocationText, RowProblem, Source, SourceRefused
from jobctrl.discovery.sources import wire
from jobctrl.discovery.sources.base import Board
from jobctrl.discovery.sources.paging import read_pages
from jobctrl.discovery.sources.words import address, markup, missing, word
from jobctrl.errors import InvalidRequest
from jobctrl.network.model import Purpose, Request, Web

PAGE_SIZE = 20
MOST_PAGES = 25
_COUNT = re.compile(r"^\d+\s+\w+$")
_TAIL = re.compile(r"_([^_/]*\d[^_/]*)$")


class Row(msgspec.Struct, rename="camel"):
    title: str | None = None
    external_path: str | None = None
    locations_text: str | None = None
    posted_on: str | None = None
    remote_type: str | None = None
    time_type: str | None = None
    bullet_fields: list[str | None] | None = None


class Page(msgspec.Struct, rename="camel"):
    job_postings: list[Row]
    total: int | None = None


class Country(msgspec.Struct, rename="camel"):
    descriptor: str | None = None
    alpha2_code: str | None = msgspec.field(default=None, name="alpha2Code")


class RequisitionLocation(msgspec.Struct):
    descriptor: str | None = None
    country: Country | None = None


class Info(msgspec.Struct, rename="camel"):
    title: str | None = None
    job_description: str | None = None
    location: str | None = None
    additional_locations: list[str | None] | None = None
    start_date: str | None = None
    end_date: str | None = None
    posted_on: str | None = None
    time_type: str | None = None
    remote_type: str | None = None
    job_req_id: str | None = None
    external_url: str | None = None
    country: Country | None = None
    job_requisition_location: RequisitionLocation | None = None
    posted: bool | None = None
    can_apply: bool | None = None


class Organization(msgspec.Struct):
    name: str | None = None


class Detail(msgspec.Struct, rename="camel"):
    job_posting_info: Info | None = None
    hiring_organization: Organization | None = None


_SHAPE = wire.Shape(Page, Row, "jobPostings", frozenset({"externalPath", "postedOn", "locationsText"}))


class Workday(Board):
    kind: ClassVar[BoardKind] = BoardKind.WORKDAY

    def requests(self, source: Source) -> tuple[Request, ...]:
        return (_page_at(source, 0),)

    def parse(self, body: bytes, source: Source) -> BoardListing:
        return parse(body, source)

    def parse_detail(self, body: bytes, source: Source) -> Listing:
        return parse_detail(body, source)

    def pages(
        self, source: Source, web: Web, *, heartbeat: Callable[[], None], cancelled: Callable[[], bool]
    ) -> BoardListing | SourceRefused:
        return read_pages(
            source,
            web,
            first=self.requests(source),
            page_at=lambda offset: _page_at(source, offset),
            parse=parse,
            size=PAGE_SIZE,
            most=MOST_PAGES,
            heartbeat=heartbeat,
            cancelled=cancelled,
        )

    def detail_requests(self, listing: Listing, source: Source) -> tuple[Request, ...]:
        _, _, site = parts(source)
        _, found, path = listing.url.partition(f"/{site}/job/")
        if not found:
            return ()
        return (Request(f"{_api(source)}/job/{path}", purpose=Purpose.BOARD_API),)


def parts(source: Source) -> tuple[str, str, str]:
    """Host, tenant and site of a Workday token. Raises InvalidRequest when it does not name all three."""
    names = source.token.split("/")
    if len(names) != 3 or not all(names):
        raise InvalidRequest(
            f"{source.id}: a Workday token is host/tenant/site",
            hint="For example workday:acme.wd5.myworkdayjobs.com/acme/External",
        )
    return names[0], names[1], names[2]


def parse(body: bytes, source: Source) -> BoardListing:
    """One page of the list. Raises SourceUnavailable when it is not Workday's."""
    decoded = wire.decode(body, source, _SHAPE)
    return wire.board(decoded, _listing, body, source, _SHAPE, decoded.body.total)


def parse_detail(body: bytes, source: Source) -> Listing:
    """The answer about one posting. Raises SourceUnavailable when it is none."""
    return wire.one(body, source, Detail, _described)


def _api(source: Source) -> str:
    host, tenant, site = parts(source)
    return f"https://{host}/wday/cxs/{quote(tenant, safe='')}/{quote(site, safe='')}"


def _page_at(source: Source, offset: int) -> Request:
    question = {"appliedFacets": {}, "limit": PAGE_SIZE, "offset": offset, "searchText": ""}
    return Request(f"{_api(source)}/jobs", method="POST", json=question, purpose=Purpose.BOARD_API)


def _native_id(path: str, requisition: str | None) -> str:
    """The id at the end of the path: one requisition may be posted several times, told apart by a suffix."""
    tail = _TAIL.search(path)
    return tail[1] if tail else requisition or unquote(path.rsplit("/", 1)[-1])


def _listing(row: Row, index: int, source: Source) -> Listing | RowProblem:
    path, title = word(row.external_path), word(row.title)
    bullets = [bullet for bullet in map(word, row.bullet_fields or ()) if bullet]
    native_id = _native_id(path, None) if path else None
    if not (native_id and title and path):
        return missing(index, native_id, title, path)
    # The first bullet is the requisition on most sites; on others it is a place or a date.
    requisition = next((bullet for bullet in bullets if native_id.startswith(bullet)), None)
    host, _, site = parts(source)
    return Listing(
        native_id=native_id,
        title=title,
        url=f"https://{host}/{site}{path if path.startswith('/') else '/' + path}",
        requisition_id=requisition,
        locations=tuple(_row_locations(row)),
        workplace_type=word(row.remote_type),
        employment_type=word(row.time_type),
        published=word(row.posted_on),
    )


def _row_locations(row: Row) -> Iterator[LocationText]:
    # "3 Locations" names none, and the path only the first with its gaps and commas lost: the detail names them all.
    text = word(row.locations_text)
    if text and not _COUNT.match(text):
        yield LocationText(text, "locationsText")


def _described(detail: Detail, index: int, source: Source) -> Listing | RowProblem:
    info = detail.job_posting_info or Info()
    url, title, requisition = address(info.external_url), word(info.title), word(info.job_req_id)
    native_id = _native_id(url, requisition) if url else requisition
    if not (native_id and title and url):
        return missing(index, native_id, title, url)
    stands = info.job_requisition_location.country if info.job_requisition_location else None
    country = (stands.alpha2_code if stands else None) or (info.country.descriptor if info.country else None)
    places = [("location", info.location)] + [
        (f"additionalLocations[{place}]", text) for place, text in enumerate(info.additional_locations or ())
    ]
    return Listing(
        native_id=native_id,
        title=title,
        url=url,
        company=word(detail.hiring_organization.name) if detail.hiring_organization else None,
        apply_url=f"{url}/apply" if info.can_apply else None,
        requisition_id=requisition,
        locations=tuple(LocationText(text, field) for field, said in places if (text := word(said))),
        country=word(country),
        workplace_type=word(info.remote_type),
        employment_type=word(info.time_type),
        description_html=markup(info.job_description),
        published=word(info.start_date) or word(info.posted_on),
        closes=word(info.end_date),
        listed=info.posted is not False,
    )
