"""What one item of a location line can mean, and how it is shown."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from jobctrl.postings.folding import fold, words
from jobctrl.postings.gazetteer import City, Subdivision, lookup
from jobctrl.postings.place_items import BESIDE, Gap, Item, Kind

# Where people write a part of the country behind every city, by its code.
CODED = ("US", "CA", "AU", "BR", "IN", "GB")
CITY_STATES = frozenset({"SG", "HK", "MO"})
BIG = 100_000
_CITY_WORDS = re.compile(r"[^\W\d_][^\W_]*(?:[ '’.-]{1,2}[^\W\d_][^\W_]*){0,4}\Z")
_ARRONDISSEMENT = re.compile(r"\s+\d+(?:e|er|ème|eme)?\Z")
_DUTCH_ARTICLE = re.compile(r"^[st]-(?=[A-Z])")
_PARTICLES = words("de la le del der den do da dos das di du al el of the am an der im sur les saint upon bei a")
NO_TOWN = words("""
    office offices team remote work job role position time timezone hours preferred residents candidates required
    travel flexible multiple various location locations based headquarters hq building floor suite street st road
    rd avenue ave open any all full part contract permanent only or and with for must within overlap est pst cst
    gmt utc et pt cet visa sponsorship relocation bonus days week month onsite hybrid home field sales region area
    district territory national nationwide engineer developer manager senior junior
""")


def is_country_only(item: Item) -> bool:
    return bool(item.entry.countries) and not set(item.entry.countries) & CITY_STATES


def is_country_of_list(item: Item, following: Item) -> bool:
    """Whether a name is a country's in a list of countries, as in "Canada, Georgia"."""
    return (
        bool(following.entry.countries)
        and not item.upper
        and following.gap == Gap.COMMA
        and "US" not in item.entry.countries
    )


def reads_as_part(item: Item) -> bool:
    if not any(part.country in CODED for part in item.entry.subdivisions) or item.fixed:
        return False
    return not any(city.population >= BIG for city in item.entry.cities)


def countries_of(item: Item) -> list[str]:
    return [*item.entry.countries, *(item.entry.country_codes if item.upper or len(item.text) == 2 else ())]


def is_country(item: Item, country: str) -> bool:
    return country in item.entry.countries or country in item.entry.country_codes


def city_in(item: Item, country: str, part: str | None) -> City | None:
    inside = [c for c in item.entry.cities if c.country == country]
    if part:
        exact = next((c for c in inside if c.subdivision == part), None)
        if exact:
            return exact
        if any(c.subdivision for c in inside):
            return None
    return inside[0] if inside else None


def is_plausible_town(item: Item) -> bool:
    """Whether unknown words can be the name of a town."""
    parts = _DUTCH_ARTICLE.sub("", item.text).split()
    if not _CITY_WORDS.match(item.text) or any(part in NO_TOWN for part in fold(item.text).split()):
        return False
    return all(w[:1].isupper() or not w[:1].islower() or fold(w) in _PARTICLES for w in parts) and not (
        set(fold(item.text).split()) <= BESIDE
    )


def shown_city(item: Item, city: City) -> str:
    if item.fixed and item.fixed.city:
        return item.fixed.city
    if not city.alternate and (item.text.isupper() or item.text.islower()):
        return city.name
    if city.alternate and city.country == "US" and SequenceMatcher(None, item.text, city.name).ratio() > 0.85:
        # Other names of American cities are slips of the pen.
        return city.name
    return cased(item.text)


def shown_part(item: Item, part: Subdivision) -> str:
    if item.fixed and item.fixed.region:
        return item.fixed.region
    if len(item.text) <= 3 and not part.name:
        return item.text.upper()
    if item.text.isupper() and len(item.text) > 4:
        return part.name if fold(part.name) == fold(item.text) else cased(item.text)
    return cased(item.text) if item.text[-1] in "市省" else item.text


def has_part_name(item: Item, country: str) -> bool:
    return any(part.country == country for part in item.entry.subdivisions)


