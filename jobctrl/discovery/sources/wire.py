"""A vendor's body, decoded row by row: one odd row never costs the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, cast

import msgspec

from jobctrl.discovery.model import BoardListing, Listing, RowProblem, Source
from jobctrl.errors import SourceUnavailable

Body = TypeVar("Body")
Row = TypeVar("Row")

_FIELD = re.compile(r"at `\$\.([^.\[`]+)")
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Shape(Generic[Body, Row]):
    """What a vendor's body looks like: `rows` names the list in it, None when the body is the list itself."""

    body: type[Body]
    row: type[Row]
    rows: str | None
    marks: frozenset[str]
    """Keys of which each row of this vendor has at least one; a body whose rows have none is another vendor's."""

    def rows_of(self, body: Body) -> list[Row]:
        """The rows of a decoded body."""
        if self.rows is None:
            return cast(list[Row], body)
        named = (
            field.name
            for field in msgspec.structs.fields(cast(type[msgspec.Struct], self.body))
            if field.encode_name == self.rows
        )
        return cast(list[Row], getattr(body, next(named)))


@dataclass
class Decoded(Generic[Body, Row]):
    """The rows that could be read under their place in the answer, and the problems of the others."""

    body: Body
    rows: list[tuple[int, Row]]
    problems: list[RowProblem] = field(default_factory=list)
    unread: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """By row: the fields left out because of their shape."""


