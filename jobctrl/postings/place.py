"""Where the work is: a set of places and, apart from it, one mode, read from the lines that state a location."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from jobctrl.postings.folding import fold
from jobctrl.postings.gazetteer import same_subdivision
from jobctrl.postings.mode import ModeStatement, is_firm, mode_of_label, read_line_mode, read_mode, settle
from jobctrl.postings.model import Place, PlaceReading, Span, WorkMode
from jobctrl.postings.place_items import Gap, Item, Kind, items_of
from jobctrl.postings.place_resolve import Resolved, resolve

_COUNT = re.compile(
    r"\s*\+?\d+\+?\s+(?:more\s+)?(?:locations?|places?|offices?|cities|standorte?|lieux|ubicaciones|orte)\s*\Z",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"\W*(?:locations?|city|country|n/?a|none|null|tbd|tba|to be (?:determined|announced)|various|unknown|undefined"
    r"|multiple(?: locations)?|not specified|-+|\?+|ort|standort|lieu|ubicaci[óo]n)\W*\Z",
    re.IGNORECASE,
)
_MOJIBAKE = re.compile("[ÃÂ][\u0080-\u00bf]|â€|Ã\\w|�")
_PORTUGUESE = re.compile(r"presencial|h[ií]brid[oa]|remot[oa]|\bou\b|\bvaga", re.IGNORECASE)


@dataclass(frozen=True)
class StatedPlace:
    """A location as one field of a vendor's response states it: a line, or parts that are already taken apart."""

    text: str = ""
    field: str = "location"
    city: str | None = None
    region: str | None = None
    country: str | None = None


@lru_cache(maxsize=16_384)
def read_place(text: str, *, country: str | None = None) -> PlaceReading:
    """The places and the work mode that *text*, a location line or a short passage, states.

    `country` is what is known from elsewhere (ISO 3166 alpha-2); it settles codes and names that more than one
    country has. What stays open is left out and named in `warnings`.
    """
    warnings: list[str] = []
    source = text
    if _MOJIBAKE.search(text):
        import ftfy

        source = ftfy.fix_text(text)
        warnings.append("encoding_repaired")
    if _COUNT.match(source):
        return PlaceReading(warnings=("count_only",))
    if not source.strip() or _PLACEHOLDER.match(source):
        return PlaceReading(warnings=("placeholder",))
    statements = read_line_mode(source)
    items = items_of(source, [s.span for s in statements])
    hint = country or ("BR" if _PORTUGUESE.search(source) else None)
    found, open_questions = resolve(items, hint)
    places = _distinct(found)
    mode, conflict = _mode(statements, items, found)
    repaired = source != text
    spans = [_span(text if repaired else source, r.start, r.end, repaired) for r in found] + [
        replace(s.span, field="mode") for s in statements
    ]
    warnings += open_questions
    if not places and mode is WorkMode.UNKNOWN and not open_questions:
        warnings.append("unknown_words")
    return PlaceReading(places, mode, conflict, tuple(spans), tuple(dict.fromkeys(warnings)))


def combine(
    locations: Sequence[StatedPlace],
    *,
    workplace_type: str | None = None,
    remote_flag: bool | None = None,
    body: str = "",
    country: str | None = None,
) -> PlaceReading:
    """One reading of all that a posting states: the union of its places, and its mode with every contradiction kept.

    Places come from location fields alone: a body names headquarters, pay zones and customers too. The mode comes from
    the vendor's label, the remote flag (true only: false says nothing), the location lines and the body.
    """
    readings = [_stated(location, country) for location in locations]
    places = _distinct(Resolved(place, 0, 0) for reading in readings for place in reading.places)
    label = mode_of_label(workplace_type)
    in_lines, lines_disagree = settle(reading.mode for reading in readings)
    stated = read_mode(body) if body else ()
    positive = {s.mode for s in stated if s.positive}
    firm = any(s.positive and s.mode is WorkMode.REMOTE and is_firm(s) for s in stated)
    denied = {s.mode for s in stated if not s.positive}
    fields: set[WorkMode] = {label, in_lines} - {WorkMode.UNKNOWN}
    if remote_flag:
        fields.add(WorkMode.REMOTE)
    mode, conflict = _weigh(fields, positive, denied, firm=firm)
    spans = [span for reading in readings for span in reading.spans]
    spans += [replace(s.span, field="body") for s in stated]
    if workplace_type and label is not WorkMode.UNKNOWN:
        spans.append(Span(0, len(workplace_type), workplace_type, "workplace_type"))
    if label is not WorkMode.REMOTE and not remote_flag:
        # A label that says remote settles what a line of offices and homes leaves open.
        conflict = conflict or lines_disagree or any(r.conflict for r in readings) or _offices_and_homes(readings)
    warnings = [
        warning for reading in readings for warning in reading.warnings if not places or warning != "unknown_words"
    ]
    return PlaceReading(places, mode, conflict, tuple(spans), tuple(dict.fromkeys(warnings)))


def _offices_and_homes(readings: Sequence[PlaceReading]) -> bool:
    """Whether some lines name a remote area and others a city without a mode: the two are alternatives."""
    remote = any(r.mode is WorkMode.REMOTE and not any(p.city for p in r.places) for r in readings)
    return remote and any(r.mode is WorkMode.UNKNOWN and any(p.city for p in r.places) for r in readings)


