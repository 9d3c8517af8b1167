"""A posting read from the page's own markup: where it does not come as JSON-LD, or to hold against it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from jobctrl.enrichment import markup
from jobctrl.enrichment.labels import LONGEST_LABEL, Fact, is_apply, label_of
from jobctrl.enrichment.main_part import names, split_names, words
from jobctrl.enrichment.model import ExtractionTier, Said, Stated
from jobctrl.enrichment.wording import pattern
from jobctrl.postings.employment import read_employment_type
from jobctrl.postings.folding import fold as names_fold
from jobctrl.postings.mode import mode_of_label
from jobctrl.postings.model import WorkMode
from jobctrl.postings.place import StatedPlace, read_place
from jobctrl.postings.text import fold

DESCRIPTION_MIN = 100
LONGEST_VALUE = 200
LONGEST_TITLE = 180
LONGEST_BESIDE = 160
MOST_BESIDE = 12

_JOB = {
    "job",
    "jobs",
    "position",
    "posting",
    "vacancy",
    "opening",
    "topcard",
    "requisition",
    "jobtitle",
    "jobdetail",
    "offer",
    "vacature",
    "detail",
}
_TITLE = {"title", "headline", "titel", "titre", "ttl", "jobtitle"}
_COMPANY = {"company", "employer", "organization", "organisation", "advertiser", "hiring", "firm"}
_COMPANY_NOT = {
    "logo",
    "rating",
    "review",
    "reviews",
    "size",
    "industry",
    "description",
    "about",
    "icon",
    "image",
    "url",
    "website",
    "info",
    "link",
    "follow",
    "search",
    "section",
    "tab",
    "benefits",
    "jobs",
}
_PLACE = {"location", "locations", "locality"}
_PLACE_NOT = {
    "search",
    "filter",
    "select",
    "input",
    "icon",
    "form",
    "suggest",
    "alert",
    "map",
    "keyword",
    "picker",
    "label",
}
_BODY = {"description", "jobdescription", "jobdesc", "descripcion", "beschreibung", "descricao"}
_BODY_NOT = {
    "meta",
    "short",
    "company",
    "employer",
    "list",
    "search",
    "criteria",
    "card",
    "item",
    "snippet",
    "tooltip",
    "header",
    "footer",
    "title",
    "label",
    "icon",
    "button",
    "btn",
    "criterias",
}
_BLOCKS = "div, section, article, main, td, ip-details"
_TITLE_NOT = {
    "search", "list", "card", "similar", "page", "site", "modal", "popup", "toast", "related", "section", "company",
    "employer",
}  # fmt: skip
_CONTROLS = ("input", "select", "option", "form", "button", "ul", "textarea")
_COMPANY_PATH = re.compile(
    r"/[^/]*(?:compan(?:y|ies)|employers?|organi[sz]ations?|cmp|entreprises?|empresas?|aziend[ae]|firm[ay]?|arbeitgeber|unternehmen"
    r"|bedrijf|pracodawca|foretag|virksomhed|yritys|cong-ty|perusahaan|sirket)[^/]*/"
)
_APPLY_CONTROLS = (
    "a, button, input[type=submit], input[type=button], [role=button], h2, h3, h4, [class*=apply], [class*=register]"
)
STRONG_DESCRIPTION = 300
_AT_COMPANY = re.compile(
    r"^\s+(?:at|@|bei|chez|en|bij|hos|presso|na|w)\s+(?P<company>.{2,80}?)(?:\s+[-–—|]\s+(?P<rest>.*))?$"
)
_HIRING = re.compile(
    r"^(?P<company>.{2,80}?) (?:hiring|recrute|sucht|is hiring|zoekt|busca|está contratando) (?P<title>.+?)"
    r"(?: in (?P<place>.+?))?(?:\s+[|·]\s+.*)?$"
)
_AT = re.compile(r"^(?P<title>.{3,120}?) (?:at|@) (?P<company>[^|–—]{2,80}?)(?:\s+[-–—|]\s+(?P<rest>.*))?$")
_CAREERS_AT = re.compile(r"(?i)\b(?:careers|jobs|karriere|career opportunities) (?:at|with|bei) (?P<company>.+)$")


def stated(tree: LexborHTMLParser, main: LexborNode, *, url: str) -> Stated:
    """What the markup states. `tree` still has its head; `main` is the pruned body."""
    head = _head_title(tree)
    title = _title(tree, main, head)
    repeated = title is not None and _letters(title.text) in _letters(head)
    from_head = _from_head(head, title)
    named = title or from_head.title
    labelled = labelled_facts(main)
    beside = _beside_title(main, title)
    control = _apply_control(main)
    apply = _apply(tree, main, url)
    description, where, blocks = _description(main)
    company = (
        _first(main, markup.COMPANY, 80)
        or labelled.get(Fact.COMPANY)
        or _by_names(main, _COMPANY, {"name", "head", "header", "detail"}, _COMPANY_NOT, 80)
        or _meta(tree, _COMPANY)
        or from_head.company
        or _company_link(main)
    )
    return Stated(
        tier=ExtractionTier.CSS_SELECTORS,
        title=named if named and _names_a_job(named) else None,
        company=_without_at(company),
        places=_places(tree, main, labelled, from_head, beside),
        work_mode=_first(main, markup.WORK_MODE, 80)
        or labelled.get(Fact.WORK_MODE)
        or _alone(main, _is_mode)
        or next((Said(text, "beside title") for text in beside if _is_mode(text)), None),
        pay_text=_first(main, markup.PAY, 160) or labelled.get(Fact.PAY),
        published=_first(main, markup.PUBLISHED, 80) or labelled.get(Fact.PUBLISHED),
        updated=labelled.get(Fact.UPDATED),
        valid_through=labelled.get(Fact.DEADLINE),
        employment_type=_first(main, markup.EMPLOYMENT, 80)
        or labelled.get(Fact.EMPLOYMENT_TYPE)
        or _alone(main, _is_employment)
        or next((Said(text, "beside title") for text in beside if _is_employment(text)), None),
        description_html=description,
        description_field=where,
        about_one=repeated and blocks == 1 and len(description) >= STRONG_DESCRIPTION,
        apply_url=apply,
        apply_control=control,
    )


def _apply_control(main: LexborNode) -> Said | None:
    """The words of a button or link that offers to apply; a link need not lead anywhere without scripts."""
    for node in main.css(_APPLY_CONTROLS):
        text = words(node) or node.attributes.get("value") or node.attributes.get("aria-label") or ""
        if is_apply(text):
            return Said(text, node.tag or "a")
    return None


def microdata(main: LexborNode) -> dict[str, Any] | None:
    """A schema.org JobPosting in attributes, as the object its JSON-LD would be. None unless there is exactly one."""
    items = main.css('[itemtype*="schema.org/JobPosting"]')
    return {"@type": "JobPosting", **_item(items[0])} if len(items) == 1 else None


def labelled_facts(main: LexborNode) -> dict[Fact, Said]:
    """The values that stand behind labels, the first of each: lists, tables, `Label: value` lines, attributes."""
    found: dict[Fact, Said] = {}
    for node in main.traverse(include_text=True):
        if node.tag == "-text":
            text = node.text(deep=False).strip()
            if not text or len(text) > LONGEST_LABEL + LONGEST_VALUE:
                continue
            left, colon, right = text.replace("：", ":").partition(":")
            fact = label_of(left)
            if fact is None or fact in found or _asks_for_input(node):
                continue
            value = " ".join(right.split()) if right.strip() else _value_after(node)
            # A bare word is a label only when it stands apart; `Location` in a sentence has no value behind it.
            if value and (colon or node.parent is None or node.parent.tag not in ("a", "option", "button")):
                found[fact] = Said(value[:LONGEST_VALUE], f"label:{fact}")
        elif (
            label := node.attributes.get("title")
            or node.attributes.get("data-label")
            or node.attributes.get("aria-label")
        ):
            fact = label_of(label)
            value = words(node)
            said = 0 < len(value) <= LONGEST_VALUE and label_of(value) is None and fold(value) != fold(label)
            if fact is not None and fact not in found and said:
                found[fact] = Said(value, f"label:{fact}")
    return found


def _company_link(main: LexborNode) -> Said | None:
    """The text of a link to an employer's page whose address spells the same name."""
    for node in main.css("a[href]"):
        text = words(node)
        path = urlsplit(node.attributes.get("href") or "").path.lower() if 1 < len(text) <= 80 else ""
        if _COMPANY_PATH.match(path) and re.sub(r"[\W_]+", "-", names_fold(text)).strip("-") in path.split("/"):
            return Said(text, "a[company]")
    return None


