"""A report as Markdown: for notes, for a chat, for whoever reads plain text."""

from __future__ import annotations

from jobctrl.analytics import charts
from jobctrl.analytics.report_cells import Shown, made_up, shown
from jobctrl.analytics.sections import Report


def markdown(report: Report, stands: str, notice: str) -> str:
    """The words and the tables of *report*; its pictures are on the page."""
    parts = [f"# {report.title}", report.says, f"{stands} {notice}"]
    if any(made_up(section.frame) for section in report.sections):
        parts.append(f"**{charts.MADE_UP}**")
    for section in report.sections:
        parts += [f"## {section.title}", section.says]
        parts.append(section.empty if section.frame.is_empty() else _table(shown(section), section.key))
    return "\n\n".join(parts) + "\n"


def _table(table: Shown, key: str) -> str:
    lines = [
        _line([column.heading for column in table.columns]),
        _line(["---:" if column.is_number else "---" for column in table.columns]),
        *(_line([_plain(cell) for cell in row]) for row in table.rows),
    ]
    more = f"\n\n{table.more:,} more rows in `data/{key}`." if table.more else ""
    return "\n".join(lines) + more


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(words: str) -> str:
    """Words from outside stay words: nothing in a cell ends it or is taken for markup."""
    text = " ".join(words.split())
    for mark in "\\`*_{}[]<>|":
        text = text.replace(mark, f"\\{mark}")
    return text
