"""A search to tell, and the warehouse over it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from duckdb import DuckDBPyConnection

from jobctrl.analytics.warehouse import Warehouse
from tests.analytics.searches import Search
from tests.notebooks.browser import chromium

__all__ = ["chromium"]


@pytest.fixture
def search(tmp_path: Path) -> Iterator[Search]:
    search = Search(tmp_path / "workspace")
    yield search
    search.close()


@pytest.fixture
def warehouse(search: Search) -> Warehouse:
    return Warehouse(search.folder)


def asked(search: Search) -> DuckDBPyConnection:
    """The warehouse as it stands after all that was told."""
    search.tell()
    warehouse = Warehouse(search.folder)
    warehouse.refresh()
    return warehouse.connect()
