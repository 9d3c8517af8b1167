"""One page, read: JSON-LD, then markup and the page's own data, then a model; field by field, each with its source."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from jobctrl.enrichment import active, dom, embedded, json_ld, rules
from jobctrl.enrichment.main_part import main_part, words
from jobctrl.enrichment.model import (
    ActiveReading,
    ExtractionTier,
    FieldSource,
    Openness,
    PageKind,
    PageReading,
    Quarantine,
    Said,
    Stated,
)
from jobctrl.enrichment.stated_pay import read_stated_pay
from jobctrl.enrichment.stated_place import read_places
from jobctrl.llm.model import Model
from jobctrl.network.model import Response
from jobctrl.postings.dates import RELATIVE, read_date
from jobctrl.postings.employment import read_employment_type
from jobctrl.postings.language import read_language
from jobctrl.postings.model import (
    DateReading,
    PostingFacts,
)
from jobctrl.postings.text import fold, html_to_text, repair, unescape_html

_TAG = re.compile(r"<[^<>]{1,200}>")
_CUT_OFF = re.compile(r"(?:…|\.\.\.|\[\.\.\.\])\s*$")
_LISTING_PATH = re.compile(
    r"(?i)/(?:search|search-?results?|search-?jobs|jobs|careers?|openings|vacancies|openroles|open-positions)/?$"
)
_MANY = re.compile(
    r"(?i)^\D{0,12}[\d.,]{1,9}\+? (?:\S+ ){0,4}?(?:jobs?|results?|vacanc|positions?|openings?|offres?|emplois?|ofertas?"
    r"|empleos?|vagas?|stellen|treffer|offerte|vacatures?)"
    r"|(?<!no )(?:jobs?|vacancies|positions) (?:found|available|matching)|search results"
)


def read_page(
    page: Response | str, *, url: str, now: datetime, model: Model | None = None, job_id: str | None = None
) -> PageReading:
    """What the page fetched for *url* says about one posting.

    A listing, a wall or a shell gives no fields. `model` is asked only when no other tier finds the posting; the
    local one is not asked, since it reads pages no better than the rules do.
    """
    response = page if isinstance(page, Response) else Response(url, 200, "text/html", page.encode("utf-8", "replace"))
    markup = response.text
    tree = LexborHTMLParser(markup)
    head_text = words(title) if (title := tree.css_first("title")) is not None else ""
    postings = json_ld.job_postings(tree)
    objects = embedded.job_objects(tree)
    open_flag, closed_flag = embedded.page_flag(tree)
    many = len(embedded.listed_titles(tree)) > 1
    main = main_part(tree)
    body_text = words(main) if main is not None else ""

    heading = words(h1) if main is not None and (h1 := main.css_first("h1")) is not None else None
    tiers: list[Stated] = []
    if node := json_ld.main_posting(postings, url=response.url, heading=heading):
        tiers.append(json_ld.stated(node, url=response.url))
    elif main is not None and not postings and (item := dom.microdata(main)):
        tiers.append(json_ld.stated(item, url=response.url, tier=ExtractionTier.CSS_SELECTORS))
    seen = dom.stated(tree, main, url=response.url) if main is not None else Stated(ExtractionTier.CSS_SELECTORS)
    named = next((tier.title.text for tier in (*tiers, seen) if tier.title), None)
    state = embedded.job_for(objects, named)
    own = embedded.stated(state) if state is not None else None

    if active.blocked(response.status, head_text, body_text, markup) and not tiers:
        kind = PageKind.BLOCKED
    elif tiers or (own is not None and not many) or (seen.about_one and not _counts_postings(head_text, heading)):
        kind = PageKind.POSTING
    elif len(postings) > 1 or many or _lists_postings(response.url, head_text, heading, main):
        kind = PageKind.LISTING
    elif seen.title and rules.usable(seen.tier, len(_text_of(seen))):
        kind = PageKind.POSTING
    else:
        kind = _without_posting(main)
        if main is not None and seen.title and seen.apply_control and (whole := dom.longest_text(main)):
            # Nothing marks the text, but a title and an apply button say that this is a posting.
            seen = replace(seen, description_html=whole, description_field="main text")
            kind = PageKind.POSTING
        if (
            kind is PageKind.SHELL
            and model is not None
            and model.provider != "local"
            and main is not None
            and body_text
        ):
            from jobctrl.enrichment.assisted import ask_model

            if (assisted := ask_model(model, main, job_id=job_id)) is not None:
                tiers.append(assisted)
                kind = PageKind.POSTING
    if kind is PageKind.POSTING:
        tiers += [seen, *([own] if own is not None else [])]
        if own is not None:
            open_flag, closed_flag = open_flag or own.open_flag, closed_flag or own.closed_flag
    return _reading(response, url, kind, tiers, seen, main, open_flag, closed_flag, now)


def _reading(
    response: Response,
    url: str,
    kind: PageKind,
    tiers: Sequence[Stated],
    seen: Stated,
    main: LexborNode | None,
    open_flag: Said | None,
    closed_flag: Said | None,
    now: datetime,
) -> PageReading:
    sources: dict[str, FieldSource] = {}
    warnings: list[str] = []

    def pick(name: str) -> Said | None:
        for tier in tiers:
            said: Said | None = getattr(tier, name)
            if said is not None:
                sources[name] = FieldSource(tier.tier, said.span)
                return said
        return None

    deadline, deadline_said, deadline_tier = _deadline(tiers, now, warnings)
    if deadline_tier is not None and deadline_said is not None:
        sources["valid_through"] = FieldSource(deadline_tier, deadline_said.span)
    state = active.active_state(
        status=response.status,
        requested_url=url,
        final_url=response.url,
        kind=kind,
        main=main,
        deadline=deadline,
        deadline_said=deadline_said,
        open_flag=open_flag,
        closed_flag=closed_flag,
        apply=next((tier.apply_control for tier in tiers if tier.apply_control), None),
        now=now,
    )
    if kind is not PageKind.POSTING:
        return _no_posting(response.url, kind, state, seen)
    title, company, apply = pick("title"), pick("company"), pick("apply_url")
    described, text, html = _description(tiers)
    if described is not None:
        sources["description"] = FieldSource(described.tier, Said(text[:120], described.description_field).span)
    place = read_places(tiers, text, sources, warnings)
    country = next((p.country for p in place.places if p.country), None)
    pay = read_stated_pay(tiers, text, country, sources)
    employment = _employment(tiers, title, sources)
    published = _date(tiers, "published", now, sources)
    facts = PostingFacts(
        place=place,
        pay=pay,
        published=published,
        updated=_date(tiers, "updated", now, sources),
        valid_through=deadline,
        language=read_language(text),
        employment_type=employment,
    )
    sure = rules.confidence(described.tier if described else None, len(text), has_apply_url=apply is not None)
    return PageReading(
        url=response.url,
        kind=kind,
        active=state,
        title=_clean(title.text) if title else None,
        company=_clean(company.text) if company else None,
        facts=facts,
        description=text,
        description_markdown=_markdown(html),
        apply_url=apply.text if apply else None,
        tier=described.tier if described else None,
        sources=sources,
        confidence=sure,
        quarantine=rules.quarantine(state.state, sure, len(text)),
        warnings=tuple(warnings),
    )


def _no_posting(url: str, kind: PageKind, state: ActiveReading, seen: Stated) -> PageReading:
    """A page without a posting; one that says its posting is gone still names the employer."""
    gone = state.state.openness is Openness.CLOSED
    return PageReading(
        url=url,
        kind=PageKind.CLOSED_PAGE if gone else kind,
        active=state,
        company=_clean(seen.company.text) if gone and seen.company else None,
        quarantine=Quarantine.POSTING_INACTIVE if gone else Quarantine.UNKNOWN_ACTIVE_STATE,
    )


def _counts_postings(head: str, heading: str | None) -> bool:
    return bool(_MANY.search(head) or (heading and _MANY.search(heading)))


def _lists_postings(url: str, head: str, heading: str | None, main: LexborNode | None) -> bool:
    """Whether the page is a list: its words count postings, or its address and its links do."""
    if _counts_postings(head, heading):
        return True
    if main is None:
        return False
    if dom.lists_titles(main):
        return True
    titled = {
        fold(words(node))
        for node in main.css(
            "h2 a[href], h3 a[href], h4 a[href], li a[href] h3, [class*=title] a[href], a[class*=title]"
        )
    }
    return bool(_LISTING_PATH.search(urlsplit(url).path)) and len(titled) > 1


def _without_posting(main: LexborNode | None) -> PageKind:
    if main is None:
        return PageKind.SHELL
    if main.css_first("input[type=password]") is not None:
        return PageKind.LOGIN
    links = {fold(words(node)) for node in main.css("h2 a[href], h3 a[href], h4 a[href], td a[href], li a[href]")}
    return PageKind.LISTING if len(links) > 1 else PageKind.SHELL


def _description(tiers: Sequence[Stated]) -> tuple[Stated | None, str, str]:
    """The first usable description: its tier, text and HTML. A teaser gives way to the whole text of a later tier."""
    best: tuple[Stated | None, str, str] = (None, "", "")
    for tier in tiers:
        text = _text_of(tier)
        if not rules.usable(tier.tier, len(text)):
            continue
        if best[0] is None or (_CUT_OFF.search(best[1]) and len(text) > len(best[1])):
            best = (tier, text, tier.description_html)
    return best


def _text_of(tier: Stated) -> str:
    return repair(html_to_text(tier.description_html)) if tier.description_html else ""


def _markdown(html: str) -> str:
    if not html:
        return ""
    from html_to_markdown import convert

    return repair(str(convert(unescape_html(html)).content or "")).strip()


def _employment(tiers: Sequence[Stated], title: Said | None, sources: dict[str, FieldSource]) -> str | None:
    """The first tier's type that says something; "other" and silence leave the word to the title."""
    vague: str | None = None
    for tier in tiers:
        if tier.employment_type is None:
            continue
        kind = read_employment_type(tier.employment_type.text)
        if kind not in (None, "other"):
            sources["employment_type"] = FieldSource(tier.tier, tier.employment_type.span)
            return kind
        vague = vague or kind
    named = read_employment_type(title.text) if title else None
    if named in ("internship", "part_time", "temporary", "freelance"):
        return named
    return vague


