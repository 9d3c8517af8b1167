"""Personio career pages: one XML feed with every position, texts included."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar
from urllib.parse import quote
from xml.etree import ElementTree

from jobctrl.discovery.model import BoardKind, BoardListing, Listing, LocationText, RowProblem, Source
from jobctrl.discovery.sources.base import Board
from jobctrl.discovery.sources.markup import all_of, name_of, parse_xml, text_of
from jobctrl.discovery.sources.wire import unexpected
from jobctrl.discovery.sources.words import markup, missing, sections, word
from jobctrl.network.model import Purpose, Request

_ROOT = "workzag-jobs"


class Personio(Board):
    kind: ClassVar[BoardKind] = BoardKind.PERSONIO

    def requests(self, source: Source) -> tuple[Request, ...]:
        return (Request(f"https://{_host(source)}/xml", purpose=Purpose.BOARD_API),)

    def parse(self, body: bytes, source: Source) -> BoardListing:
        return parse(body, source)

    def parse_detail(self, body: bytes, source: Source) -> Listing:
        board = parse(body, source)
        if len(board.listings) != 1:
            raise unexpected(source, "a feed of one position", f"a feed of {board.returned}")
        return board.listings[0]

    def detail_requests(self, listing: Listing, source: Source) -> tuple[Request, ...]:
        # The feed is all that Personio tells without a key.
        return ()


def parse(body: bytes, source: Source) -> BoardListing:
    """A page's feed. Raises SourceUnavailable when it is not Personio's."""
    root = parse_xml(body, source, f"Personio's XML with <{_ROOT}>")
    if name_of(root) != _ROOT:
        raise unexpected(source, f"Personio's XML with <{_ROOT}>", f"XML with <{name_of(root)}>")
    rows = list(root)
    if rows and not all_of(root, "position"):
        raise unexpected(source, "Personio's XML with <position>", f"XML with <{name_of(rows[0])}>")
    listings: list[Listing] = []
    problems: list[RowProblem] = []
    for index, row in enumerate(rows):
        made = _listing(row, index, source)
        if isinstance(made, RowProblem):
            problems.append(made)
        else:
            listings.append(made)
    return BoardListing(tuple(listings), tuple(problems))


def _host(source: Source) -> str:
    return source.token if "." in source.token else f"{quote(source.token, safe='')}.jobs.personio.de"


def _listing(row: ElementTree.Element, index: int, source: Source) -> Listing | RowProblem:
    if name_of(row) != "position":
        return RowProblem(index, "not_an_object", detail=f"<{name_of(row)}>")
    native_id, title = word(text_of(row, "id")), word(text_of(row, "name"))
    url = f"https://{_host(source)}/job/{quote(native_id, safe='')}" if native_id else None
    if not (native_id and title and url):
        return missing(index, native_id, title, url)
    return Listing(
        native_id=native_id,
        title=title,
        url=url,
        company=word(text_of(row, "subcompany")),
        apply_url=f"{url}#apply",
        locations=tuple(_locations(row)),
        employment_type=_type(row),
        department=word(text_of(row, "department")),
        team=word(text_of(row, "recruitingCategory")),
        description_html=sections(_sections(row)),
        published=word(text_of(row, "createdAt")),
    )


def _locations(row: ElementTree.Element) -> Iterator[LocationText]:
    if office := word(text_of(row, "office")):
        yield LocationText(office, "office")
    for others in all_of(row, "additionalOffices"):
        for number, other in enumerate(all_of(others, "office")):
            if text := word(other.text):
                yield LocationText(text, f"additionalOffices.office[{number}]")


def _type(row: ElementTree.Element) -> str | None:
    """What kind of contract, unless it is the usual one: then how much of the week."""
    kind, schedule = word(text_of(row, "employmentType")), word(text_of(row, "schedule"))
    return schedule if schedule and kind in (None, "permanent") else kind


def _sections(row: ElementTree.Element) -> Iterator[tuple[str | None, str | None]]:
    for descriptions in all_of(row, "jobDescriptions"):
        for description in all_of(descriptions, "jobDescription"):
            yield word(text_of(description, "name")), markup(text_of(description, "value"))
