"""Writes a report: a page that opens without network, a notebook that makes its tables again, and its data."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from jobctrl.analytics.manifest import put
from jobctrl.analytics.personal import LEFT_OUT, PUT_IN, with_names, without_names
from jobctrl.analytics.report_data import csv, dictionaries, parquet
from jobctrl.analytics.report_markdown import markdown
from jobctrl.analytics.report_notebook import notebook
from jobctrl.analytics.report_page import page
from jobctrl.analytics.reports import REPORTS, moment_of
from jobctrl.analytics.sections import Report
from jobctrl.analytics.warehouse import Warehouse
from jobctrl.errors import InvalidRequest, WorkspaceError
from jobctrl.settings.formats import FORMATS

if TYPE_CHECKING:
    from jobctrl.analytics.as_of import When


def write_report(
    warehouse: Warehouse,
    name: str,
    folder: Path,
    formats: Iterable[str],
    *,
    as_of: When | None = None,
    personal: bool = False,
) -> list[Path]:
    """Write the report *name* into *folder* and return its files; the data goes to `data/` with its dictionary.

    With *as_of* it is the report that would have been written then. Raises InvalidRequest for an unknown report, format
    or position, NotFound without a workspace, WorkspaceError when the folder cannot be written. Names, mail, notes and
    the texts of postings are in none of it; titles and employers of jobs are with *personal* alone.
    """
    wanted = set(formats)
    if name not in REPORTS:
        raise InvalidRequest(f"There is no report {name!r}.", hint=f"These are: {', '.join(REPORTS)}.")
    if unknown := wanted - set(FORMATS):
        raise InvalidRequest(f"Reports are not written as {', '.join(sorted(unknown))}.", hint=f"{', '.join(FORMATS)}.")
    if as_of is None:
        warehouse.refresh()
        db = warehouse.connect()
    else:
        db = warehouse.as_of(as_of).connect()
    try:
        report, (position, at) = REPORTS[name](db), moment_of(db)
        report = with_names(report, db) if personal else without_names(report)
    finally:
        db.close()
    stands = f"As of fact {position}" + (f", {at:%Y-%m-%d %H:%M} UTC." if at else ": nothing is recorded yet.")
    return _write(folder, _content(report, name, stands, wanted, personal=personal))


def _content(report: Report, name: str, stands: str, wanted: set[str], *, personal: bool) -> dict[str, bytes]:
    """Every file by its name."""
    notice = PUT_IN if personal else LEFT_OUT
    # A notebook reads its data from Parquet.
    endings = [*(["parquet"] if wanted & {"parquet", "ipynb"} else []), *(["csv"] if "csv" in wanted else [])]
    content = dictionaries(report, f"{stands} {notice}", endings)
    if "html" in wanted:
        content[f"{name}.html"] = page(report, stands, notice, personal=personal).encode()
    if "md" in wanted:
        content[f"{name}.md"] = markdown(report, stands, notice).encode()
    if "ipynb" in wanted:
        content[f"{name}.ipynb"] = notebook(report, stands, notice).encode()
    for section in report.sections:
        if "parquet" in endings:
            content[f"data/{section.key}.parquet"] = parquet(section.frame)
        if "csv" in endings:
            content[f"data/{section.key}.csv"] = csv(section.frame)
    return content


def _write(folder: Path, content: dict[str, bytes]) -> list[Path]:
    written = [folder / name for name in content]
    try:
        (folder / "data").mkdir(parents=True, exist_ok=True)
        for path, data in zip(written, content.values(), strict=True):
            put(path.parent, path.name, data)
    except OSError as error:
        raise WorkspaceError(
            f"The report cannot be written to {folder}: {error.strerror}.", hint="Choose another folder with --to."
        ) from error
    return sorted(written, key=lambda path: (path.parent != folder, path.name))
