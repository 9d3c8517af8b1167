"""Which reading of each name is meant: a city settles its state, a country settles a code, and the rest stays open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from jobctrl.postings.folding import fold, words
from jobctrl.postings.gazetteer import City, Subdivision, lookup, subdivision_codes
from jobctrl.postings.model import Place
from jobctrl.postings.place_items import Gap, Item, Kind
from jobctrl.postings.place_meaning import (
    BIG,
    CITY_STATES,
    CODED,
    NO_TOWN,
    cased,
    city_in,
    countries_of,
    first_coded,
    has_part_name,
    is_country,
    is_country_of_list,
    is_country_only,
    is_part_name,
    is_plausible_town,
    lies_in_country,
    lies_in_part,
    part_of,
    parts_of,
    reads_as_part,
    shown_city,
    shown_part,
)
from jobctrl.postings.place_names import KNOWN_FOR


@dataclass(frozen=True)
class Resolved:
    place: Place
    start: int
    end: int
    group: int = 0


_ALONE_CODED = ("US", "CA")
_TOWN = 30_000
_LARGE = 300_000
_RIVAL = 0.3
"""A second reading of this share of the first one's people leaves the country open."""
_ODD_CODE = re.compile(r"[A-Z0-9]{1,3}\Z")


def resolve(items: Sequence[Item], hint: str | None) -> tuple[list[Resolved], list[str]]:
    """The places that *items* name, in order, and the warnings about what stayed open."""
    return _Resolver(list(items), hint).run()


