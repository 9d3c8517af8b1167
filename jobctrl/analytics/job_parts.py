"""One job's facts, score ledger and materials as frames, each line with what it stands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import urlsplit

import polars as pl

from jobctrl.operations.jobs import Job

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


def facts_frame(facts: Mapping[str, Any] | None) -> pl.DataFrame:
    """What the posting was read to say.

    Columns: fact, value (unknown when nothing is stated), words (those it was read from), where (the field they stand
    in), warnings. Empty: nothing was read.
    """
    rows = []
    for name, key in _READINGS if facts else ():
        reading = (facts or {}).get(key)
        parts = reading if isinstance(reading, Mapping) else {}
        spans = [span for span in (parts.get("spans") or [parts.get("span")]) if span]
        rows.append(
            (
                name,
                _value(name, reading) or "unknown",
                " … ".join(str(span.get("text", "")) for span in spans),
                ", ".join(dict.fromkeys(str(span.get("field", "")) for span in spans)),
                ", ".join(parts.get("warnings") or ()),
            )
        )
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


def ledger_frame(requirements: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """The score line by line, the heaviest requirement first.

    Columns: requirement (the posting's words), tier, weight, fit, points (awarded), of (the most it could be),
    evidence (ids of the profile's own lines), why. Empty: the job has no score yet.
    """
    rows = [
        (
            str(item.get("text") or item.get("requirement_id", "")),
            str(item.get("tier", "")).replace("_", " "),
            float(item.get("weight") or 0),
            str(item.get("fit", "")).replace("_", " "),
            round(float(item.get("awarded") or 0), 2),
            round(float(item.get("max_points") or 0), 2),
            ", ".join(item.get("evidence_ids") or ()),
            str(item.get("rationale", "")),
        )
        for item in requirements
    ]
    schema: dict[str, Any] = {
        "requirement": pl.String, "tier": pl.String, "weight": pl.Float64, "fit": pl.String, "points": pl.Float64,
        "of": pl.Float64, "evidence": pl.String, "why": pl.String,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row").sort("of", "requirement", descending=[True, False])


def lines_frame(materials: Mapping[str, Any] | None) -> pl.DataFrame:
    """Every shipped line of the resume and where it comes from.

    Columns: section, line, from_line (the id of the person's own line), answers (requirement ids), words (keywords it
    shares with the posting), why. Empty: no resume stands.
    """
    rows = [
        (
            str(line.get("section", "")),
            str(line.get("generated_text", "")),
            str(line.get("source_id", "")),
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
    """What was recorded of the job, the newest first. Columns: at, event, stage, run. Empty: nothing."""
    rows = [(each["at"], each["event"], each["stage"], each["workflowId"]) for each in reversed(history)]
    return pl.DataFrame(rows, schema=dict.fromkeys(("at", "event", "stage", "run"), pl.String), orient="row")


def heading(job: Job) -> str:
    """Title, employer, places and a link to the posting, as HTML. An address that is no web page is not linked."""
    facts = [job.employer or "unknown employer", job.places or "place unknown"]
    linked = urlsplit(job.url).scheme in ("http", "https")
    link = f' · <a href="{escape(job.url)}" target="_blank" rel="noreferrer">posting</a>' if linked else ""
    return f"<h2>{escape(job.title)}</h2><p>{escape(' · '.join(facts))}{link}</p>"


def marked_text(description: str, requirements: Sequence[Mapping[str, Any]]) -> str:
    """The posting as HTML, the words that became requirements marked by how well they are met.

    A span that is not exactly these words of the text is passed over rather than drawn in the wrong place.
    """
    spans = sorted(
        (span["start"], span["end"], str(item.get("fit", "")))
        for item in requirements
        if (span := item.get("span")) and description[span["start"] : span["end"]] == span.get("text", item.get("text"))
    )
    parts, at = [], 0
    for start, end, fit in spans:
        if start < at:
            continue
        parts += [escape(description[at:start]), f'<mark class="{escape(fit)}">{escape(description[start:end])}</mark>']
        at = end
    parts.append(escape(description[at:]))
    return "".join(parts).replace("\n", "<br>")
