"""What a name can mean: a country, a part of one, a city. One index, loaded once, searched without unpacking it."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from jobctrl.postings.folding import fold

INDEX = Path(__file__).parent / "data" / "places.z"


@dataclass(frozen=True)
class Subdivision:
    country: str
    code: str
    name: str = ""
    """Empty where it was found by its code."""


@dataclass(frozen=True)
class City:
    name: str
    country: str
    subdivision: str
    """ISO 3166-2 code without the country; empty where it is not known."""
    population: int
    alternate: bool
    """Found under another name than its main one."""


@dataclass(frozen=True)
class Entry:
    """Everything a name can mean. `codes` and `country_codes` are readings as a code, not as a name."""

    countries: tuple[str, ...] = ()
    country_codes: tuple[str, ...] = ()
    subdivisions: tuple[Subdivision, ...] = ()
    codes: tuple[Subdivision, ...] = ()
    cities: tuple[City, ...] = ()


def lookup(name: str) -> Entry | None:
    """The readings of *name*, written in any case and script."""
    key = fold(name)
    return _entry(key) if key else None


def same_subdivision(country: str | None, one: str, other: str) -> bool:
    """Whether two spellings, a name or a code, mean one part of *country*."""
    return fold(one) == fold(other) or bool(subdivision_codes(country, one) & subdivision_codes(country, other))


def subdivision_codes(country: str | None, written: str) -> frozenset[str]:
    """The ISO codes that *written* can mean inside *country* (any country when None)."""
    entry = lookup(written)
    if not entry:
        return frozenset()
    return frozenset(
        f"{part.country}-{part.code}"
        for part in (*entry.subdivisions, *entry.codes)
        if country is None or part.country == country
    )


@lru_cache(maxsize=32_768)
def _entry(key: str) -> Entry | None:
    readings = _find(key.encode("utf-8", "surrogatepass"))
    if readings is None:
        return None
    countries: list[str] = []
    codes: list[str] = []
    parts: list[Subdivision] = []
    part_codes: list[Subdivision] = []
    cities: list[City] = []
    for reading in readings.split("|"):
        kind, *fields = reading.split(";")
        if kind == "C":
            countries.append(fields[0])
        elif kind == "A":
            codes.append(fields[0])
        elif kind == "S":
            parts.append(Subdivision(*fields))
        elif kind == "K":
            part_codes.append(Subdivision(fields[0], fields[1]))
        else:
            country, part, population, name, alternate = fields
            cities.append(City(name or key.title(), country, part, int(population), bool(alternate)))
    # A main name counts for more than a by-name of a city three times as large.
    cities.sort(key=lambda city: -city.population * (1 if city.alternate else 3))
    return Entry(tuple(countries), tuple(codes), tuple(parts), tuple(part_codes), tuple(cities))


def _find(key: bytes) -> str | None:
    """Binary search over the sorted lines of the index."""
    data = _index()
    low, high = 0, len(data)
    while low < high:
        start = data.rfind(b"\n", low, (low + high) // 2) + 1 or low
        end = data.index(b"\n", start)
        tab = data.index(b"\t", start)
        found = data[start:tab]
        if found == key:
            return data[tab + 1 : end].decode()
        if found < key:
            low = end + 1
        else:
            high = start
    return None


@cache
def _index() -> bytes:
    return zlib.decompress(INDEX.read_bytes())