class _Resolver:
    def __init__(self, items: list[Item], hint: str | None) -> None:
        self.items = items
        self.hint = hint
        self.found: list[Resolved] = []
        self.open: list[str] = []
        self.codes: dict[str, tuple[str, str | None]] = {}
        """What a code turned out to mean elsewhere in the line: country, and its part or None."""
        self.deferred: list[Item] = []
        self.anchor: tuple[str, str | None] | None = None
        """Country and part that the group began with: what follows is inside it."""

    def run(self) -> tuple[list[Resolved], list[str]]:
        index = 0
        group = -1
        while index < len(self.items):
            item = self.items[index]
            if item.group != group or item.kind is Kind.MODE:
                group, self.anchor = item.group, None
            index += self._one(index, item)
        for item in self.deferred:
            self._late(item)
        self.found.sort(key=lambda r: (r.start, r.end))
        self._share_parts()
        return self.found, self.open

    def _share_parts(self) -> None:
        """Of "San Francisco or Palo Alto, CA" the state behind the last is that of both cities."""
        joined = {item.start for item in self.items if item.joined}
        for index, (one, other) in enumerate(pairwise(self.found)):
            here, there = one.place, other.place
            if (
                other.start not in joined
                or not here.city
                or here.region
                or not there.region
                or here.country != there.country
            ):
                continue
            known = lookup(here.city)
            parts = subdivision_codes(there.country, there.region)
            if known and any(
                c.country == there.country and f"{c.country}-{c.subdivision}" in parts for c in known.cities
            ):
                self.found[index] = replace(one, place=replace(here, region=there.region))

    def _one(self, index: int, item: Item) -> int:
        """Resolve the item at *index*, and say how many items that took."""
        if item.kind is Kind.WORDS:
            return self._unknown(index, item)
        if item.kind is not Kind.NAME:
            return 1
        for attempt in (self._coded_region, self._descending, self._city, self._fixed, self._region, self._country):
            taken = attempt(index, item)
            if taken:
                return taken
        self.deferred.append(item)
        return 1

    # From the large to the small: "US, TX, Austin", "India, Bangalore", "CA - San Francisco".

    def _descending(self, index: int, item: Item) -> int:
        following = self._next(index, Gap.BRACKET)
        if following is None or (item.fixed is not None and not item.entry.countries):
            return 0
        before = self.items[index - 1] if index else None
        area_of_mode = item.gap <= Gap.HYPHEN and following.gap == Gap.COMMA
        if before and before.kind is Kind.MODE and item.entry.countries and (area_of_mode or following.closed):
            # "Remote US, Boston": the area of the remote entry, then a city.
            return 0
        if item.entry.cities and item.whole and not item.upper and not is_country_only(item):
            # A city's name first: "New York, New York", unless it is the country's as well.
            return self._part_first(index, item, following)
        for country in (*item.entry.countries, *(item.entry.country_codes if item.upper else ())):
            if following.kind is Kind.WORDS:
                continue
            taken = self._inside(index, item, country, following)
            if taken:
                self.codes.setdefault(fold(item.text), (country, None))
                return taken
        return self._part_first(index, item, following)

    def _inside(self, index: int, item: Item, country: str, following: Item) -> int:
        if following.entry.countries and not following.entry.cities and not part_of(following, country, self.hint):
            return 0
        part = part_of(following, country, self.hint)
        if part and following.gap < Gap.BRACKET and not is_country_of_list(item, following):
            after = self._next(index + 1, Gap.BRACKET)
            if after and after.kind is Kind.NAME and (city := city_in(after, country, part.code)):
                self.anchor = (country, shown_part(following, part))
                self._add(shown_city(after, city), self.anchor[1], country, item, after)
                return 3
            if after and after.kind is Kind.WORDS and after.gap <= Gap.COMMA and is_plausible_town(after):
                self.anchor = (country, shown_part(following, part))
                self._add(after.text, self.anchor[1], country, item, after)
                return 3
            city = city_in(following, country, None)
            large = city and (not has_part_name(following, country) or city.population >= BIG)
            if city and large and not following.upper and not self._rather_not_city(index + 1, following):
                self.anchor = (country, None)
                self._add(shown_city(following, city), None, country, item, following)
                return 2
            self.anchor = (country, None)
            self._add(None, shown_part(following, part), country, item, following)
            return 2
        city = city_in(following, country, None)
        if city is None and following.fixed and following.fixed.country == country and following.fixed.city:
            self.anchor = (country, None)
            self._add(following.fixed.city, following.fixed.region, country, item, following)
            return 2
        if city is None or following.entry.countries:
            return 0
        if following.gap == Gap.SPACE and not following.whole:
            return 0
        self.anchor = (country, None)
        self._add(shown_city(following, city), None, country, item, following)
        return 2

    def _part_first(self, index: int, item: Item, following: Item) -> int:
        if following.kind is not Kind.NAME:
            return 0
        if not item.text.isascii() and following.gap <= Gap.SPACE:
            # Province and city of one country, side by side as Chinese writes them.
            for part in item.entry.subdivisions:
                city = city_in(following, part.country, None)
                if city:
                    self._add(shown_city(following, city), shown_part(item, part), part.country, item, following)
                    return 2
        if following.gap not in (Gap.DASH, Gap.HYPHEN, Gap.COMMA, Gap.DOT):
            return 0
        parts = [*item.entry.subdivisions, *(item.entry.codes if item.upper else ())]
        if item.entry.cities and not item.upper and following.gap not in (Gap.DASH, Gap.HYPHEN):
            return 0
        for part in parts:
            if part.country not in CODED or not following.entry.cities or self._qualifies(index, item):
                continue
            city = next(
                (c for c in following.entry.cities if c.country == part.country and c.subdivision == part.code), None
            )
            if city and (following.gap != Gap.COMMA or self._usual(following, None) == part.country):
                self.codes.setdefault(fold(item.text), (part.country, part.code))
                self._add(shown_city(following, city), shown_part(item, part), part.country, item, following)
                return 2
        return 0

    def _qualifies(self, index: int, item: Item) -> bool:
        """Whether a country follows, so that the part of a country is an entry of its own."""
        after = self._next(index, Gap.COMMA)
        return bool(after and (after.entry.countries or (after.upper and after.entry.country_codes)))

    # From the small to the large: "Austin, TX, US", "Lisbon, Portugal", "Toronto, CA".

    def _city(self, index: int, item: Item) -> int:
        cities = item.entry.cities
        fixed = item.fixed if item.fixed and item.fixed.city else None
        if not cities and not fixed:
            return 0
        if item.fixed and not fixed:
            return 0
        if item.upper and len(item.text) <= 3 and not fixed and (item.entry.codes or item.entry.country_codes):
            # "LI": a code, though a town somewhere is called so too.
            return 0
        if item.weak and item.upper and self._code_after_city(index):
            return 0
        part, country, taken = self._qualifiers(index, item)
        its_own_part = (
            country is not None and part is None and any(s.country == country for s in item.entry.subdivisions)
        )
        if (taken == 1 or its_own_part) and self._rather_not_city(index, item):
            return 0
        if taken == 1 and (twin := self._twin(index, item)):
            return twin
        if fixed and (country is None or country == fixed.country):
            if item.weak and taken == 1 and not self._company(index):
                return 0
            region = part or fixed.region
            self._add(fixed.city, region, fixed.country, item, self.items[index + taken - 1])
            return taken
        if not cities:
            return 0
        if taken == 1 and not item.whole and max(c.population for c in cities) < BIG:
            self._doubt("unknown_words")
            return 1
        if taken == 1 and self.anchor:
            inside = city_in(item, self.anchor[0], None)
            if inside is None and item.gap < Gap.HARD and (not item.whole or self.anchor[1]):
                # What follows country, part and city is the building.
                return 1
            if inside is None or (inside.population < BIG and item.gap != Gap.HARD):
                stray = inside is None and item.gap == Gap.COMMA and max(c.population for c in cities) < BIG
                return 1 if stray else self._plain(item, cities)
            self._add(shown_city(item, inside), None, self.anchor[0], item, item)
            return 1
        if country is None:
            return self._plain(item, cities)
        chosen = next((c for c in cities if c.country == country), cities[0])
        self._add(shown_city(item, chosen), part, country, item, self.items[index + taken - 1])
        return taken

    def _twin(self, index: int, item: Item) -> int:
        """Two cities under one name: "Tel Aviv-Yafo", "Minneapolis-St. Paul"."""
        following = self._next(index, Gap.HYPHEN)
        if (
            following is None
            or following.gap != Gap.HYPHEN
            or not item.entry.cities
            or len(item.text) < 4
            or item.upper
        ):
            return 0
        country = item.entry.cities[0].country
        if len(following.text) < 3 or following.upper or not any(c.country == country for c in following.entry.cities):
            return 0
        part, _, taken = self._qualifiers(index + 1, following)
        self._add(f"{item.text}-{following.text}", part, country, item, self.items[index + taken])
        return 1 + taken

    def _plain(self, item: Item, cities: Sequence[City]) -> int:
        """A city with nothing behind it."""
        if item.upper and len(item.text) <= 3 and (item.entry.country_codes or item.entry.codes):
            return 0
        country = self._usual(item, self.hint)
        if country is None:
            self._doubt("ambiguous_name")
        chosen = next((c for c in cities if c.country == country), cities[0])
        self._add(shown_city(item, chosen), None, country, item, item)
        return 1

    def _code_after_city(self, index: int) -> bool:
        """Whether a two-letter name is rather the code of the city before it, as LA in "Baton Rouge, LA"."""
        previous = self.items[index - 1] if index else None
        return bool(
            previous
            and previous.kind is Kind.WORDS
            and self.items[index].gap == Gap.COMMA
            and is_plausible_town(previous)
        )

    def _rather_not_city(self, index: int, item: Item) -> bool:
        """A name that is a country's or a state's as well as a city's, and rather not the city's here."""
        entry = item.entry
        if entry.countries and not set(entry.countries) & CITY_STATES:
            return fold(item.text) not in _CITY_FIRST
        if item.fixed:
            return False
        if entry.countries:
            others = [o for o in self._others(index) if o.entry.countries or (o.fixed and not o.fixed.city)]
            return len(others) >= 3 and len(others) == len(self._others(index))
        if any(s.country in ("US", "CA", "AU", "BR", "IN") for s in entry.subdivisions):
            others = self._others(index)
            parts = [o for o in others if reads_as_part(o)]
            main = not entry.cities[0].alternate and entry.cities[0].population >= _LARGE
            if not main and fold(item.text) != "new york":
                return True
            return bool(parts) and len(parts) * 2 >= len(others)
        if entry.subdivisions and (entry.cities[0].alternate or entry.cities[0].population < _TOWN):
            return entry.cities[0].country not in {s.country for s in entry.subdivisions}
        return False

    def _others(self, index: int) -> list[Item]:
        key = fold(self.items[index].text)
        return [o for i, o in enumerate(self.items) if i != index and o.kind is Kind.NAME and fold(o.text) != key]

    def _company(self, index: int) -> bool:
        """Whether a short name stands beside another place or a work mode."""
        return any(
            i != index
            and (o.kind is Kind.MODE or (o.kind is Kind.NAME and (o.fixed or o.entry.cities or o.entry.countries)))
            for i, o in enumerate(self.items)
        )

    def _qualifiers(self, index: int, item: Item) -> tuple[str | None, str | None, int]:
        """Region and country that stand behind a city, and how many items that makes in all."""
        first = self._next(index, Gap.BRACKET)
        if first is None or first.kind is Kind.MODE or (first.fixed and not first.upper and not first.weak):
            return None, None, 1
        if first.kind is Kind.WORDS:
            return self._odd_code(index, item, first)
        if self._opens_entry(index + 1):
            return None, None, 1
        second = self._next(index + 1, Gap.BRACKET)
        follows = second if second and second.kind is Kind.NAME and not self._opens_entry(index + 2) else None
        for part in sorted(parts_of(first, self.hint), key=lambda p: not (follows and is_country(follows, p.country))):
            with_country = bool(
                follows and is_country(follows, part.country) and (follows.upper or follows.entry.countries)
            )
            if lies_in_part(item, first, part, with_country, self.hint):
                self.codes.setdefault(fold(first.text), (part.country, part.code))
                if with_country:
                    return shown_part(first, part), part.country, 3
                return shown_part(first, part), part.country, 2
        for country in countries_of(first):
            if lies_in_country(item, first, country):
                self.codes.setdefault(fold(first.text), (country, None))
                return None, country, 2
        # A code that no country's parts know, between a city and its country: "Nantes, B5, FR".
        if (
            first.upper
            and len(first.text) <= 3
            and not first.entry.cities
            and not first.fixed
            and second
            and second.kind is Kind.NAME
        ):
            for country in countries_of(second):
                if second.gap == Gap.COMMA and lies_in_country(item, second, country):
                    return None, country, 3
        american = any(p.country == "US" for p in first.entry.codes)
        coded = first.upper and len(first.text) == 2 and first.gap == Gap.COMMA
        if coded and not american and self._vendor_code(item, first):
            return None, self._usual(item, self.hint), 2
        if fallback := self._coded_elsewhere(item, first):
            self.codes.setdefault(fold(first.text), (fallback.country, fallback.code))
            return first.text, fallback.country, 2
        return None, None, 1

    def _coded_elsewhere(self, item: Item, code: Item) -> Subdivision | None:
        """The part a code means behind a city that is not listed there: "Brisbane, CA" is too small for the index."""
        if not code.upper or len(code.text) != 2 or code.gap != Gap.COMMA or code.fixed:
            return None
        usual = self._usual(item, self.hint)
        home = next((part for part in code.entry.codes if part.country == usual and usual != "US"), None)
        return home or next((part for part in code.entry.codes if part.country == "US"), None)

    def _odd_code(self, index: int, item: Item, code: Item) -> tuple[str | None, str | None, int]:
        """A code that no country's parts know, between a city and its country: "Nantes, B5, FR"."""
        second = self._next(index + 1, Gap.COMMA)
        if _ODD_CODE.match(code.text) and second and second.kind is Kind.NAME and code.gap == second.gap == Gap.COMMA:
            for country in countries_of(second):
                if item.kind is Kind.WORDS or lies_in_country(item, second, country):
                    return None, country, 3
        return None, None, 1

    def _vendor_code(self, item: Item, code: Item) -> bool:
        """A code behind a city that belongs to another country's parts: the board's own, so it says nothing."""
        if code.fixed and not (code.weak and code.fixed.country == "CN" and self._usual(item, None) != "CN"):
            return False
        return bool(item.entry.cities) and not any(
            c.country in (*code.entry.country_codes, *(p.country for p in code.entry.codes if p.country in CODED))
            for c in item.entry.cities
            if c.population >= BIG
        )

    def _opens_entry(self, index: int) -> bool:
        """Whether a country opens an entry of its own: "SEA, US Remote" names two."""
        item = self.items[index]
        after = self.items[index + 1] if index + 1 < len(self.items) else None
        if item.gap != Gap.COMMA or after is None or after.kind is not Kind.MODE:
            return False
        return bool(item.entry.countries) and after.gap in (Gap.SPACE, Gap.HYPHEN)

    # Regions, countries, codes.

    def _fixed(self, index: int, item: Item) -> int:
        if item.fixed is None or item.fixed.city or item.fixed.country:
            return 0
        following = self._next(index, Gap.BRACKET)
        if (
            item.upper
            and following
            and following.kind is Kind.NAME
            and self._usual(following, None)
            and following.gap == Gap.HYPHEN
        ):
            return 1
        previous = self.items[index - 1] if index else None
        if (
            previous
            and previous.kind is Kind.NAME
            and item.gap == Gap.COMMA
            and previous.entry.countries
            and self.found
            and item.upper
            and self.found[-1].place.region
        ):
            return 1
        self._add(None, item.fixed.region, None, item, item)
        return 1

    def _coded_region(self, index: int, item: Item) -> int:
        """ "SK, CA": the code of a part before the code of its country."""
        following = self._next(index, Gap.COMMA)
        if not item.upper or len(item.text) > 3 or following is None or following.kind is not Kind.NAME:
            return 0
        for part in item.entry.codes:
            pair = part.country in CODED or self._alone_with(index)
            if pair and is_country(following, part.country) and following.gap == Gap.COMMA:
                self.codes.setdefault(fold(following.text), (part.country, None))
                self._add(None, item.text, part.country, item, following)
                return 2
        return 0

    def _alone_with(self, index: int) -> bool:
        """Whether an item and the one behind it are all their group names."""
        group = self.items[index].group
        return sum(o.kind is Kind.NAME and o.group == group for o in self.items) == 2

    def _region(self, index: int, item: Item) -> int:
        if not item.entry.subdivisions or (item.fixed and item.fixed.city):
            return 0
        parts = item.entry.subdivisions
        following = self._next(index, Gap.BRACKET)
        if following and following.kind is Kind.NAME and not self._opens_entry(index + 1):
            second = self._next(index + 1, Gap.BRACKET)
            for part in parts:
                larger = any(whole.country == part.country for whole in following.entry.subdivisions)
                in_country = second and second.kind is Kind.NAME and part.country in second.entry.countries
                if second and in_country and larger and not following.entry.cities:
                    # "Greater London, England, United Kingdom": the smaller of two parts.
                    self._add(None, shown_part(item, part), part.country, item, second)
                    return 3
                if is_country(following, part.country) and (following.upper or following.entry.countries):
                    self.codes.setdefault(fold(following.text), (part.country, None))
                    self._add(None, shown_part(item, part), part.country, item, following)
                    return 2
        if item.entry.countries:
            return self._country_or_part(index, item)
        if item.upper and len(item.text) <= 3 and not is_part_name(item):
            return 0
        if self.anchor:
            return 1
        chosen = self._usual_part(parts, index)
        if chosen is None:
            return 0
        self._add(None, shown_part(item, chosen), chosen.country, item, item)
        return 1

    def _usual_part(self, parts: Sequence[Subdivision], index: int) -> Subdivision | None:
        countries = {part.country for part in parts}
        if self.hint in countries:
            return next(p for p in parts if p.country == self.hint)
        if len(countries) == 1:
            return parts[0]
        near = {
            c for o in self._others(index) for c in (*(p.country for p in o.entry.subdivisions), *o.entry.countries)
        }
        usual = [p for p in parts if p.country in near] or [p for p in parts if p.country in CODED]
        if usual:
            return usual[0]
        self._doubt("ambiguous_name")
        return None

    def _country_or_part(self, index: int, item: Item) -> int:
        """A country and a state of one name: the company it keeps tells which."""
        parts = [p for p in item.entry.subdivisions if p.country in CODED]
        if not parts:
            return 0
        others = self._others(index)
        states = sum(1 for o in others if any(p.country == parts[0].country for p in o.entry.subdivisions))
        countries = sum(1 for o in others if o.entry.countries)
        if self.hint == parts[0].country or states > countries:
            self._add(None, shown_part(item, parts[0]), parts[0].country, item, item)
        elif countries > states or self.hint in item.entry.countries:
            self._add(None, None, item.entry.countries[0], item, item)
        else:
            self._doubt("ambiguous_name")
        return 1

    def _country(self, index: int, item: Item) -> int:
        if not item.entry.countries or (item.fixed and item.fixed.city):
            return 0
        country = self.hint if self.hint in item.entry.countries else item.entry.countries[0]
        previous = self.found[-1] if self.found else None
        if (
            previous
            and index
            and item.gap == Gap.COMMA
            and country == "CN"
            and previous.place.country in ("HK", "MO", "TW")
            and previous.place.city
        ):
            return 1
        if self.anchor is None and self._first_of_group(index):
            self.anchor = (country, None)
        aside = self._next(index, Gap.BRACKET)
        if aside and aside.gap == Gap.BRACKET and fold(aside.text) in _COMPASS:
            self._add(None, f"{item.text} ({aside.text})", country, item, aside)
            return 2
        self._add(None, None, country, item, item)
        return 1

    def _first_of_group(self, index: int) -> bool:
        return not any(o.kind is Kind.NAME and o.group == self.items[index].group for o in self.items[:index])

    def _late(self, item: Item) -> None:
        """What needed the rest of the line to be read: bare codes."""
        key = fold(item.text)
        if key == "ny" and any(r.place.city for r in self.found) and not any(r.place.region for r in self.found):
            # Among cities without their states it is the city.
            self._add("New York", None, "US", item, item)
            return
        known = self.codes.get(key)
        if item.entry.country_codes and self._in_list_of_countries(item):
            known = (item.entry.country_codes[0], None)
        country, region = known or self._bare_code(item)
        if country is None:
            self._doubt("ambiguous_code" if item.upper and len(item.text) <= 3 else "unknown_words")
            return
        self._add(None, item.text.upper() if region else None, country, item, item)

    def _in_list_of_countries(self, item: Item) -> bool:
        """Whether a code stands alone in its entry, and every other entry of that kind is a country."""
        names: dict[int, list[Item]] = {}
        for other in self.items:
            if other.kind is Kind.NAME:
                names.setdefault(other.group, []).append(other)
        single = [group[0] for group in names.values() if len(group) == 1 and group[0] is not item]
        return (
            len(names[item.group]) == 1
            and bool(single)
            and all(o.entry.countries or o.entry.country_codes for o in single)
        )

    def _bare_code(self, item: Item) -> tuple[str | None, str | None]:
        if not item.upper or (item.weak and not self.hint):
            return None, None
        countries = item.entry.country_codes
        parts = [p for p in item.entry.codes if p.country in _ALONE_CODED or p.country == self.hint]
        if (
            self.hint
            and any(p.country == self.hint for p in parts)
            and len(item.text) == 2
            and self.hint not in countries
        ):
            return self.hint, item.text
        if self.hint and self.hint in countries:
            return self.hint, None
        if len(item.text) == 3 and countries:
            return countries[0], None
        neighbours = [o for o in self.deferred if o is not item and len(o.text) == 2]
        if countries and neighbours and all(o.entry.country_codes for o in neighbours):
            certain = any(not any(p.country == "US" for p in o.entry.codes) for o in (*neighbours, item))
            if certain:
                return countries[0], None
        if countries and not any(p.country == "US" for p in parts):
            return countries[0], None
        if parts and not countries:
            return parts[0].country, item.text
        if (
            any(p.country == "US" for p in parts)
            and any(r.place.country == "US" and r.place.region for r in self.found)
            and neighbours
        ):
            return "US", item.text
        return None, None

    def _unknown(self, index: int, item: Item) -> int:
        """Words that are no known name: a small town where a part of a country or a country stands behind them."""
        following = self._next(index, Gap.COMMA)
        if mistyped := self._mistyped(index, item):
            self._add(mistyped.name, None, mistyped.country, item, item)
            return 1
        if following and following.kind is Kind.WORDS and is_plausible_town(item) and not self.anchor:
            _, country, taken = self._odd_code(index, item, following)
            if country:
                self._add(cased(item.text), None, country, item, self.items[index + taken - 1])
            return taken
        if (
            following is None
            or following.kind is not Kind.NAME
            or following.gap < Gap.DASH
            or self.anchor
            or not is_plausible_town(item)
        ):
            return 1
        if index and item.gap <= Gap.DOT and self.items[index - 1].kind is Kind.NAME:
            return 1
        if self._opens_entry(index + 1):
            return 1
        second = self._next(index + 1, Gap.COMMA)
        parts = parts_of(following, self.hint)
        for part in sorted(
            parts, key=lambda p: not (second and second.kind is Kind.NAME and is_country(second, p.country))
        ):
            with_country = bool(second and second.kind is Kind.NAME and is_country(second, part.country))
            coded = following.upper and part.country == first_coded(following) and part.country in ("US", "CA")
            named = (
                any(s == part for s in following.entry.subdivisions)
                and not following.entry.cities
                and not following.entry.countries
            )
            if with_country or coded or named:
                self.codes.setdefault(fold(following.text), (part.country, part.code))
                self._add(cased(item.text), shown_part(following, part), part.country, item, following)
                return 3 if with_country else 2
        if (
            following.upper
            and len(following.text) <= 3
            and second
            and second.kind is Kind.NAME
            and countries_of(second)
            and not following.entry.cities
        ):
            self._add(cased(item.text), None, countries_of(second)[0], item, second)
            return 3
        for country in following.entry.countries:
            if not following.entry.subdivisions and not following.entry.cities:
                self._add(cased(item.text), None, country, item, following)
                return 2
        return 1

    def _mistyped(self, index: int, item: Item) -> City | None:
        """A large city with two letters swapped or one doubled, in a list of cities."""
        word = item.text
        beside = [o for o in self._others(index) if o.entry.cities or (o.fixed and o.fixed.city)]
        if (
            not 6 <= len(word) <= 16
            or not word.isalpha()
            or not word[0].isupper()
            or len(beside) < 2
            or fold(word) in NO_TOWN
        ):
            return None
        swaps = [word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(1, len(word) - 1)]
        drops = [word[:i] + word[i + 1 :] for i in range(1, len(word)) if word[i] == word[i - 1]]
        for spelling in (*swaps, *drops):
            entry = lookup(spelling)
            if entry and entry.cities and not entry.cities[0].alternate and entry.cities[0].population >= _LARGE:
                return entry.cities[0]
        return None

    # Small questions.

    def _next(self, index: int, strongest: Gap) -> Item | None:
        if index + 1 >= len(self.items):
            return None
        following = self.items[index + 1]
        return following if following.gap <= strongest and following.kind in (Kind.NAME, Kind.WORDS) else None

    def _usual(self, item: Item, hint: str | None) -> str | None:
        """The country a city's name means with nothing beside it; None when two are as likely."""
        cities = item.entry.cities
        if not cities:
            return item.fixed.country if item.fixed else None
        if hint and any(c.country == hint for c in cities):
            return hint
        near = {r.place.country for r in self.found if r.place.country}
        key = fold(item.text)
        if KNOWN_FOR.get(key):
            return KNOWN_FOR[key]
        rivals = [c for c in cities if c.country != cities[0].country]
        weight = _weight(cities[0])
        rival = max((_weight(c) for c in rivals), default=0.0)
        if key in KNOWN_FOR or rival > weight * _RIVAL:
            shared = [c for c in cities if c.country in near]
            return shared[0].country if shared else None
        return cities[0].country

    def _add(self, city: str | None, region: str | None, country: str | None, first: Item, last: Item) -> None:
        self.found.append(Resolved(Place(city, region, country), first.start, max(first.end, last.end), first.group))

    def _doubt(self, warning: str) -> None:
        if warning not in self.open:
            self.open.append(warning)


_COMPASS = words(
    "north south east west central northeast northwest southeast southwest northern southern eastern western"
)
_CITY_FIRST = frozenset({"guatemala city", "panama city", "mexico city", "kuwait city", "tunis"})


def _weight(city: City) -> float:
    return city.population * (1 if city.alternate else 3)
