"""A posting read from the page's own markup: where it does not come as JSON-LD, or to hold against it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from jobctrl.enrichment import json_ld, markup
from jobctrl.enrichment.labels import LONGEST_LABEL, Fact, is_apply, label_of
from jobctrl.enrichment.main_part import names, split_names, words
from jobctrl.enrichment.model import ExtractionTier, Said, Stated
from jobctrl.postings.place import StatedPlace, read_place
from jobctrl.postings.text import fold

DESCRIPTION_MIN = 100
LONGEST_VALUE = 200
LONGEST_TITLE = 180

_JOB = {"job", "jobs", "position", "posting", "vacancy", "opening", "topcard", "requisition", "jobtitle", "jobdetail", "offer", "vacature", "detail"}
_TITLE = {"title", "headline", "titel", "titre", "ttl", "jobtitle"}
_COMPANY = {"company", "employer", "organization", "organisation", "advertiser", "hiring", "firm"}
_COMPANY_NOT = {"logo", "rating", "review", "reviews", "size", "industry", "description", "about", "icon", "image", "url", "website", "info", "link", "follow", "search", "section", "tab", "benefits", "jobs"}
_PLACE = {"location", "locations", "locality"}
_PLACE_NOT = {"search", "filter", "select", "input", "icon", "form", "suggest", "alert", "map", "form", "keyword", "picker", "label"}
_BODY = {"description", "jobdescription", "jobdesc", "descripcion", "beschreibung", "descricao"}
_BODY_NOT = {"meta", "short", "company", "employer", "list", "search", "criteria", "card", "item", "snippet", "tooltip", "header", "footer", "title", "label", "icon", "button", "btn", "criterias"}
_BLOCKS = "div, section, article, main, td, ip-details"
_ABOUT_JOB = re.compile(
    r"^(?:(?:full |about the |the )?(?:job|position|role|vacancy)(?: description| summary| overview| details| brief| purpose)?|about (?:this|the) (?:job|role|position)|description"
    r"|stellenbeschreibung|ihre aufgaben|deine aufgaben|aufgaben|description du poste|descriptif du poste|le poste|missions?|descripción(?: del (?:puesto|empleo|trabajo))?|funciones"
    r"|descrição(?: da vaga| do cargo)?|detalhe da oferta|descrizione(?: del lavoro| della posizione)?|functieomschrijving|vacaturetekst|opis stanowiska|zakres obowiązków"
    r"|arbetsuppgifter|om (?:jobbet|rollen|stillingen|tjänsten)|tehtävän kuvaus|työn kuvaus|popis (?:práce|pozice)|munkaköri leírás|mô tả công việc|описание вакансии|обязанности|iş tanımı"
    r"|仕事内容|業務内容|职位描述|岗位职责|工作內容|직무 ?내용|주요 ?업무|담당 ?업무)\W*$"
)
_AT_COMPANY = re.compile(r"^\s+(?:at|@|bei|chez|en|bij|hos|presso|na|w)\s+(?P<company>.{2,80}?)(?:\s+[-–—|]\s+(?P<rest>.*))?$")
_HIRING = re.compile(r"^(?P<company>.{2,80}?) (?:hiring|recrute|sucht|is hiring|zoekt|busca|está contratando) (?P<title>.+?)(?: in (?P<place>.+?))?(?:\s+[|·]\s+.*)?$")
_AT = re.compile(r"^(?P<title>.{3,120}?) (?:at|@) (?P<company>[^|–—]{2,80}?)(?:\s+[-–—|]\s+(?P<rest>.*))?$")
_CAREERS_AT = re.compile(r"(?i)\b(?:careers|jobs|karriere|career opportunities) (?:at|with|bei) (?P<company>.+)$")


def stated(tree: LexborHTMLParser, main: LexborNode, *, url: str) -> Stated:
    """What the markup states. `tree` still has its head; `main` is the pruned body."""
    head = _head_title(tree)
    title = _title(tree, main, head)
    from_head = _from_head(head, title)
    labelled = labelled_facts(main)
    description, where = _description(main, title)
    company = (
        _first(main, markup.COMPANY, 80)
        or labelled.get(Fact.COMPANY)
        or _by_names(main, _COMPANY, {"name"}, _COMPANY_NOT, 80)
        or _meta(tree, _COMPANY)
        or from_head.company
    )
    return Stated(
        tier=ExtractionTier.CSS_SELECTORS,
        title=title or from_head.title,
        company=company,
        places=_places(tree, main, labelled, from_head),
        work_mode=_first(main, markup.WORK_MODE, 80) or labelled.get(Fact.WORK_MODE),
        pay_text=_first(main, markup.PAY, 160) or labelled.get(Fact.PAY),
        published=_first(main, markup.PUBLISHED, 80) or labelled.get(Fact.PUBLISHED),
        updated=labelled.get(Fact.UPDATED),
        valid_through=labelled.get(Fact.DEADLINE),
        employment_type=_first(main, markup.EMPLOYMENT, 80)
        or labelled.get(Fact.EMPLOYMENT_TYPE)
        or _by_names(main, {"employ", "employment", "worktype", "jobtype", "contract"}, {"type"}, {"search", "filter"}, 60),
        description_html=description,
        description_field=where,
        apply_url=_apply(tree, main, url),
    )


def apply_control(main: LexborNode) -> Said | None:
    """The words of a button or link that offers to apply; a link need not lead anywhere without scripts."""
    for node in main.css("a, button, input[type=submit], input[type=button], [role=button], h2, h3, .register-title"):
        text = words(node) or (node.attributes.get("value") or node.attributes.get("aria-label") or "")
        if is_apply(text):
            return Said(text, node.tag or "a")
    return None


def microdata(main: LexborNode) -> dict[str, Any] | None:
    """A schema.org JobPosting in attributes, as the object its JSON-LD would be. None unless there is exactly one."""
    items = main.css('[itemtype*="schema.org/JobPosting"]')
    return {"@type": "JobPosting", **_item(items[0])} if len(items) == 1 else None


def labelled_facts(main: LexborNode) -> dict[Fact, Said]:
    """The values that stand behind labels, first one wins: definition lists, tables, `Label: value` lines, attributes."""
    found: dict[Fact, Said] = {}
    for node in main.traverse(include_text=True):
        if node.tag == "-text":
            text = node.text(deep=False).strip()
            if not text or len(text) > LONGEST_LABEL + LONGEST_VALUE:
                continue
            left, colon, right = text.replace("：", ":").partition(":")
            fact = label_of(left)
            if fact is None or fact in found:
                continue
            value = " ".join(right.split()) if right.strip() else _value_after(node)
            # A bare word is a label only when it stands apart; `Location` in a sentence has no value behind it.
            if value and (colon or node.parent is None or node.parent.tag not in ("a", "option", "button")):
                found[fact] = Said(value[:LONGEST_VALUE], f"label:{fact}")
        elif label := node.attributes.get("title") or node.attributes.get("data-label") or node.attributes.get("aria-label"):
            fact = label_of(label)
            if fact is not None and fact not in found and (value := words(node)) and len(value) <= LONGEST_VALUE:
                if label_of(value) is None and fold(value) != fold(label):
                    found[fact] = Said(value, f"label:{fact}")
    return found


class _FromHead:
    """What the title in the page's head tells besides the heading."""

    def __init__(self, title: Said | None = None, company: Said | None = None, place: str | None = None, rest: tuple[str, ...] = ()) -> None:
        self.title = title
        self.company = company
        self.place = place
        self.rest = rest


