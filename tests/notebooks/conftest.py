"""Workspaces that the desks are opened on."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from jobctrl.runtime.desks import desks
from tests.analytics.searches import Search
from tests.conftest import ROOT
from tests.notebooks.browser import chromium
from tests.notebooks.demo_like import tell_demo

__all__ = ["chromium"]

DESKS = tuple(desk.name for desk in desks())


def reads(defined: Mapping[str, Any]) -> bool:
    """Whether a desk that ran could read its workspace: it looks at snapshots, at the present, or at what is kept."""
    if "operator" in defined:
        return defined["operator"] is not None
    return bool(defined["now"].seen) if "now" in defined else defined["desk"].db is not None


def desk(name: str) -> ModuleType:
    """The notebook as a module of its own; its `app` can be run."""
    spec = importlib.util.spec_from_file_location(f"desk_{name}", ROOT / "notebooks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def demo_like(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a workspace like the demo's; nobody has it open."""
    folder = tmp_path_factory.mktemp("demo") / "workspace"
    tell_demo(folder).close()
    return folder


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a workspace in which nothing was recorded."""
    folder = tmp_path_factory.mktemp("empty") / "workspace"
    Search(folder).close()
    return folder