def is_part_name(item: Item) -> bool:
    return any(fold(part.name) == fold(item.text) for part in item.entry.subdivisions)


def parts_of(item: Item, hint: str | None) -> list[Subdivision]:
    parts = list(item.entry.subdivisions)
    if item.upper or len(item.text) == 2:
        order = {country: rank for rank, country in enumerate((hint, *CODED))}
        parts += sorted(item.entry.codes, key=lambda p: order.get(p.country, len(order)))
    if item.fixed and item.fixed.region:
        parts.append(Subdivision(item.fixed.country or "", item.fixed.region))
    return parts


def part_of(item: Item, country: str, hint: str | None) -> Subdivision | None:
    if item.kind is not Kind.NAME:
        return None
    if item.fixed and item.fixed.region and item.fixed.country == country:
        return Subdivision(country, item.fixed.region)
    return next((part for part in parts_of(item, hint) if part.country == country), None)


def lies_in_part(city: Item, written: Item, part: Subdivision, with_country: bool, hint: str | None) -> bool:
    """Whether *part*, as written behind *city*, is the part of the country the city lies in."""
    inside = [c for c in city.entry.cities if c.country == part.country]
    exact = [c for c in inside if c.subdivision == part.code]
    fixed = city.fixed if city.fixed and city.fixed.city else None
    if fixed:
        known = lookup(fixed.city or "")
        parts = {c.subdivision for c in known.cities if c.country == part.country} if known else set()
        return fixed.country == part.country and fixed.region in (None, part.code) and (not parts or part.code in parts)
    if written.weak and not exact:
        return False
    named = not written.upper and len(written.text) > 2
    if exact:
        # A namesake of the state is no city of a list: "Buffalo, New York" but "San Francisco, New York".
        return True
    if with_country and (inside or not city.entry.cities or named or part.country in CODED):
        return True
    if named:
        # A large city of that name in the same country makes the line a list.
        near = {c.country for c in city.entry.cities}
        own_city = next((c for c in written.entry.cities if c.population >= BIG and c.country in near), None)
        if own_city or written.entry.countries:
            return False
        if part.country in ("US", "CA", "AU", "BR"):
            # These parts are known of each city: one that is not listed there is too small for the list.
            return not any(c.population >= BIG for c in city.entry.cities)
        return any(not c.subdivision or part.country == "GB" for c in inside)
    if part.country in ("US", "CA", "AU"):
        return (
            written.gap in (Gap.COMMA, Gap.SPACE)
            and not any(c.population >= BIG and c.country != part.country for c in city.entry.cities)
            and part.country == first_coded(written)
        )
    return any(not c.subdivision for c in inside) and part.country == hint


def lies_in_country(city: Item, written: Item, country: str) -> bool:
    if city.fixed and city.fixed.city:
        return city.fixed.country == country
    if set(city.entry.countries) & CITY_STATES:
        return country in city.entry.countries
    if any(c.country == country for c in city.entry.cities):
        if written.entry.cities and written.gap == Gap.COMMA and set(written.entry.countries) & CITY_STATES:
            return any(c.country == country and c.population >= 1_000 for c in city.entry.cities) and False
        return True
    # Too small for the index, unless the name is that of a large city elsewhere.
    return (
        written.gap in (Gap.COMMA, Gap.BRACKET)
        and not any(c.population >= BIG for c in city.entry.cities)
        and bool(city.entry.cities)
        and not city.entry.countries
    )


def first_coded(item: Item) -> str | None:
    """The country whose parts a bare code most often means."""
    countries = {part.country for part in item.entry.codes}
    return next((country for country in CODED if country in countries), None)


def cased(text: str) -> str:
    """A name as a sentence has it where the line shouts or whispers it, without district numbers or a word for city."""
    if len(text) > 2 and text[-1] in "市省都府県":
        return text[:-1]
    text = _ARRONDISSEMENT.sub("", text)
    if (text.isupper() and len(text) > 3) or text.islower():
        return text.title()
    return text
