"""`docs/warehouse.md` says what the warehouse holds and what may be asked, and each question says its columns."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import polars as pl
import pytest

from jobctrl.analytics.tables import data_dictionary
from tests.conftest import ROOT

MODULES = ("applications", "board", "calibration", "funnel", "source_quality", "spend")
PAGE = ROOT / "docs" / "warehouse.md"


def questions() -> Iterator[Callable[..., pl.DataFrame]]:
    for name in MODULES:
        module = import_module(f"jobctrl.analytics.{name}")
        for _, function in inspect.getmembers(module, inspect.isfunction):
            first = next(iter(inspect.signature(function).parameters), None)
            if function.__module__ == module.__name__ and first == "db" and not function.__name__.startswith("_"):
                yield function


def dictionary_page() -> str:
    """The tables as the page has them."""
    parts = []
    for each in data_dictionary():
        rows = [f"| `{column['name']}` | {column['kind']} | {column['says']} |" for column in each["columns"]]
        parts += [f"### {each['table']}", "", each["says"], "", "| column | kind | meaning |", "| --- | --- | --- |"]
        parts += [*rows, ""]
    return "\n".join(parts).strip()


def test_the_page_has_the_dictionary_as_it_stands():
    begin, end = "<!-- dictionary -->\n", "\n<!-- end -->"
    text = PAGE.read_text()

    written = text[text.index(begin) + len(begin) : text.index(end)].strip()

    assert written == dictionary_page(), (
        "put the output of tests.analytics.test_docs.dictionary_page() between the marks"
    )


@pytest.mark.parametrize("question", questions(), ids=lambda question: question.__name__)
def test_every_question_is_on_the_page_and_says_its_columns_and_what_empty_means(question: Any):
    says = inspect.getdoc(question) or ""

    assert f"`{question.__name__}`" in PAGE.read_text()
    if question.__name__ != "enough":
        assert "Columns" in says or "columns" in says
        assert "Empty" in says or "Always" in says or "one row" in says
