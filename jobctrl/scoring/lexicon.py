"""Skills by name: where a text mentions them, what knowing one implies, and which stand in for each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files

from jobctrl.scoring.cues import words

_TOKEN = re.compile(r"\.?[^\W_]+(?:[+#]+(?![^\W_]))?")
_JOINS = frozenset({"", " ", "-", "/", " / ", "\u2010", "\u2011", "\u2013", "&", " & ", "'", "\u2019", "\u00a0"})
"""What may stand between the words of one name. A comma or a new line parts two."""
# After "never next" an everyday word is no skill: C-level, go to, R&D.
_LIST_GAP = re.compile(r"[\s,/;&()+-]{1,4}(?:(?:and|or|und|oder|e|ou|y|et|o|en|of|i|lub)[\s(]{1,2})?")
"""What stands between two members of a list: an everyday word in a list of skills is one."""
_OTHER_IN_LIST = re.compile(
    r"\s*(?:[,/]|(?:and|or|und|oder|ou|et)\b)\s*[A-Z][a-zA-Z]*[A-Z0-9]?\b(?=\s+(?:for|in|on|with|to)\b|[,./;)]|$)"
)
"""Another name in capitals, one that we do not know."""


@dataclass(frozen=True)
class Term:
    """A skill under its one name."""

    name: str
    group: str
    substitutes: bool
    """Whether the members of its group stand in for each other in part."""
    implies: tuple[str, ...] = ()


@dataclass(frozen=True)
class Mention:
    term: str
    start: int
    end: int


@dataclass
class _Node:
    children: dict[str, _Node] = field(default_factory=dict)
    term: str | None = None
    written: str | None = None
    """The only spelling that counts, when the name is an everyday word too."""
    needs_company: bool = False


@dataclass(frozen=True)
class _Lexicon:
    terms: dict[str, Term]
    root: _Node


@lru_cache(maxsize=4096)
def mentions(text: str) -> tuple[Mention, ...]:
    """The skills that *text* names, in order, longest name first at each place."""
    found = list(_candidates(text, _lexicon().root))
    sure = [m for m, node in found if not node.needs_company]
    doubtful = [m for m, node in found if node.needs_company]
    while doubtful:
        # One that is vouched for vouches for the next in its list.
        vouched = [m for m in doubtful if _in_company(text, m, sure)]
        if not vouched:
            break
        sure += vouched
        doubtful = [m for m in doubtful if m not in vouched]
    return tuple(sorted(sure, key=lambda m: m.start))


def skills(text: str) -> tuple[str, ...]:
    """The names of the skills that *text* mentions, each once, in the order of their first mention."""
    return tuple(dict.fromkeys(m.term for m in mentions(text)))


def known(name: str) -> Term | None:
    return _lexicon().terms.get(name)


def is_umbrella(name: str) -> bool:
    """Whether the word is so wide that it shows nothing alone."""
    term = known(name)
    return term is not None and term.group == "umbrella"


@lru_cache(maxsize=2048)
def implied(name: str) -> frozenset[str]:
    """*name* and all that knowing it implies."""
    closed: set[str] = set()
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current not in closed:
            closed.add(current)
            term = known(current)
            waiting.extend(term.implies if term else ())
    return frozenset(closed)


def related(name: str, have: Iterable[str]) -> tuple[str, ...]:
    """Those of *have* that carry over to *name* in part: another of its kind, or what it is built on."""
    term = known(name)
    if term is None:
        return ()
    return tuple(
        other
        for other in have
        if other in term.implies or (term.substitutes and (kin := known(other)) is not None and kin.group == term.group)
    )


def _candidates(text: str, root: _Node) -> Iterator[tuple[Mention, _Node]]:
    tokens = [(_key(m.group()), m.start(), m.end()) for m in _TOKEN.finditer(text)]
    children = root.children
    position = 0
    while position < len(tokens):
        key = tokens[position][0]
        node = children.get(key)
        if node is None:
            node = children.get(key[1:]) if key[0] == "." else None
            if node is None:
                position += 1
                continue
        best: tuple[int, _Node] | None = None
        ahead = position
        while node is not None:
            if node.term is not None and _as_written(text, tokens[position][1], tokens[ahead][2], node):
                best = (ahead, node)
            ahead += 1
            if ahead == len(tokens) or text[tokens[ahead - 1][2] : tokens[ahead][1]] not in _JOINS:
                break
            node = node.children.get(tokens[ahead][0])
        if best is None:
            position += 1
            continue
        last, node = best
        yield Mention(node.term or "", tokens[position][1], tokens[last][2]), node
        position = last + 1


def _as_written(text: str, start: int, end: int, node: _Node) -> bool:
    return node.written is None or text[start:end].lstrip(".") == node.written


def _in_company(text: str, mention: Mention, sure: list[Mention]) -> bool:
    """Whether an everyday word is meant as a skill here: another one stands near, or the words around say so."""
    after = _TOKEN.search(text, mention.end, mention.end + 20)
    following = _key(after.group()) if after else ""
    if text[mention.end : mention.end + 1] == "&" or following in words("never next"):
        return False
    if following in words("role words"):
        return True
    before = text[max(0, mention.start - 12) : mention.start].split()
    if before and before[-1].lower() in words("introduces a skill"):
        return True
    if _OTHER_IN_LIST.match(text, mention.end):
        return True
    gaps = ((m.end, mention.start) if m.end <= mention.start else (mention.end, m.start) for m in sure)
    return any(end - start < 10 and _LIST_GAP.fullmatch(text, start, end) for start, end in gaps)


@lru_cache(maxsize=16_384)
def _key(token: str) -> str:
    lowered = token.lower()
    if len(lowered) > 3 and lowered.endswith("s") and not lowered.endswith(("ss", "us", "sis")):
        return lowered[:-1]
    return lowered


@cache
def _lexicon() -> _Lexicon:
    terms: dict[str, Term] = {}
    root = _Node()
    group, substitutes = "", False
    for line in (files("jobctrl.scoring") / "lexicon.txt").read_text(encoding="utf-8").splitlines():
        entry = line.strip()
        if not entry or entry.startswith("#"):
            continue
        if entry.startswith("["):
            group, substitutes = entry.strip("[] ").removesuffix("~").strip(), "~" in entry
            continue
        spelling, _, implies = entry.partition(" > ")
        name, _, others = spelling.partition(" = ")
        bare = name.lstrip("!^")
        terms[bare] = Term(bare, group, substitutes, tuple(i.strip() for i in implies.split(",") if i.strip()))
        for other in [name, *(o.strip() for o in others.split(",") if o.strip())]:
            _plant(root, other, bare)
    return _Lexicon(terms, root)


def _plant(root: _Node, spelling: str, term: str) -> None:
    written = spelling.lstrip("!^")
    node = root
    for token in _TOKEN.findall(written):
        node = node.children.setdefault(_key(token), _Node())
    node.term = term
    if spelling[0] in "!^":
        node.written, node.needs_company = written, spelling[0] == "!"