def _head_title(tree: LexborHTMLParser) -> str:
    node = tree.css_first("head title") or tree.css_first("title")
    text = words(node) if node is not None else ""
    if not text and (meta := tree.css_first('meta[property="og:title"]')) is not None:
        text = " ".join((meta.attributes.get("content") or "").split())
    return text


def _title(tree: LexborHTMLParser, main: LexborNode, head: str) -> Said | None:
    if found := _first(main, markup.TITLE, LONGEST_TITLE):
        return found
    if found := _by_names(main, _JOB, _TITLE, {"search", "list", "card", "similar", "page", "site"}, LONGEST_TITLE):
        return found
    if found := _meta(tree, {"jobtitle", "job"}, {"jobtitle", "title"}):
        return found
    headings = [text for node in main.css("h1") if (text := words(node)) and len(text) <= LONGEST_TITLE]
    if len(set(headings)) == 1:
        return Said(headings[0], "h1")
    for text in headings:
        if fold(text) in fold(head):
            return Said(text, "h1")
    return None


def _from_head(head: str, title: Said | None) -> _FromHead:
    if not head:
        return _FromHead()
    if match := _HIRING.match(head):
        return _FromHead(Said(match["title"], "title"), Said(match["company"], "title"), match["place"])
    if title is not None and head.startswith(title.text):
        rest = head[len(title.text) :]
        if match := _AT_COMPANY.match(rest):
            return _FromHead(company=Said(match["company"], "title"), rest=_segments(match["rest"] or ""))
        segments = _segments(rest)
        if segments and (match := _CAREERS_AT.search(segments[-1])):
            return _FromHead(company=Said(match["company"], "title"))
        return _FromHead(rest=segments)
    if match := _AT.match(head):
        return _FromHead(Said(match["title"], "title"), Said(match["company"], "title"), rest=_segments(match["rest"] or ""))
    if match := _CAREERS_AT.search(head):
        before = head[: match.start()].strip(" -–—|")
        return _FromHead(Said(before, "title") if before else None, Said(match["company"], "title"))
    return _FromHead()


