"""The JobPosting a page carries as JSON-LD, in all the shapes that sites give it."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser

from jobctrl.enrichment.model import ExtractionTier, Said, Stated
from jobctrl.postings.model import PayComponent, PayPeriod, PayReading, PayState, Span
from jobctrl.postings.place import StatedPlace

Node = Mapping[str, Any]

_TRAILING_COMMA = re.compile(r',(?=\s*[}\]])|("(?:[^"\\]|\\.)*")', re.S)
_BAD_ESCAPE = re.compile(r'\\(?!["\\/bfnrtu])')
_WRAPPING = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>)\s*;?\s*$"
)
_EMPTY = re.compile(
    r"(?i)^(?:unavailable|unknown|not (?:available|specified|provided)|n/?a|none|null|undefined|nil|tbd|[-–—.,*?]*)$"
)
_MODE_WORD = re.compile(r"(?i)^(?:remote|telecommute|hybrid|anywhere|worldwide|on-?site)$")
_PERIODS = {
    "hour": PayPeriod.HOUR, "hourly": PayPeriod.HOUR, "hr": PayPeriod.HOUR, "hours": PayPeriod.HOUR,
    "day": PayPeriod.DAY, "daily": PayPeriod.DAY, "days": PayPeriod.DAY,
    "week": PayPeriod.WEEK, "weekly": PayPeriod.WEEK, "weeks": PayPeriod.WEEK,
    "month": PayPeriod.MONTH, "monthly": PayPeriod.MONTH, "months": PayPeriod.MONTH, "mon": PayPeriod.MONTH,
    "year": PayPeriod.YEAR, "yearly": PayPeriod.YEAR, "annual": PayPeriod.YEAR, "annually": PayPeriod.YEAR,
    "years": PayPeriod.YEAR, "annum": PayPeriod.YEAR, "ann": PayPeriod.YEAR, "per annum": PayPeriod.YEAR,
}  # fmt: skip


def job_postings(tree: LexborHTMLParser) -> list[Node]:
    """Every JobPosting of the page, its references filled in, in page order."""
    roots: list[Any] = []
    for script in tree.css("script"):
        if "ld+json" in (script.attributes.get("type") or "").lower():
            roots.extend(parse_block(script.text(strip=False)))
    by_id: dict[str, Node] = {}
    for node in _nodes(roots):
        name = node.get("@id")
        # A bare reference must not hide the node it points at.
        if isinstance(name, str) and len(node) > len(by_id.get(name, {})):
            by_id[name] = node
    found = [node for node in _nodes(roots) if "jobposting" in _types(node)]
    return [{key: _resolve(value, by_id) for key, value in node.items()} for node in found]


def parse_block(text: str) -> list[Any]:
    """The JSON values of one script, mended where sites break them; nothing when it is beyond mending."""
    text = _WRAPPING.sub("", text.strip().lstrip("\ufeff")).strip()
    text = _WRAPPING.sub("", text).strip().rstrip(";")
    for attempt in (text, html.unescape(text), _mended(text), _mended(html.unescape(text))):
        values = list(_values(attempt))
        if values:
            return values
    return []


def main_posting(postings: list[Node], *, url: str, heading: str | None) -> Node | None:
    """The one posting the page is about: the only one, the one its address or heading names, or none."""
    distinct = {(_text(p.get("title")), _plain(p.get("description"))[:200]): p for p in postings}
    if len(distinct) == 1:
        return postings[0]
    here = _address(url)
    by_address = [p for p in distinct.values() if (link := _link(p.get("url"), url)) and _address(link) == here]
    if len(by_address) == 1:
        return by_address[0]
    if heading:
        named = [p for p in distinct.values() if (_text(p.get("title")) or "").casefold() == heading.casefold()]
        if len(named) == 1:
            return named[0]
    return None


def stated(node: Node, *, url: str, tier: ExtractionTier = ExtractionTier.JSON_LD) -> Stated:
    """What a JobPosting says, field by field."""
    prefix = "json_ld" if tier is ExtractionTier.JSON_LD else "microdata"
    remote = any("telecommute" in word.lower() for word in _texts(node.get("jobLocationType")))
    places = tuple(_places(node.get("jobLocation"), f"{prefix}.jobLocation"))
    if not places and remote:
        places = tuple(_places(node.get("applicantLocationRequirements"), f"{prefix}.applicantLocationRequirements"))
    description, where = _description(node)
    kinds = _texts(node.get("employmentType"))

    def said(name: str, *others: str) -> Said | None:
        for key in (name, *others):
            if (text := _text(node.get(key))) and not _EMPTY.match(text):
                return Said(text, f"{prefix}.{key}")
        return None

    company = _name(node.get("hiringOrganization"))
    apply = _apply_url(node, url)
    return Stated(
        tier=tier,
        title=said("title", "name"),
        company=Said(company, f"{prefix}.hiringOrganization") if company else None,
        places=places,
        telecommute=remote,
        pay=base_salary(node, f"{prefix}.baseSalary"),
        pay_text=Said(text, f"{prefix}.baseSalary") if (text := _text(node.get("baseSalary"))) else None,
        published=said("datePosted"),
        updated=said("dateModified"),
        valid_through=said("validThrough"),
        employment_type=Said(", ".join(kinds), f"{prefix}.employmentType") if kinds else None,
        description_html=description,
        description_field=f"{prefix}.{where}",
        apply_url=Said(apply, f"{prefix}.url") if apply else None,
    )


def base_salary(node: Node, field: str) -> PayReading | None:
    """Pay from `baseSalary`; what the fields leave out stays None. None when they hold no figure."""
    salary = _first(node.get("baseSalary"))
    currency = _currency(node.get("salaryCurrency"))
    if salary is None:
        return None
    unit: Any = None
    value: Any = salary
    if isinstance(salary, Mapping):
        currency = _currency(salary.get("currency")) or _currency(salary.get("currencyCode")) or currency
        unit = salary.get("unitText")
        value = _first(salary.get("value"))
        if value is None:
            value = salary
    low = high = None
    if isinstance(value, Mapping):
        currency = _currency(value.get("currency")) or currency
        unit = value.get("unitText") or value.get("unitCode") or unit
        low, high = _amount(value.get("minValue")), _amount(value.get("maxValue"))
        if low is None and high is None:
            low = high = _amount(value.get("value"))
    else:
        low = high = _amount(value)
    if low is None and high is None:
        return None
    warnings: tuple[str, ...] = ()
    if low is not None and high is not None and low > high:
        low, high, warnings = high, low, ("swapped_bounds",)
    shown = json.dumps(salary, ensure_ascii=False, default=str)
    return PayReading(
        state=PayState.STATED,
        currency=currency,
        period=_PERIODS.get((_text(unit) or "").strip().lower().removeprefix("per ")),
        low=low,
        high=high,
        component=PayComponent.UNKNOWN,
        span=Span(0, len(shown), shown, field),
        warnings=warnings,
    )


def _values(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder(strict=False)
    position = 0
    while position < len(text):
        if text[position] in " \t\r\n;,":
            position += 1
            continue
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            return
        if isinstance(value, str):
            # The whole block was encoded twice.
            yield from parse_block(value) if value.lstrip()[:1] in ("{", "[") else ()
        elif isinstance(value, Mapping | list):
            yield value


def _mended(text: str) -> str:
    text = _BAD_ESCAPE.sub(r"\\\\", text)
    return _TRAILING_COMMA.sub(lambda match: match.group(1) or "", text)


def _nodes(value: Any, depth: int = 0) -> Iterator[Node]:
    if depth > 12:
        return
    if isinstance(value, list):
        for item in value:
            yield from _nodes(item, depth + 1)
    elif isinstance(value, Mapping):
        yield value
        for item in value.values():
            if isinstance(item, Mapping | list):
                yield from _nodes(item, depth + 1)


def _types(node: Node) -> set[str]:
    return {
        str(name).rpartition("/")[2].rpartition(":")[2].lower() for name in _list(node.get("@type", node.get("type")))
    }


def _resolve(value: Any, by_id: Mapping[str, Node]) -> Any:
    if isinstance(value, list):
        return [_resolve(item, by_id) for item in value]
    if isinstance(value, Mapping) and set(value) <= {"@id", "@type"} and isinstance(value.get("@id"), str):
        return by_id.get(value["@id"], value)
    return value


def _places(value: Any, field: str) -> Iterator[StatedPlace]:
    for place in _list(value):
        if isinstance(place, str):
            yield from _place({"addressLocality": place}, field)
            continue
        if not isinstance(place, Mapping):
            continue
        addresses = _list(place.get("address")) or [place]
        for address in addresses:
            if isinstance(address, str):
                yield from _place({"addressLocality": address}, field)
            elif isinstance(address, Mapping):
                yield from _place({"name": place.get("name"), **address}, field)


def _place(address: Node, field: str) -> Iterator[StatedPlace]:
    def part(name: str) -> str | None:
        value = address.get(name)
        text = _name(value) if isinstance(value, Mapping) else ", ".join(_texts(value))
        return text if text and not _EMPTY.match(text) and not _MODE_WORD.match(text) else None

    city, region, country = part("addressLocality"), part("addressRegion"), part("addressCountry")
    if region and country and region.casefold() == country.casefold():
        region = None
    parts = [text for text in (city, region, country) if text]
    if not parts:
        # A place of which only the name is given, or a street that holds it all.
        parts = [text for text in (part("name") or part("streetAddress"),) if text]
    if parts:
        yield StatedPlace(text=", ".join(dict.fromkeys(parts)), field=field, city=city, region=region, country=country)


def _description(node: Node) -> tuple[str, str]:
    """The description, with the parts that some sites keep in fields of their own."""
    parts: list[str] = []
    for name in ("description", "responsibilities", "qualifications", "skills", "jobBenefits", "incentiveCompensation"):
        text = "".join(f"<p>{item}</p>" if name != "description" else item for item in _texts(node.get(name)))
        known = " ".join(_plain(part) for part in parts)
        if text and _plain(text)[:80] not in known and (name == "description" or len(_plain(text)) > 40):
            parts.append(text)
    return "\n".join(parts), "description"


def _apply_url(node: Node, url: str) -> str | None:
    own = _link(node.get("url"), url)
    if str(node.get("directApply")).lower() == "true":
        return own or url
    contact = _first(node.get("applicationContact"))
    if isinstance(contact, Mapping) and (link := _link(contact.get("url"), url)):
        return link
    return own


def _link(value: Any, base: str) -> str | None:
    text = _text(value)
    if not text:
        return None
    try:
        link = urljoin(base, text)
        return link if urlsplit(link).scheme in ("http", "https") and urlsplit(link).hostname else None
    except ValueError:
        return None


def _address(url: str) -> tuple[str, str, str]:
    parts = urlsplit(url)
    return ((parts.hostname or "").removeprefix("www."), parts.path.rstrip("/"), parts.query)


def _currency(value: Any) -> str | None:
    text = (_text(value) or "").strip().upper()
    return text if re.fullmatch(r"[A-Z]{3}", text) and text not in {"USDT", "N/A", "XXX"} else None


def _amount(value: Any) -> Decimal | None:
    """A positive number, however it is written in a field: `130000`, `"130,000.00"`, `"1.500,00"`; else None."""
    if isinstance(value, bool) or value is None:
        return None
    text = str(value).strip().replace("\N{NO-BREAK SPACE}", "").replace(" ", "")
    if not re.fullmatch(r"[^\d-]{0,4}\d[\d.,'’]*[^\d]{0,4}", text):
        return None
    text = re.sub(r"[^\d.,]", "", text).rstrip(".,")
    if re.search(r",\d{1,2}$", text):
        text = text.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"\d{1,3}(?:\.\d{3}){2,}", text) or re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", text):
        text = text.replace(",", "") if "," in text else text.replace(".", "")
    try:
        amount = Decimal(text.replace(",", ""))
    except InvalidOperation:
        return None
    return amount if amount > 0 else None


def _name(value: Any) -> str | None:
    first = _first(value)
    if isinstance(first, Mapping):
        for key in ("name", "legalName", "alternateName"):
            if (text := _text(first.get(key))) and not _EMPTY.match(text):
                return text
        return None
    text = _text(first)
    return text if text and not _EMPTY.match(text) and not text.startswith(("http://", "https://")) else None


def _text(value: Any) -> str | None:
    """A value as one line of text; None for what is no text."""
    first = _first(value)
    if isinstance(first, Mapping):
        first = first.get("@value")
    if isinstance(first, bool) or not isinstance(first, str | int | float):
        return None
    text = html.unescape(html.unescape(str(first))) if "&" in str(first) else str(first)
    return " ".join(text.split()) or None


def _texts(value: Any) -> list[str]:
    found = [item.get("@value") or item.get("name") if isinstance(item, Mapping) else item for item in _list(value)]
    return [str(item).strip() for item in found if isinstance(item, str | int | float) and str(item).strip()]


def _plain(value: Any) -> str:
    return re.sub(r"<[^>]*>|\s+", " ", _text(value) or "").strip()


def _first(value: Any) -> Any:
    return next(iter(value), None) if isinstance(value, list) else value


def _list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
