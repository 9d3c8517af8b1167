"""A posting's text as HTML, with the words marked that facts and requirements were read from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

from jobctrl.analytics.job_parts import readings

STYLE = """<style>
.posting{max-height:460px;overflow:auto;line-height:1.65;padding-right:12px;max-width:80ch;overflow-wrap:anywhere}
.posting mark,.legend mark{color:inherit;border-radius:3px;padding:0 2px;background:rgba(240,228,66,.28)}
.posting mark.fact,.legend mark.fact{background:rgba(86,180,233,.30);border-bottom:2px dashed #56b4e9}
.posting mark.matched,.legend mark.matched{background:rgba(0,158,115,.25);border-bottom:2px solid #009e73}
.posting mark.missing,.legend mark.missing{background:rgba(213,94,0,.22);border-bottom:2px dotted #d55e00}
.legend{font-size:.875rem;display:flex;gap:14px;flex-wrap:wrap;margin:4px 0 8px}
.letter{white-space:pre-wrap;max-width:72ch;line-height:1.65}
</style>"""
LEGEND = (
    '<div class="legend"><span><mark class="matched">you meet it</mark></span>'
    '<span><mark>in part</mark></span><span><mark class="missing">you miss it</mark></span>'
    '<span><mark class="fact">a fact was read from it</mark></span></div>'
)
"""What the marks mean; each kind also has a line of its own under it, for who does not tell the colours apart."""


@dataclass(frozen=True)
class Mark:
    start: int
    end: int
    kind: str
    says: str


def marked_text(
    description: str, requirements: Sequence[Mapping[str, Any]], facts: Mapping[str, Any] | None = None
) -> str:
    """The posting as HTML: requirements marked by how well they are met, facts by what was read.

    A span that is not exactly these words of the text is passed over rather than drawn in the wrong place.
    """
    marks = [*_asked(requirements), *_read(facts)]
    stand = [
        mark
        for mark, words in marks
        if 0 <= mark.start < mark.end <= len(description) and description[mark.start : mark.end] == words
    ]
    edges = sorted({0, len(description), *(mark.start for mark in stand), *(mark.end for mark in stand)})
    parts = []
    for start, end in pairwise(edges):
        over = [mark for mark in stand if mark.start <= start and end <= mark.end]
        text = escape(description[start:end]).replace("\n", "<br>")
        if over:
            kinds = " ".join(dict.fromkeys(escape(mark.kind) for mark in over))
            says = "; ".join(dict.fromkeys(escape(mark.says) for mark in over))
            text = f'<mark class="{kinds}" title="{says}">{text}</mark>'
        parts.append(text)
    return "".join(parts)


def _asked(requirements: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Mark, str]]:
    for item in requirements:
        if span := item.get("span"):
            fit = str(item.get("fit", ""))
            says = f"{str(item.get('tier', 'requirement')).replace('_', ' ')}: {fit.replace('_', ' ')}"
            yield Mark(span["start"], span["end"], fit, says), str(span.get("text", item.get("text")))


def _read(facts: Mapping[str, Any] | None) -> Iterator[tuple[Mark, str]]:
    for name, value, _, spans in readings(facts):
        for span in spans:
            yield Mark(span["start"], span["end"], "fact", f"{name}: {value}"), str(span.get("text"))