def _segments(text: str) -> tuple[str, ...]:
    return tuple(part for piece in re.split(r"\s+[-–—|·]\s+", text) if (part := piece.strip(" -–—|·")))


def _places(
    tree: LexborHTMLParser, main: LexborNode, labelled: dict[Fact, Said], from_head: _FromHead
) -> tuple[StatedPlace, ...]:
    candidates: list[Said] = []
    candidates += _all(main, markup.LOCATION, 160)
    if label := labelled.get(Fact.LOCATION):
        candidates.append(label)
    if meta := _meta(tree, _PLACE):
        candidates.append(Said(meta.text.replace("~", ", "), meta.field))
    if from_head.place:
        candidates.append(Said(from_head.place, "title"))
    if named := _by_names(main, _PLACE, set(), _PLACE_NOT, 120):
        candidates.append(named)
    candidates += [Said(text, "title") for text in from_head.rest]
    for said in candidates:
        reading = read_place(said.text)
        # The head's title also names the site and the trade: only what surely is a place counts there.
        if reading.places and (said.field != "title" or (reading.places[0].city and reading.places[0].country)):
            return (StatedPlace(text=said.text, field=said.field),)
    return ()


def _first(main: LexborNode, selectors: Sequence[str], longest: int) -> Said | None:
    return next(iter(_all(main, selectors, longest)), None)


def _all(main: LexborNode, selectors: Sequence[str], longest: int) -> list[Said]:
    found = []
    for selector in selectors:
        for node in main.css(selector):
            text = words(node)
            if 1 < len(text) <= longest:
                found.append(Said(text, selector.partition(",")[0]))
    return found


def _by_names(main: LexborNode, subject: set[str], part: set[str], never: set[str], longest: int) -> Said | None:
    """The first short text of a node whose names hold a word of *subject*, one of *part*, and none of *never*."""
    best: Said | None = None
    for node in main.css("[class], [id], [data-testid], [data-automation], [data-qa]"):
        called = names(node)
        if not called & subject or called & never or (part and not called & part):
            continue
        if node.tag in ("input", "select", "form", "label", "a", "button", "ul") and node.tag != "a":
            continue
        text = words(node)
        if 1 < len(text) <= longest and label_of(text) is None:
            best = best or Said(text, f"{node.tag}.{'-'.join(sorted(called & (subject | part)))}")
            break
    return best


def _meta(tree: LexborHTMLParser, subject: set[str], part: frozenset[str] | set[str] = frozenset()) -> Said | None:
    for node in tree.css("meta[name][content], meta[property][content]"):
        name = node.attributes.get("name") or node.attributes.get("property") or ""
        called = split_names(name) | {word for word in re.split(r"\W|_", name.lower()) if word}
        content = " ".join((node.attributes.get("content") or "").split()).strip(" ,;")
        if called & subject and (not part or called & part) and not called & {"og", "twitter", "site", "application"}:
            if 1 < len(content) <= LONGEST_TITLE:
                return Said(content, f"meta.{name}")
    return None


