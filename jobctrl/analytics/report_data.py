"""The data of a report as files: Parquet, CSV, and the dictionary that says what is in them."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from json import dumps
from typing import Any

import polars as pl

from jobctrl.analytics.sections import Report

_MOMENT = "%Y-%m-%dT%H:%M:%S%.3fZ"


def parquet(frame: pl.DataFrame) -> bytes:
    buffer = BytesIO()
    frame.write_parquet(buffer, compression="zstd")
    return buffer.getvalue()


def csv(frame: pl.DataFrame) -> bytes:
    """*frame* as CSV: moments in ISO 8601, several values of a cell with a semicolon between them."""
    several = [name for name, kind in frame.schema.items() if isinstance(kind, pl.List)]
    flat = frame.with_columns(pl.col(name).cast(pl.List(pl.String)).list.join("; ") for name in several)
    return flat.write_csv(datetime_format=_MOMENT).encode()


def dictionaries(report: Report, stands: str, formats: Sequence[str]) -> dict[str, bytes]:
    """The dictionary, for people and for programs, by file name. *formats* are those the data was written in."""
    entries = _entries(report, formats)
    told = {"report": report.title, "stands": stands, "tables": entries}
    return {
        "data/dictionary.md": _text(report, stands, entries).encode(),
        "data/dictionary.json": (dumps(told, indent=1, ensure_ascii=False) + "\n").encode(),
    }


def _entries(report: Report, formats: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {
            "table": section.key,
            "files": [f"data/{section.key}.{ending}" for ending in formats],
            "title": section.title,
            "says": section.explained,
            "rows": len(section.frame),
            "columns": [{"name": name, "type": str(kind)} for name, kind in section.frame.schema.items()],
        }
        for section in report.sections
    ]


def _text(report: Report, stands: str, entries: list[dict[str, Any]]) -> str:
    parts = [
        f"# {report.title}: the data",
        f"{stands} Moments are UTC; rates lie between 0 and 1, their intervals are of 95%; an empty cell is not known.",
    ]
    for entry in entries:
        rows = "\n".join(f"| `{column['name']}` | {column['type']} |" for column in entry["columns"])
        files = ", ".join(f"`{file}`" for file in entry["files"]) or "Not written: only its text was asked for."
        parts.append(f"## {entry['table']}\n\n{entry['title']}. {files}\n\n{entry['says']}")
        parts.append(f"| column | type |\n| --- | --- |\n{rows}")
    return "\n\n".join(parts) + "\n"
