"""The data dictionary in words: `python -m jobctrl.analytics.dictionary docs/warehouse.md` writes it into a page."""

from __future__ import annotations

import sys
from pathlib import Path

from jobctrl.analytics.tables import Table, tables

BEGIN, END = "<!-- dictionary -->", "<!-- end -->"


def dictionary_text() -> str:
    """Every table of the warehouse with its role, its key and its columns, as Markdown."""
    parts = []
    for each in tables():
        parts += [f"### {each.name}", "", each.says, "", _place(each), "", "| column | kind | meaning |"]
        parts += ["| --- | --- | --- |"]
        parts += [f"| `{column.name}` | {column.kind} | {column.says} |" for column in each.columns]
        parts += [""]
    return "\n".join(parts).strip()


def _place(of: Table) -> str:
    """Its place in the star: what a row is told apart by, and the dimensions that it can be joined with."""
    own = {column.name for column in of.columns}
    joins = [
        f"`{each.name}` by {_listed(each.key)}"
        for each in tables()
        if each.role == "dimension" and each.name != of.name and own.issuperset(each.key) and each.key != ("version",)
    ]
    return f"A {of.role}; its key is {_listed(of.key)}." + (f" Joins {', '.join(joins)}." if joins else "")


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def put_into(page: str) -> str:
    """*page* with the dictionary between its marks."""
    before, rest = page.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    return f"{before}{BEGIN}\n{dictionary_text()}\n{END}{after}"


if __name__ == "__main__":
    page = Path(sys.argv[1])
    page.write_text(put_into(page.read_text(encoding="utf-8")), encoding="utf-8")
