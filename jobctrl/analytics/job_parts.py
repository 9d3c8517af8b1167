"""One job's facts, score ledger and materials as frames, each line with what it stands on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Any, Protocol
from urllib.parse import urlsplit

import polars as pl

from jobctrl.enrichment.state import Enrichment
from jobctrl.operations.jobs import Job
from jobctrl.stages.state import StageRow

_READINGS = (
    ("places", "place"),
    ("work mode", "place"),
    ("pay", "pay"),
    ("published", "published"),
    ("updated", "updated"),
    ("closes", "valid_through"),
    ("language", "language"),
    ("employment type", "employment_type"),
)


def readings(facts: Mapping[str, Any] | None) -> Iterator[tuple[str, str, list[str], list[Mapping[str, Any]]]]:
    """Each fact that is looked for: its name, what was read (unknown when nothing is stated), warnings, spans."""
    for name, key in _READINGS if facts else ():
        reading = (facts or {}).get(key)
        parts = reading if isinstance(reading, Mapping) else {}
        spans = [span for span in (parts.get("spans") or [parts.get("span")]) if span]
        yield name, _value(name, reading) or "unknown", list(parts.get("warnings") or ()), spans


def facts_frame(facts: Mapping[str, Any] | None) -> pl.DataFrame:
    """What the posting was read to say.

    Columns: fact, value (unknown when nothing is stated), words (those it was read from), where (the field they stand
    in), warnings. Empty: nothing was read.
    """
    rows = [
        (
            name,
            value,
            " … ".join(str(span.get("text", "")) for span in spans),
            ", ".join(dict.fromkeys(str(span.get("field", "")) for span in spans)),
            ", ".join(warnings),
        )
        for name, value, warnings, spans in readings(facts)
    ]
    schema = dict.fromkeys(("fact", "value", "words", "where", "warnings"), pl.String)
    return pl.DataFrame(rows, schema=schema, orient="row")


def _value(name: str, reading: Any) -> str:
    match name, reading:
        case _, None:
            return ""
        case "places", {"places": places}:
            return "; ".join(", ".join(part for part in _parts(place) if part) for place in places or ())
        case "work mode", {"mode": mode, **rest}:
            return f"{mode} (label and text differ)" if rest.get("conflict") else str(mode)
        case "pay", {"state": state, **pay}:
            bounds = " to ".join(str(pay[end]) for end in ("low", "high") if pay.get(end) is not None)
            unit = " per ".join(str(pay[part]) for part in ("currency", "period") if pay.get(part))
            return f"{bounds} {unit}".strip() if bounds else str(state).replace("_", " ")
        case "language", {"language": language}:
            return language or ""
        case _, Mapping():
            return str(reading.get("day") or reading.get("bound") or "")
        case _:
            return str(reading)


def _parts(place: Mapping[str, Any]) -> tuple[str | None, ...]:
    return place.get("city"), place.get("region"), place.get("country")


class OwnLine(Protocol):
    """One line of the profile that a claim can rest on."""

    @property
    def id(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def text(self) -> str: ...


def own_words(lines: Sequence[OwnLine]) -> dict[str, str]:
    """The person's own lines by the ids that ledgers and resumes name them by."""
    return {key: each.text for each in lines for key in (each.id, f"{each.kind}:{each.id}")}