def _date(tiers: Sequence[Stated], name: str, now: datetime, sources: dict[str, FieldSource]) -> DateReading:
    """The first date a tier states; one counted back from today only when no tier prints one."""
    relative = DateReading()
    for tier in tiers:
        said: Said | None = getattr(tier, name)
        if said is None:
            continue
        reading = read_date(said.text, now=now)
        if reading.day is None:
            continue
        if reading.bound or RELATIVE in reading.warnings:
            relative = relative if relative.day else reading
            continue
        sources[name] = FieldSource(tier.tier, said.span)
        return reading
    return relative


def _deadline(
    tiers: Sequence[Stated], now: datetime, warnings: list[str]
) -> tuple[DateReading, Said | None, ExtractionTier | None]:
    """The last day to apply. What the page shows wins over what it hides; a date counted from today is none."""
    found: list[tuple[DateReading, Said, ExtractionTier]] = []
    for tier in tiers:
        if tier.valid_through is not None:
            reading = read_date(tier.valid_through.text, now=now)
            if reading.day is not None and not reading.bound and RELATIVE not in reading.warnings:
                found.append((reading, tier.valid_through, tier.tier))
    if not found:
        return DateReading(), None, None
    shown = next((entry for entry in found if entry[1].field.startswith("label:")), found[0])
    if any(entry[0].day != shown[0].day for entry in found):
        warnings.append("valid_through: the page says otherwise than its JSON-LD")
    return shown


def _clean(text: str) -> str:
    return " ".join(repair(_TAG.sub(" ", text)).split())