def _without_at(company: Said | None) -> Said | None:
    """`at Acme`, as it stands under some titles, names Acme."""
    return Said(re.sub(r"^(?:at|bei|chez|bij|@)\s+(?=\S)", "", company.text), company.field) if company else None


class _FromHead:
    """What the title in the page's head tells besides the heading."""

    def __init__(
        self,
        title: Said | None = None,
        company: Said | None = None,
        place: str | None = None,
        rest: tuple[str, ...] = (),
    ) -> None:
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
    """The job's title: a marked one or the only heading, one that the head's title repeats before any other."""
    marked = _all(main, markup.TITLE, LONGEST_TITLE)
    if marked:
        return marked[0]
    named = _all_by_names(main, _JOB, _TITLE, _TITLE_NOT, LONGEST_TITLE)
    headings = [Said(text, "h1") for node in main.css("h1") if 1 < len(text := words(node)) <= LONGEST_TITLE]
    meta = _meta(tree, {"jobtitle", "job"}, {"jobtitle", "title"})
    named, headings = [s for s in named if _names_a_job(s)], [s for s in headings if _names_a_job(s)]
    candidates = [*named, *headings, *([meta] if meta else [])]
    repeated = [said for said in candidates if _letters(said.text) in _letters(head)]
    if repeated:
        return repeated[0]
    for group in (named, [meta] if meta else [], headings):
        # Several different titles of one kind are the cards of a list.
        if len({fold(said.text) for said in group}) == 1:
            return group[0]
    return None


