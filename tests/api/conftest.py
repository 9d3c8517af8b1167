"""The API over a small workspace, asked through its ASGI door."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from jobctrl.api.app import create_app
from jobctrl.api.guard import loopback_hosts
from jobctrl.operator import Operator
from tests.api.searches import RememberedDispatch, make_workspace, opened

TOKEN = "t" * 43
PORT = 8766
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("api") / "workspace"
    make_workspace(folder)
    return folder


@pytest.fixture
def workspace(told: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("TEMPORAL_ADDRESS", raising=False)
    return Path(shutil.copytree(told, tmp_path / "workspace"))


@pytest.fixture
def acting(workspace: Path) -> Iterator[tuple[Operator, RememberedDispatch]]:
    with opened(workspace) as found:
        yield found


@pytest.fixture
def operator(acting: tuple[Operator, RememberedDispatch]) -> Operator:
    return acting[0]


@pytest.fixture
def dispatch(acting: tuple[Operator, RememberedDispatch]) -> RememberedDispatch:
    return acting[1]


@pytest.fixture
def anyone(operator: Operator) -> httpx.AsyncClient:
    """A caller without the token."""
    app = create_app(operator, token=TOKEN, host_allow_list=loopback_hosts(PORT), web="recorded:web")
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{PORT}")


@pytest.fixture
def client(anyone: httpx.AsyncClient) -> httpx.AsyncClient:
    anyone.headers.update(BEARER)
    return anyone
