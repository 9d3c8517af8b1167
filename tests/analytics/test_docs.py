"""`docs/warehouse.md` says what the warehouse holds and what may be asked, and each question says its columns."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import polars as pl
import pytest

from jobctrl.analytics.dictionary import put_into
from tests.conftest import ROOT

MODULES = (
    "alarms", "applications", "board", "budget", "calibration", "funnel", "market_pay", "market_skills",
    "source_quality", "source_worth", "spend", "survival", "what_if", "what_if_policy",
)  # fmt: skip
PAGE = ROOT / "docs" / "warehouse.md"


def questions() -> Iterator[Callable[..., pl.DataFrame]]:
    for name in MODULES:
        module = import_module(f"jobctrl.analytics.{name}")
        for _, function in inspect.getmembers(module, inspect.isfunction):
            first = next(iter(inspect.signature(function).parameters), None)
            ours = function.__module__.startswith(module.__name__)
            if ours and first == "db" and not function.__name__.startswith("_"):
                yield function


def test_the_page_has_the_dictionary_as_it_stands():
    text = PAGE.read_text()

    assert put_into(text) == text, "run `python -m jobctrl.analytics.dictionary docs/warehouse.md`"


@pytest.mark.parametrize("question", questions(), ids=lambda question: question.__name__)
def test_every_question_is_on_the_page_and_says_its_columns_and_what_empty_means(question: Any):
    says = inspect.getdoc(question) or ""

    assert f"`{question.__name__}`" in PAGE.read_text()
    if inspect.signature(question).return_annotation == "pl.DataFrame":
        assert "Columns" in says or "columns" in says
        assert "Empty" in says or "Always" in says or "one row" in says