def _letters(text: str) -> str:
    """Letters and digits alone: titles differ in their spaces and dashes between the head and the page."""
    return re.sub(r"[\W_]+", "", fold(text)) or text


def _names_a_job(said: Said) -> bool:
    return pattern("not_a_title").fullmatch(fold(said.text).strip(" .!?:")) is None


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
        return _FromHead(
            Said(match["title"], "title"), Said(match["company"], "title"), rest=_segments(match["rest"] or "")
        )
    if match := _CAREERS_AT.search(head):
        before = head[: match.start()].strip(" -–—|")
        return _FromHead(Said(before, "title") if before else None, Said(match["company"], "title"))
    return _FromHead()


def _segments(text: str) -> tuple[str, ...]:
    return tuple(part for piece in re.split(r"\s+[-–—|·]\s+", text) if (part := piece.strip(" -–—|·")))


def _places(
    tree: LexborHTMLParser,
    main: LexborNode,
    labelled: dict[Fact, Said],
    from_head: _FromHead,
    beside: tuple[str, ...],
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
    for said in candidates:
        if read_place(said.text).places:
            return (StatedPlace(text=said.text, field=said.field),)
    loose = [Said(text, "beside title") for text in beside] + [Said(text, "title") for text in from_head.rest]
    for said in loose:
        if _is_place(said.text):
            return (StatedPlace(text=said.text, field=said.field),)
    return ()


def _is_place(text: str) -> bool:
    """Whether a text that nothing calls a location is one: a city with its country, and hardly another word."""
    reading = read_place(text)
    if not reading.places or not all(place.city and place.country for place in reading.places):
        return False
    return sum(span.end - span.start for span in reading.spans) >= 0.6 * len(text)


def _beside_title(main: LexborNode, title: Said | None) -> tuple[str, ...]:
    """The short texts that follow the title, taken apart at their dots and bars."""
    found: list[str] = []
    begun = False
    for node in main.traverse(include_text=True):
        if node.tag != "-text":
            continue
        text = " ".join(node.text(deep=False).split())
        if not begun:
            begun = title is not None and len(text) > 1 and fold(text) == fold(title.text)
        elif len(text) > LONGEST_BESIDE or len(found) >= MOST_BESIDE:
            break
        elif text:
            found += [part for piece in re.split(r"[·•|●]|\s[-–—]\s", text) if (part := piece.strip(" ,()"))]
    return tuple(found)


def lists_titles(main: LexborNode) -> bool:
    """Whether nodes of one kind hold several job titles that lead to several addresses: the cards of a list."""
    kinds: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for node in main.css(
        "[class*=title], [class*=Title], [data-testid*=title], [data-automation*=title], [class*=name]"
    ):
        called = names(node)
        if not called & _JOB or not called & (_TITLE | {"name", "link"}):
            continue
        link = node if node.tag == "a" else node.css_first("a[href]") or _link_around(node)
        text = words(node)
        if link is not None and 2 < len(text) <= LONGEST_TITLE and (href := link.attributes.get("href")):
            kinds.setdefault((node.tag or "", node.attributes.get("class") or ""), set()).add((fold(text), href))
    return any(len({href for _, href in cards}) > 1 for cards in kinds.values())


def _link_around(node: LexborNode) -> LexborNode | None:
    parent = node.parent
    for _ in range(3):
        if parent is None or parent.tag == "a":
            return parent
        parent = parent.parent
    return None


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
    return next(iter(_all_by_names(main, subject, part, never, longest)), None)


def _all_by_names(main: LexborNode, subject: set[str], part: set[str], never: set[str], longest: int) -> list[Said]:
    """The short texts of nodes whose names hold a word of *subject*, one of *part*, and none of *never*."""
    found = []
    for node in main.css("[class], [id], [data-testid], [data-automation], [data-qa]"):
        called = names(node)
        if not called & subject or called & never or (part and not called & part) or node.tag in _CONTROLS:
            continue
        text = words(node)
        if 1 < len(text) <= longest and label_of(text) is None:
            found.append(Said(text, f"{node.tag}.{'-'.join(sorted(called & (subject | part)))}"))
    return found


def _asks_for_input(node: LexborNode) -> bool:
    """Whether a text is the label of a field that a person fills in, not of a fact."""
    label = node.parent
    if label is None or (label.tag != "label" and (label.parent is None or label.parent.tag != "label")):
        return False
    around = (label if label.tag == "label" else label.parent or label).parent
    return around is not None and around.css_first("input:not([type=hidden]), select, textarea") is not None


def _alone(main: LexborNode, says: Callable[[str], str | None]) -> Said | None:
    """A text that stands by itself in the main part and is nothing but one statement; two that disagree are none."""
    found: dict[str, Said] = {}
    for node in main.traverse(include_text=True):
        if node.tag != "-text" or node.parent is None or node.parent.tag in ("option", "button", "a", "textarea"):
            continue
        text = " ".join(node.text(deep=False).split()).strip("()·•|,-– ")
        if 2 < len(text) <= 30 and not _asks_for_input(node) and (value := says(text)):
            found.setdefault(value, Said(text, node.parent.tag or "text"))
    return next(iter(found.values())) if len(found) == 1 else None


def _is_mode(text: str) -> str | None:
    mode = mode_of_label(text)
    return mode.value if mode is not WorkMode.UNKNOWN and pattern("mode_alone").fullmatch(fold(text)) else None


def _is_employment(text: str) -> str | None:
    return read_employment_type(text) if pattern("employment_alone").fullmatch(fold(text)) else None


def _meta(tree: LexborHTMLParser, subject: set[str], part: frozenset[str] | set[str] = frozenset()) -> Said | None:
    for node in tree.css("meta[name][content], meta[property][content]"):
        name = node.attributes.get("name") or node.attributes.get("property") or ""
        called = split_names(name) | {word for word in re.split(r"\W|_", name.lower()) if word}
        content = " ".join((node.attributes.get("content") or "").split()).strip(" ,;")
        fits = (
            called & subject and (not part or called & part) and not called & {"og", "twitter", "site", "application"}
        )
        if fits and 1 < len(content) <= LONGEST_TITLE:
            return Said(content, f"meta.{name}")
    return None


def _description(main: LexborNode) -> tuple[str, str, int]:
    """The markup of the job's text, where it was found and in how many places; empty when nothing marks it."""
    for button in main.css("button"):
        button.decompose()
    for selector in markup.DESCRIPTION:
        nodes = _outermost([node for node in main.css(selector) if len(words(node)) >= DESCRIPTION_MIN])
        if nodes:
            return _joined(nodes), selector.partition(",")[0], _places_apart(nodes)
    named = _outermost(
        [
            node
            for node in main.css(_BLOCKS)
            if (called := names(node)) & _BODY and not called & _BODY_NOT and len(words(node)) >= DESCRIPTION_MIN
        ]
    )
    length = sum(len(words(node)) for node in named)
    for heading in main.css("h1, h2, h3, h4, dt, strong, b, [headericon]"):
        text = heading.attributes.get("title") or words(heading)
        if len(text) <= 60 and pattern("about_job").fullmatch(fold(text).strip(" :：.")):
            block = _block_under(heading)
            # A block called description may hold only the facts beside the text.
            if block is not None and len(words(block)) > max(2 * length, 2 * DESCRIPTION_MIN):
                return block.html or "", f"under:{text[:40]}", 1
    return _joined(named), "named:description" if named else "", _places_apart(named)


def longest_text(main: LexborNode) -> str:
    """The running text of a page in which nothing is marked, as HTML; empty when there is too little of it."""
    from trafilatura import extract

    text = extract(f"<html>{main.html or ''}</html>", output_format="html", include_comments=False, favor_recall=True)
    return text if text and len(text) >= 3 * DESCRIPTION_MIN else ""


def _joined(nodes: list[LexborNode]) -> str:
    return "\n".join(node.html or "" for node in nodes)


def _places_apart(nodes: list[LexborNode]) -> int:
    """In how many wrappers the nodes stand: the sections of one text share theirs, the cards of a list do not."""
    return len({node.parent.mem_id for node in nodes if node.parent is not None})


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
    """The address behind the apply link, of several the one with the fewest words about it."""
    for node in tree.css('meta[name*="apply-url"], meta[name*="applyUrl"], meta[name*="apply_url"]'):
        if link := _link(node.attributes.get("content"), url):
            return Said(link, "meta.apply-url")
    for selector in (*markup.APPLY, "a[href], [data-apply-url]"):
        found: list[tuple[int, Said]] = []
        for node in main.css(selector):
            text = words(node) or node.attributes.get("aria-label") or node.attributes.get("title") or ""
            if selector.startswith("a[href]") and not is_apply(text):
                continue
            for name in ("data-apply-url", "href", "data-href"):
                if link := _link(node.attributes.get(name), url):
                    found.append((len(text), Said(link, selector.partition(",")[0])))
        if found:
            return min(found, key=lambda entry: entry[0])[1]
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