def decode(body: bytes, source: Source, shape: Shape[Body, Row]) -> Decoded[Body, Row]:
    """*body* as the vendor's shape, at full speed when each row has it and row by row when one has not.

    Raises SourceUnavailable when the body as a whole is not what the vendor sends.
    """
    try:
        whole = msgspec.json.decode(body, type=shape.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _decode_rows(body, source, shape)
    return Decoded(whole, list(enumerate(shape.rows_of(whole))))


def one(
    body: bytes, source: Source, row: type[Row], make: Callable[[Row, int, Source], Listing | RowProblem]
) -> Listing:
    """The one posting in *body*. Raises SourceUnavailable when there is none."""
    unread: tuple[str, ...] = ()
    try:
        read = msgspec.json.decode(body, type=row)
    except (msgspec.DecodeError, UnicodeDecodeError):
        content = parse_json(body, source)
        if not isinstance(content, dict):
            raise unexpected(source, "one posting as a JSON object", describe(content)) from None
        try:
            read, unread = _convert(content, row)
        except msgspec.ValidationError as fault:
            raise unexpected(source, "one posting", f"{describe(content)} ({fault})") from fault
    made = make(read, 0, source)
    if isinstance(made, RowProblem):
        raise unexpected(source, "one posting", f"{describe(parse_json(body, source))} ({made.reason})")
    return replace(made, unread=unread) if unread else made


def board(
    decoded: Decoded[Body, Row],
    make: Callable[[Row, int, Source], Listing | RowProblem],
    body: bytes,
    source: Source,
    shape: Shape[Body, Row],
    total: int | None = None,
) -> BoardListing:
    """Each decoded row as a listing or a problem. Raises SourceUnavailable when no row is this vendor's at all."""
    listings: list[Listing] = []
    problems = list(decoded.problems)
    for index, row in decoded.rows:
        made = make(row, index, source)
        if isinstance(made, RowProblem):
            problems.append(made)
        elif index in decoded.unread:
            listings.append(replace(made, unread=decoded.unread[index]))
        else:
            listings.append(made)
    if problems and not listings:
        _check_marks(body, source, shape)
    problems.sort(key=lambda problem: problem.index)
    short = (f"the board reports {total} postings and sent {len(decoded.rows) + len(decoded.problems)}",)
    sent_less = total is not None and total > len(decoded.rows) + len(decoded.problems)
    return BoardListing(tuple(listings), tuple(problems), total, short if sent_less else ())


def parse_json(body: bytes, source: Source) -> Any:
    """*body* as JSON, with half characters replaced. Raises SourceUnavailable when it is none."""
    text = body.decode("utf-8-sig", "replace")
    try:
        return _mended(json.loads(text))
    except ValueError as fault:
        raise unexpected(source, "JSON", describe_text(text, str(fault))) from fault
    except RecursionError as fault:
        raise unexpected(source, "JSON", "JSON nested too deeply") from fault


def unexpected(source: Source, expected: str, came: str) -> SourceUnavailable:
    """The error for an answer of the wrong shape: what was expected, what came, from which source."""
    return SourceUnavailable(
        f"{source.id}: expected {expected}, got {came}",
        hint="Look at the board in a browser; if it works there, the vendor may have changed its interface.",
    )


def describe(content: Any) -> str:
    """JSON of an unexpected shape in a few words: its kind and first keys."""
    if isinstance(content, dict):
        keys = ", ".join(repr(key)[:40] for key in list(content)[:6])
        return f"an object with the keys {keys}" if keys else "an empty object"
    if isinstance(content, list):
        return f"a list of {len(content)} ({describe(content[0])} first)" if content else "an empty list"
    return f"{type(content).__name__} {str(content)[:60]!r}"


def describe_text(text: str, fault: str) -> str:
    """A body that is not what it should be, in a few words."""
    start = text.lstrip()[:60]
    if not start:
        return "an empty body"
    if start[0] == "<":
        return f"a page of markup beginning {start!r}"
    return f"{len(text)} characters that break off or do not parse ({fault}) beginning {start!r}"


def _decode_rows(body: bytes, source: Source, shape: Shape[Body, Row]) -> Decoded[Body, Row]:
    content = parse_json(body, source)
    rows = content.get(shape.rows) if shape.rows and isinstance(content, dict) else content
    if not isinstance(rows, list) or (shape.rows and rows is content):
        wanted = f"an object with the list `{shape.rows}`" if shape.rows else "a list of postings"
        raise unexpected(source, wanted, describe(content))
    rest = {**content, shape.rows: []} if shape.rows else []
    whole, _ = _convert(rest, shape.body) if isinstance(rest, dict) else (msgspec.convert(rest, shape.body), ())
    decoded: Decoded[Body, Row] = Decoded(whole, [])
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            decoded.problems.append(RowProblem(index, "not_an_object", detail=describe(row)))
            continue
        try:
            made, unread = _convert(row, shape.row)
        except msgspec.ValidationError as fault:
            decoded.problems.append(RowProblem(index, "unreadable", detail=str(fault)))
            continue
        decoded.rows.append((index, made))
        if unread:
            decoded.unread[index] = unread
    return decoded


def _convert(content: dict[str, Any], to: type[Row]) -> tuple[Row, tuple[str, ...]]:
    """*content* as *to*; a field of an unexpected shape is left out and named, when *to* can do without it."""
    unread: list[str] = []
    while True:
        try:
            return msgspec.convert(content, to), tuple(unread)
        except msgspec.ValidationError as fault:
            place = _FIELD.search(str(fault))
            if place is None or place[1] not in content:
                raise
            unread.append(place[1])
            content = {key: value for key, value in content.items() if key != place[1]}


def _check_marks(body: bytes, source: Source, shape: Shape[Body, Row]) -> None:
    content = parse_json(body, source)
    rows: Iterable[Any] = content[shape.rows] if shape.rows else content
    if not any(isinstance(row, dict) and shape.marks & row.keys() for row in rows):
        names = " or ".join(f"`{mark}`" for mark in sorted(shape.marks))
        raise unexpected(source, f"{source.kind.value} postings with {names}", describe(content))


def _mended(content: Any) -> Any:
    """*content* without half characters, which no text file or database takes."""
    if isinstance(content, str):
        return _HALF_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", content)
    if isinstance(content, list):
        return [_mended(item) for item in content]
    if isinstance(content, dict):
        return {_mended(key): _mended(value) for key, value in content.items()}
    return content