def ledger_frame(
    requirements: Sequence[Mapping[str, Any]], own: Mapping[str, str] = MappingProxyType({})
) -> pl.DataFrame:
    """The score line by line, the heaviest requirement first; evidence in the words that *own* has for an id.

    Columns: requirement (the posting's words), tier, weight, fit, points (awarded), of (the most it could be),
    evidence (the profile's own lines), why. Empty: the job has no score yet.
    """
    rows = [
        (
            str(item.get("text") or item.get("requirement_id", "")),
            str(item.get("tier", "")).replace("_", " "),
            float(item.get("weight") or 0),
            str(item.get("fit", "")).replace("_", " "),
            round(float(item.get("awarded") or 0), 2),
            round(float(item.get("max_points") or 0), 2),
            "; ".join(own.get(each, each) for each in item.get("evidence_ids") or ()),
            str(item.get("rationale", "")),
        )
        for item in requirements
    ]
    schema: dict[str, Any] = {
        "requirement": pl.String, "tier": pl.String, "weight": pl.Float64, "fit": pl.String, "points": pl.Float64,
        "of": pl.Float64, "evidence": pl.String, "why": pl.String,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row").sort("of", "requirement", descending=[True, False])


def lines_frame(materials: Mapping[str, Any] | None, own: Mapping[str, str] = MappingProxyType({})) -> pl.DataFrame:
    """Every shipped line of the resume and where it comes from.

    Columns: section, line, from_line (the person's own line, or its id when *own* is without it), answers (requirement
    ids), words (keywords it shares with the posting), why. Empty: no resume stands.
    """
    rows = [
        (
            str(line.get("section", "")),
            str(line.get("generated_text", "")),
            own.get(str(line.get("source_id", "")), str(line.get("source_id", ""))),
            ", ".join(line.get("requirement_ids") or ()),
            ", ".join(line.get("matched_keywords") or ()),
            str(line.get("rationale", "")),
        )
        for line in (materials or {}).get("provenance") or ()
    ]
    schema = dict.fromkeys(("section", "line", "from_line", "answers", "words", "why"), pl.String)
    return pl.DataFrame(rows, schema=schema, orient="row")


def letter_text(materials: Mapping[str, Any] | None) -> str:
    """The letter as plain text; empty when none stands."""
    letter = (materials or {}).get("letter")
    if not letter:
        return ""
    body = [" ".join(line["text"] for line in paragraph) for paragraph in letter["paragraphs"]]
    return "\n\n".join([letter["salutation"], *body, f"{letter['sign_off']}\n{letter['signature']}"])


def observations_frame(observations: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Where the job was seen. Columns: source_id, url, at, link_id (a merge that can be undone), reason."""
    names = ("sourceId", "url", "at", "linkId", "reason")
    rows = [tuple(seen.get(name) for name in names) for seen in observations]
    schema = dict.fromkeys(("source_id", "url", "at", "link_id", "reason"), pl.String)
    return pl.DataFrame(rows, schema=schema, orient="row")


def history_frame(history: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """What was recorded of the job, the newest first. Columns: at (UTC), what, event, run. Empty: nothing."""
    rows = [
        (each["at"][:19].replace("T", " "), each["words"], each["event"], each["workflowId"] or "")
        for each in reversed(history)
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(("at", "what", "event", "run"), pl.String), orient="row")


def stages_frame(stages: Sequence[StageRow]) -> pl.DataFrame:
    """Where each stage stands. Columns: stage, state, attempts, error, since (UTC). Empty: no stage was begun."""
    rows = [
        (each.stage, each.state.replace("_", " "), each.attempt_count, each.error_code, each.updated_at[:16])
        for each in stages
    ]
    schema = {"stage": pl.String, "state": pl.String, "attempts": pl.Int64, "error": pl.String, "since": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def availability(enrichment: Enrichment | None) -> str:
    """Whether the posting is open, what says so and when that was looked at, in a sentence."""
    if enrichment is None or not enrichment.checked_at:
        return "Nobody has looked yet whether the posting is still open."
    state = enrichment.active_state.replace("_", " ")
    evidence = (enrichment.active_evidence or "unknown evidence").replace("_", " ")
    return f"The posting is **{state}**, by {evidence}, as of {enrichment.checked_at[:16].replace('T', ' ')} (UTC)."


def heading(job: Job) -> str:
    """Title, employer, places and a link to the posting, as HTML. An address that is no web page is not linked."""
    facts = [job.employer or "unknown employer", job.places or "place unknown"]
    linked = urlsplit(job.url).scheme in ("http", "https")
    link = f' · <a href="{escape(job.url)}" target="_blank" rel="noreferrer">posting</a>' if linked else ""
    title = f'<h2 style="font-size:1.6rem;font-weight:600;margin:0">{escape(job.title)}</h2>'
    return f"{title}<p>{escape(' · '.join(facts))}{link}</p>"


def decided(job: Job) -> str:
    """What the person has decided on it, in a word or two."""
    if job.hidden:
        return "dismissed"
    if job.applied_at:
        return "applied"
    if job.snoozed_until:
        return f"later, {job.snoozed_until[:10]}"
    return "kept" if job.feedback == "saved" else job.feedback or "undecided"
