"""One job in full, as a desk lays it out: a summary, and tabs with everything it stands on."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any, Protocol

import marimo as mo
import polars as pl

from jobctrl.analytics import job_parts, marking
from jobctrl.analytics.desk import look, looked, tidy
from jobctrl.analytics.pages import page_pictures
from jobctrl.operations.board import JobView

_LONG = ("requirement", "line", "why", "words", "evidence", "from_line", "value")
_PDFS = (("resume", "resumePdf"), ("letter", "letterPdf"))
_PAGE = {"border": "1px solid var(--border)"}


class Files(Protocol):
    """Where PDFs lie, by their hash."""

    def path(self, digest: str) -> Path: ...


def summary(view: JobView) -> mo.Html:
    """What the job is and how it stands, at a glance."""
    job = view.job
    stats = {
        f"fit · {'yours' if job.corrected else job.fit_band or 'unscored'}": f"{job.fit_score} of 10"
        if job.fit_score
        else "not yet",
        "eligibility": job.eligibility or "unknown",
        "posting": job.active_state.replace("_", " "),
        f"stage · {job.current_stage}": job.current_state.replace("_", " "),
        "you": job_parts.decided(job),
    }
    return mo.vstack(
        [
            mo.Html(job_parts.heading(job)),
            mo.hstack([mo.stat(value, label=label, bordered=True) for label, value in stats.items()], widths="equal"),
            mo.md(f"{job_parts.availability(view.enrichment)} {view.plan.says if view.plan else ''}"),
        ]
    )


def posting(view: JobView) -> mo.Html:
    """The posting's text, with the words marked that requirements and facts were read from."""
    text = marking.marked_text(view.description, view.requirements, view.facts) or "No text is known yet."
    return mo.Html(f"{marking.STYLE}{marking.LEGEND}<div class='posting'>{text}</div>")


def parts(view: JobView, own: Mapping[str, str], files: Files) -> dict[str, Any]:
    """The job part by part, by the name of its tab. *own* has the person's lines by their ids."""
    materials = view.materials or {}
    letter = job_parts.letter_text(materials)
    made = [(name, str(materials[key])) for name, key in _PDFS if materials.get(key)]
    return {
        "Posting": mo.vstack(
            [posting(view), table(job_parts.facts_frame(view.facts), "Nothing was read from this posting yet.")]
        ),
        "Score": table(job_parts.ledger_frame(view.requirements, own), "Not scored yet."),
        "Resume": table(job_parts.lines_frame(materials, own), "No resume was prepared."),
        "Letter": mo.Html(f"{marking.STYLE}<div class='letter'>{escape(letter)}</div>")
        if letter
        else mo.md("*No letter was prepared.*"),
        # Drawn when somebody looks: a picture of a page takes longer than the rest of the job.
        "PDF": mo.lazy(lambda: pdfs(made, files), show_loading_indicator=True),
        "Stages": table(job_parts.stages_frame(view.stages), "No stage was begun."),
        "Seen at": table(job_parts.observations_frame(view.observations), "Nowhere yet."),
        "History": table(job_parts.history_frame(view.history), "Nothing was recorded.", hidden_columns=["event"]),
    }


def table(frame: pl.DataFrame, empty: str, **more: Any) -> Any:
    """A table whose long texts are wrapped, or *empty* said in words."""
    if frame.is_empty():
        return mo.md(f"*{empty}*")
    wrapped = [column for column in _LONG if column in frame.columns]
    return mo.ui.table(tidy(frame), **look(frame, page_size=15, wrapped_columns=wrapped, **more))


def pdfs(made: list[tuple[str, str]], files: Files) -> mo.Html:
    """Each PDF as pictures of its pages, with a way to save it."""
    if not made:
        return mo.md("*No PDF was made.*")
    return mo.vstack([part for name, digest in made for part in _pages(name, files.path(digest))])


def _pages(name: str, path: Path) -> list[Any]:
    content, wrong = looked(path.read_bytes)
    pictures, unread = looked(page_pictures, content) if content is not None else (None, wrong)
    if content is None or pictures is None:
        return [mo.callout(mo.md(f"**The {name} cannot be shown.** {unread}"), kind="warn")]
    shown = [
        mo.image(picture, alt=f"{name}, page {number}", width=620, style=_PAGE)
        for number, picture in enumerate(pictures, 1)
    ]
    return [mo.download(data=content, filename=f"{name}.pdf", label=f"Save the {name}"), *shown]
