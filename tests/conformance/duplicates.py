"""Pairs of postings: the same one seen twice, one requisition in other places, or two. A wrong merge is the fault."""

from __future__ import annotations

import csv
import gzip
import json
import re
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from jobctrl.discovery.intake import name_one, read_one
from jobctrl.postings.employment import read_employment_type
from jobctrl.postings.identity import read_identity
from jobctrl.postings.language import read_language
from jobctrl.postings.model import Place
from jobctrl.postings.place import read_place
from jobctrl.postings.similarity import Content, Sameness, verdict
from jobctrl.postings.text import html_to_text
from tests.conformance.harness import Line, Verdict, labels
from tests.conformance.postings import listings, source_of

_NOW = datetime(2026, 9, 1, tzinfo=UTC)
_BOARDS = ("greenhouse", "lever", "ashby", "smartrecruiters", "workable", "recruitee", "workday")


class Duplicates:
    """Each label names both sides by file and native id, or holds them (`content`) as the project's own cases do."""

    name = "duplicates"

    def lines(self, labels_dir: Path, root: Path) -> Iterable[Line]:
        for label in labels(labels_dir / f"{self.name}.jsonl"):
            a, b = content(root, label["a"]), content(root, label["b"])
            where = f"{_shown(label['a'])} / {_shown(label['b'])}"
            if a is None or b is None:
                yield Line(where, "", Verdict.MISSED, label["same"], "not found", label.get("sure", True))
                continue
            said = verdict(a, b)
            judged = _judge(label, said.sameness)
            likeness = "" if said.jaccard is None else f" ({said.jaccard:.2f})"
            yield Line(
                where, "", judged, label["same"], f"{said.sameness}: {said.reason}{likeness}", label.get("sure", True)
            )


def _judge(label: dict[str, Any], said: Sameness) -> Verdict:
    """Keeping two apart is forgivable, merging two that are not one is wrong."""
    accepted = {label["same"], *label.get("accept", ())}
    got = {Sameness.SAME: "yes", Sameness.DIFFERENT: "no"}.get(said, said.value)
    if got in accepted or (said is not Sameness.SAME and "no" in accepted):
        return Verdict.RIGHT
    return Verdict.WRONG if said is Sameness.SAME else Verdict.MISSED


def _shown(side: dict[str, Any]) -> str:
    return f"{side['file']} {side['id']}" if "file" in side else str(side["content"]["title"])


def content(root: Path, side: dict[str, Any]) -> Content | None:
    """One side of a pair as the reader of that kind of file sees it; None when the file does not hold it."""
    if "content" in side:
        stated = dict(side["content"])
        places = tuple(Place(*place) for place in stated.pop("places", ()))
        return Content(**stated, places=places)
    file, native = side["file"], side["id"]
    folder = file.partition("/")[0]
    if folder in _BOARDS:
        listing = listings(root, file).get(native)
        if listing is None:
            return None
        source = source_of(file)
        read = read_one(name_one(listing, source, item_key=native), source, now=_NOW)
        facts = read.facts
        return Content(
            title=listing.title,
            company=listing.company or source_of(file).token,
            text=read.description,
            key=read.identity_key,
            requisition=listing.requisition_id,
            places=facts.place.places,
            language=facts.language.language,
            employment_type=facts.employment_type,
            team=listing.department,
        )
    if file.endswith(".html"):
        # Pages carry the number of the requisition as their id.
        return Content(
            title=file,
            company=folder,
            text=html_to_text((root / file).read_text("utf-8", "replace")),
            requisition=native,
        )
    return _records(root, file).get(native)


@lru_cache(maxsize=16)
def _records(root: Path, file: str) -> dict[str, Content]:
    return dict(_record(file, row) for row in _rows(root / file))


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    if path.suffix == ".parquet":
        import polars as pl

        return pl.read_parquet(path).to_dicts()
    if path.suffix == ".csv":
        csv.field_size_limit(sys.maxsize)
        with path.open(encoding="utf-8", newline="") as rows:
            return list(csv.DictReader(rows))
    if path.suffix == ".gz":
        with gzip.open(path, "rt", encoding="utf-8") as rows:
            return [json.loads(row) for row in rows]
    data = json.loads(path.read_text("utf-8"))
    if isinstance(data, list):
        return [row for answer in data for row in answer["result"].get("data") or ()]
    return [{**hit, "id": hit["objectID"], "text": hit.get("comment_text") or ""} for hit in data["hits"]]


def _record(file: str, row: dict[str, Any]) -> tuple[str, Content]:
    """The id under which a data set's row is labelled, and what the row says."""
    if "job_uid" in row:
        title, company, text, url, place = row["title"], row["company"], None, row["apply_url"], row["location_raw"]
        native = row["job_uid"]
    elif "Job Title" in row:
        title, company, text = row["Job Title"], row["Company Name"].partition("\n")[0], row["Job Description"]
        native, url, place = str(row["row"]), None, row["Location"]
    elif "link" in row:
        native = url = row["link"]
        title, company, text, place = row["title"], row["company"], row["description"], row["location"]
    elif "text" in row:
        text = html_to_text(row["text"])
        heading = text.partition("\n")[0]
        native, url, title = str(row["id"]), f"https://news.ycombinator.com/item?id={row['id']}", heading
        company, place = re.split(r"[|(–-]", heading)[0], None
    else:
        native = row.get("id") or row["job_url"]
        title, company, text = row["title"], row.get("company") or row.get("company_name"), row["description"]
        url, place = row["job_url"], row["location"] if isinstance(row["location"], str) else None
    return native, Content(
        title=title or "",
        company=company,
        text=text,
        key=read_identity(url).key if url else None,
        places=read_place(place).places if place else (),
        language=read_language(text).language if text else None,
        employment_type=_employment(row),
    )


def _employment(row: dict[str, Any]) -> str | None:
    stated = row.get("job_type") or row.get("employment_type")
    return read_employment_type(stated) if isinstance(stated, str) else None


TABLE = Duplicates()
