"""The last tier: a model points at the facts of a page, and only what really stands there is taken."""

from __future__ import annotations

import re

from pydantic import BaseModel
from selectolax.lexbor import LexborNode

from jobctrl.enrichment.model import ExtractionTier, Said, Stated
from jobctrl.llm.model import Ask, Lane, Model
from jobctrl.llm.prompts import load_prompt
from jobctrl.postings.place import StatedPlace
from jobctrl.postings.text import html_to_text

INPUT_MAX = 30_000
LONGEST = 300


class PageFacts(BaseModel):
    """What the model answers: quotations, empty where the page says nothing."""

    is_posting: bool
    title: str = ""
    company: str = ""
    location: str = ""
    pay: str = ""
    employment_type: str = ""
    published: str = ""
    deadline: str = ""
    description_starts: str = ""
    description_ends: str = ""


def ask_model(model: Model, main: LexborNode, *, job_id: str | None) -> Stated | None:
    """What *model* quotes from the page. None when it sees no posting, or when its quotations do not occur."""
    text = html_to_text(main.html or "")[:INPUT_MAX]
    ask = Ask(load_prompt("jobctrl.enrichment", "read_page"), {"page": text}, PageFacts, Lane.ENRICH, job_id=job_id)
    facts = model.ask(ask).value
    if not facts.is_posting:
        return None

    def said(quote: str) -> Said | None:
        found = _find(text, quote, 0)
        return Said(text[found[0] : found[1]], "page") if found and found[1] - found[0] <= LONGEST else None

    start = _find(text, facts.description_starts, 0)
    end = _find(text, facts.description_ends, start[0]) if start else None
    if start is None or end is None or (title := said(facts.title)) is None:
        return None
    place = said(facts.location)
    return Stated(
        tier=ExtractionTier.LLM_ASSISTED,
        title=title,
        company=said(facts.company),
        places=(StatedPlace(text=place.text, field="page"),) if place else (),
        pay_text=said(facts.pay),
        published=said(facts.published),
        valid_through=said(facts.deadline),
        employment_type=said(facts.employment_type),
        description_html=text[start[0] : end[1]],
        description_field="page",
    )


def _find(text: str, quote: str, start: int) -> tuple[int, int] | None:
    """Where *quote* stands in *text*, whatever the white space between its words."""
    pieces = quote.split()
    if not pieces:
        return None
    match = re.compile(r"\s+".join(map(re.escape, pieces))).search(text, start)
    return (match.start(), match.end()) if match else None
