"""The part of a page that is about the posting: no menus, no scripts, no hidden words, no other jobs."""

from __future__ import annotations

import re
from functools import lru_cache

from selectolax.lexbor import LexborHTMLParser, LexborNode

from jobctrl.enrichment.labels import heads_other_jobs

_NEVER = (
    "script, style, noscript, template, svg, iframe, object, nav, footer, "
    "[role=navigation], [role=contentinfo], [role=search]"
)
_HIDDEN_STYLE = re.compile(r"(?i)display\s*:\s*none|visibility\s*:\s*hidden")
_NAMES = (
    "id",
    "class",
    "itemprop",
    "name",
    "data-automation",
    "data-automation-id",
    "data-testid",
    "data-test",
    "data-qa",
    "data-ui",
    "data-hook",
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LIKE = {
    "similar",
    "related",
    "recommended",
    "recommendation",
    "recommendations",
    "suggested",
    "suggestions",
    "recommend",
    "nearby",
}
_JOBS = {
    "job",
    "jobs",
    "vacancy",
    "vacancies",
    "position",
    "positions",
    "posting",
    "postings",
    "offer",
    "offers",
    "opportunities",
    "listings",
    "career",
}
_HIDDEN_TEXT = 300


def main_part(tree: LexborHTMLParser) -> LexborNode | None:
    """The body of *tree*, pruned in place. None when the page has no body."""
    body = tree.body
    if body is None:
        return None
    for node in body.css(_NEVER):
        node.decompose()
    for node in body.css("[hidden], [style]"):
        style = node.attributes.get("style") or ""
        # A long hidden part is a folded description rather than a note for machines.
        if ("hidden" in node.attributes or _HIDDEN_STYLE.search(style)) and len(words(node)) < _HIDDEN_TEXT:
            node.decompose()
    for node in body.css("header"):
        if (
            node.css_first("h1") is None
            and node.css_first("a, form, button") is not None
            and not _inside(node, "article")
        ):
            node.decompose()
    for node in body.css("[class], [id]"):
        named = names(node)
        if named & _LIKE and named & _JOBS and node.css_first("h1") is None:
            node.decompose()
    for heading in body.css("h2, h3, h4, h5, h6, [role=heading], strong, p, summary"):
        if len(heading.text(deep=True)) < 120 and heads_other_jobs(heading.text(deep=True)):
            _cut_from(heading)
    return body


def names(node: LexborNode) -> frozenset[str]:
    """The words a node is called by: ids, classes and data attributes, taken apart."""
    attributes = node.attributes
    given = " ".join(value for name in _NAMES if (value := attributes.get(name)))
    return split_names(given) if given else frozenset()


@lru_cache(maxsize=4096)
def split_names(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text))


def words(node: LexborNode) -> str:
    """The text of a node on one line."""
    return " ".join(node.text(deep=True, separator=" ").split())


def _cut_from(heading: LexborNode) -> None:
    """Removes a heading and all that follows it in its section, the wrapper too when the heading opens it."""
    node = heading
    while (parent := node.parent) is not None and parent.tag not in ("body", "main", "article", "html"):
        if _text_before(node) or parent.css_first("h1") is not None:
            break
        node = parent
    while (after := node.next) is not None:
        after.decompose()
    node.decompose()


def _text_before(node: LexborNode) -> bool:
    before = node.prev
    while before is not None:
        if before.text(deep=True, strip=True):
            return True
        before = before.prev
    return False


def _inside(node: LexborNode, tag: str) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.tag == tag:
            return True
        parent = parent.parent
    return False