def _weigh(
    fields: set[WorkMode], positive: set[WorkMode], denied: set[WorkMode], *, firm: bool
) -> tuple[WorkMode, bool]:
    """The mode, and whether the statements disagree. A denial in the text outweighs a label that says the opposite."""
    contradicted = bool(fields & denied)
    everything = (fields | positive) - denied
    loosely_remote = WorkMode.REMOTE in positive and WorkMode.REMOTE not in fields and not firm
    if loosely_remote and everything - {WorkMode.REMOTE}:
        # "Allows you to work from home", beside a stated mode: a perk of that mode. It contradicts an office label.
        everything.discard(WorkMode.REMOTE)
        contradicted = contradicted or fields == {WorkMode.ON_SITE}
    if WorkMode.REMOTE not in fields and WorkMode.HYBRID in everything and WorkMode.ON_SITE in everything:
        # One word for the office and another for how many days: the text has the days, and a label may not know them.
        contradicted = contradicted or (WorkMode.ON_SITE in fields)
        everything.discard(WorkMode.ON_SITE)
    mode, disagree = settle(everything)
    if mode is WorkMode.UNKNOWN and denied == {WorkMode.REMOTE}:
        mode = WorkMode.ON_SITE
    return mode, disagree or contradicted


def _stated(location: StatedPlace, country: str | None) -> PlaceReading:
    """The reading of one field. Parts that the vendor took apart are joined again: one reader judges them all."""
    text = location.text or ", ".join(part for part in (location.city, location.region, location.country) if part)
    if not text.strip():
        return PlaceReading()
    near = read_place(location.country).places if location.country else ()
    reading = read_place(text, country=(near[0].country if near else None) or country)
    return replace(reading, spans=tuple(replace(s, field=location.field) for s in reading.spans))


def _mode(
    statements: Sequence[ModeStatement], items: Sequence[Item], found: Sequence[Resolved]
) -> tuple[WorkMode, bool]:
    positive = {s.mode for s in statements if s.positive}
    denied = {s.mode for s in statements if not s.positive}
    mode, disagree = settle(positive - denied)
    if mode is WorkMode.REMOTE and any(_PART.search(s.span.text) for s in statements if s.mode is WorkMode.HYBRID):
        # "Remote + 3 days a month on-site", "on-site + part remote": one person does both.
        return WorkMode.HYBRID, False
    if not positive and denied == {WorkMode.REMOTE}:
        return WorkMode.ON_SITE, False
    offices = mode is WorkMode.REMOTE and _offices_beside(items, found)
    return mode, disagree or bool(positive & denied) or offices


_PART = re.compile(r"part|some|semi|occasional|teilweise|days?\b|\dx", re.IGNORECASE)


def _offices_beside(items: Sequence[Item], found: Sequence[Resolved]) -> bool:
    """Whether cities stand in other entries than the word for remote work: offices and home as alternatives."""
    cities = [r for r in found if r.place.city]
    modes = [
        index for index, item in enumerate(items) if item.kind is Kind.MODE and "friendly" not in item.text.lower()
    ]
    if not cities or not modes:
        return False
    if any(r.group not in {items[index].group for index in modes} for r in cities):
        return True
    following = items[1] if modes[0] == 0 and len(items) > 1 else None
    if following and len(modes) == 1 and following.gap is not Gap.COMMA:
        # "Remote (Boston, Denver)": the word governs the whole line.
        return False
    areas = any(not r.place.city and _beside_mode(items, r) for r in found)
    return areas or len(cities) > 1


def _beside_mode(items: Sequence[Item], area: Resolved) -> bool:
    return any(
        (one.kind is Kind.MODE and other.start == area.start) or (other.kind is Kind.MODE and one.start == area.start)
        for one, other in pairwise(items)
        if other.gap <= Gap.DASH
    )


def _distinct(found: Iterable[Resolved]) -> tuple[Place, ...]:
    """Each place once: the same city with and without its region, or with its region in two spellings, is one."""
    kept: list[Place] = []
    for place in (resolved.place for resolved in found):
        for index, other in enumerate(kept):
            if _same(place, other):
                city = place.city if len(place.city or "") > len(other.city or "") else other.city
                kept[index] = Place(city, other.region or place.region, other.country or place.country)
                break
        else:
            kept.append(place)
    return tuple(kept)


def _same(one: Place, other: Place) -> bool:
    if one.country and other.country and one.country != other.country:
        return False
    if bool(one.city) != bool(other.city):
        return False
    if one.city and other.city:
        cities = {fold(one.city), fold(other.city)}
        if len(cities) > 1 and cities != {"new york", "new york city"}:
            return False
        return not one.region or not other.region or same_subdivision(one.country, one.region, other.region)
    if bool(one.region) != bool(other.region):
        return False
    return not one.region or not other.region or same_subdivision(one.country, one.region, other.region)


def _span(text: str, start: int, end: int, repaired: bool) -> Span:
    """Offsets into a repaired text point nowhere in the source, so the whole of it is given."""
    return Span(0, len(text), text) if repaired else Span(start, end, text[start:end])
