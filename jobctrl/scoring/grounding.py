"""Only what stands in the posting counts: spans are found in it, snapped to its words, and the rest is dropped."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from jobctrl.ids import digest_of
from jobctrl.postings.model import Span
from jobctrl.scoring.answers import PostingAnalysisAnswer
from jobctrl.scoring.model import Keyword, PostingAnalysis, Requirement, Scope
from jobctrl.scoring.screens import is_addressed_to_a_machine, names_a_protected_trait

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_QUOTES = '\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u00ab\u00bb`\u00b4"'
_SAME = {**dict.fromkeys(_DASHES, "-"), **dict.fromkeys(_QUOTES, "'")}
_MARKDOWN = frozenset("\\*_")
_INVISIBLE = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad")


@dataclass(frozen=True)
class Source:
    """A text in which words are looked for, tolerant to blanks, dashes, quotes, case and markdown."""

    field: str
    text: str

    def exactly(self, words: str) -> Span | None:
        """Where *words* stand as they are, on word boundaries."""
        at = self._at_boundary(self.text, words)
        return None if at is None else Span(at, at + len(words), words, self.field)

    def nearly(self, words: str) -> Span | None:
        """Where *words* stand in another spelling, as an exact slice of the text."""
        folded, offsets = self._folded
        wanted = _fold(words)[0].strip()
        at = self._at_boundary(folded, wanted) if wanted else None
        if at is None:
            return None
        start, end = offsets[at], offsets[at + len(wanted) - 1] + 1
        return Span(start, end, self.text[start:end], self.field)

    @cached_property
    def _folded(self) -> tuple[str, list[int]]:
        return _fold(self.text)

    @staticmethod
    def _at_boundary(text: str, words: str) -> int | None:
        at = text.find(words)
        while at >= 0:
            end = at + len(words)
            begins = at == 0 or not (text[at - 1].isalnum() and words[0].isalnum())
            stops = end == len(text) or not (text[end].isalnum() and words[-1].isalnum())
            if begins and stops:
                return at
            at = text.find(words, at + 1)
        return None


def ground(
    answer: PostingAnalysisAnswer,
    *,
    title: str,
    text: str,
    language: str | None,
    prompt_version: str,
    generation: int = 1,
) -> PostingAnalysis:
    """The analysis that an answer comes to once everything that the posting does not say is gone."""
    sources = (Source("title", title), Source("text", text))
    requirements: list[Requirement] = []
    ids: dict[int, str] = {}
    ungrounded = unfair = 0
    for index, proposed in enumerate(answer.requirements):
        span = _first(sources, proposed.evidence_span)
        if span is None or is_addressed_to_a_machine(f"{proposed.text}\n{span.text}"):
            ungrounded += 1
        elif proposed.coverage_scope is not Scope.ELIGIBILITY and names_a_protected_trait(
            f"{proposed.text}\n{span.text}"
        ):
            unfair += 1
        else:
            ids[index] = f"r{len(requirements) + 1}"
            requirements.append(
                Requirement(
                    ids[index], proposed.text.strip(), proposed.tier, proposed.weight, span, proposed.coverage_scope
                )
            )
    keywords: list[Keyword] = []
    for named in answer.keywords:
        span = _first(sources, named.evidence_span)
        if span is None or names_a_protected_trait(named.keyword):
            ungrounded += span is None
            unfair += span is not None
            continue
        ref = ids.get(named.requirement_index) if named.requirement_index is not None else None
        keywords.append(Keyword(named.keyword, span, ref))
    return PostingAnalysis(
        requirements=tuple(requirements),
        keywords=tuple(keywords),
        inferred_seniority=answer.inferred_seniority,
        language=language,
        role_framing=answer.role_framing,
        generation=generation,
        inputs_hash=digest_of([title, text, prompt_version]),
        dropped_ungrounded=ungrounded,
        dropped_by_fairness=unfair,
    )


def _first(sources: tuple[Source, ...], words: str) -> Span | None:
    """The words as they are, else in another spelling."""
    words = words.strip()
    if not any(char.isalnum() for char in words):
        return None
    exact = next((span for source in sources if (span := source.exactly(words)) is not None), None)
    return exact or next((span for source in sources if (span := source.nearly(words)) is not None), None)


def _fold(text: str) -> tuple[str, list[int]]:
    """*text* as it is compared, and for each of its characters the offset it came from."""
    folded: list[str] = []
    offsets: list[int] = []
    for offset, char in enumerate(text):
        if char in _MARKDOWN or char in _INVISIBLE:
            continue
        if char.isspace():
            if folded and folded[-1] == " ":
                continue
            char = " "
        low = _SAME.get(char, char).lower()
        folded.append(low if len(low) == 1 else char)
        offsets.append(offset)
    return "".join(folded), offsets