def _description(main: LexborNode, title: Said | None) -> tuple[str, str]:
    """The markup of the job's text and where it was found; empty when no place of it is marked."""
    for selector in markup.DESCRIPTION:
        nodes = [node for node in main.css(selector) if len(words(node)) >= DESCRIPTION_MIN]
        if nodes:
            return "\n".join(node.html or "" for node in _outermost(nodes)), selector.partition(",")[0]
    named = [
        node
        for node in main.css(_BLOCKS)
        if (called := names(node)) & _BODY and not called & _BODY_NOT and len(words(node)) >= DESCRIPTION_MIN
    ]
    if named:
        return "\n".join(node.html or "" for node in _outermost(named)), "named:description"
    for heading in main.css("h2, h3, h4, dt, strong, [headericon]"):
        text = heading.attributes.get("title") or words(heading)
        if len(text) <= 60 and _ABOUT_JOB.match(fold(text)):
            block = _block_under(heading)
            if block is not None and len(words(block)) >= DESCRIPTION_MIN * 2:
                return block.html or "", f"under:{text[:40]}"
    return "", ""


def _block_under(heading: LexborNode) -> LexborNode | None:
    """The smallest wrapper of *heading* that holds a good deal more than the heading."""
    node: LexborNode | None = heading
    floor = len(words(heading)) + DESCRIPTION_MIN * 2
    while node is not None and node.tag not in ("body", "html"):
        if len(words(node)) >= floor:
            return node
        node = node.parent
    return None


def _outermost(nodes: list[LexborNode]) -> list[LexborNode]:
    """The nodes that no other of them contains."""
    marked = {node.mem_id for node in nodes}
    kept = []
    for node in nodes:
        parent = node.parent
        while parent is not None and parent.mem_id not in marked:
            parent = parent.parent
        if parent is None:
            kept.append(node)
    return kept


def _apply(tree: LexborHTMLParser, main: LexborNode, url: str) -> Said | None:
    for node in tree.css('meta[name*="apply-url"], meta[name*="applyUrl"], meta[name*="apply_url"]'):
        if link := _link(node.attributes.get("content"), url):
            return Said(link, "meta.apply-url")
    for selector in (*markup.APPLY, "a[href], button[data-apply-url], a[data-apply-url]"):
        for node in main.css(selector):
            text = words(node) or node.attributes.get("aria-label") or node.attributes.get("title") or ""
            if selector.startswith("a[href]") and not is_apply(text):
                continue
            for name in ("data-apply-url", "href", "data-href"):
                if link := _link(node.attributes.get(name), url):
                    return Said(link, selector.partition(",")[0])
    return None


def _link(value: str | None, base: str) -> str | None:
    if not value or value.strip().startswith(("#", "javascript:", "mailto:", "tel:")):
        return None
    try:
        link = urljoin(base, value.strip())
        return link if urlsplit(link).scheme in ("http", "https") else None
    except ValueError:
        return None


def _value_after(node: LexborNode) -> str | None:
    """The text that follows a label: beside it, or beside the element that holds nothing but the label."""
    current = node
    label = fold(node.text(deep=False).strip())
    for _ in range(4):
        after = current.next
        while after is not None:
            text = words(after) if after.tag != "-text" else " ".join(after.text(deep=False).split())
            if text and after.tag not in ("script", "style"):
                text = text.lstrip(":： ")
                return text if text and len(text) <= LONGEST_VALUE and label_of(text) is None else None
            after = after.next
        parent = current.parent
        if parent is None or fold(words(parent)).strip(" :：") != label.strip(" :："):
            return None
        current = parent
    return None


def _item(node: LexborNode) -> dict[str, Any]:
    """The properties of one microdata item; those of items inside it stay inside."""
    found: dict[str, Any] = {}
    for child in _own_properties(node):
        name = child.attributes.get("itemprop") or ""
        value: Any
        if "itemscope" in child.attributes:
            kind = (child.attributes.get("itemtype") or "").rpartition("/")[2]
            value = {"@type": kind, **_item(child)}
        elif child.tag == "meta":
            value = child.attributes.get("content") or ""
        elif child.tag == "time":
            value = child.attributes.get("datetime") or words(child)
        elif child.tag in ("a", "link") and name in ("url", "sameAs"):
            value = child.attributes.get("href") or ""
        elif name == "description":
            value = child.html or ""
        else:
            value = child.attributes.get("content") or words(child)
        for key in name.split():
            found[key] = [*json_ld_list(found[key]), value] if key in found else value
    return found


def json_ld_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _own_properties(node: LexborNode) -> Iterator[LexborNode]:
    child = node.child
    while child is not None:
        if child.tag not in ("-text", "-comment", "_comment"):
            if child.attributes.get("itemprop"):
                yield child
                if "itemscope" not in child.attributes:
                    yield from _own_properties(child)
            elif "itemscope" not in child.attributes:
                yield from _own_properties(child)
        child = child.next
