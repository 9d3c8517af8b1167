"""A desk served to a real browser, and what every page of it has to keep."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    named = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=named, args=FLAGS)
        except Error as error:
            pytest.skip(f"no Chromium: set CHROMIUM or install one ({str(error).splitlines()[0]})")
        yield browser
        browser.close()


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(name: str, workspace: Path, **more: str) -> Iterator[str]:
    """`jobctrl desk NAME` on a free port, until the block ends."""
    port = free_port()
    process = subprocess.Popen(
        [str(Path(sys.executable).with_name("jobctrl")), "desk", name, "--port", str(port)],
        env={**os.environ, "JOBCTRL_DIR": str(workspace), **more},
        cwd=workspace,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}/"
    try:
        waited(lambda: _answers(address + "health"))
        yield address
    finally:
        process.terminate()
        process.wait(10)


def _answers(address: str) -> bool:
    try:
        return bool(urllib.request.urlopen(address, timeout=2).status == 200)
    except (urllib.error.URLError, OSError):
        return False


def waited(holds: Callable[[], bool], seconds: float = 40) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.1)


@contextmanager
def opened(chromium: Any, address: str, path: str = "", **more: Any) -> Iterator[Any]:
    """The page, in a window of 1280 points; it must stay without errors, strangers and a sideways scroll."""
    page = chromium.new_page(viewport={"width": 1280, "height": 900}, **more)
    page.set_default_timeout(40_000)
    trouble: list[str] = []
    page.on("console", lambda message: trouble.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("requestfailed", lambda request: trouble.extend(_lost(request)))
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: trouble.extend(_fallen(frame))))
    strangers: list[str] = []
    page.on("request", lambda request: strangers.append(request.url))
    page.goto(address + path)
    yield page
    assert trouble == []
    # Chromium's own PDF viewer is an extension; data and blobs are of the page itself.
    assert [url for url in strangers if url.startswith(("http", "ws")) and not url.startswith(address)] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    page.close()


def _lost(request: Any) -> list[str]:
    """A request of the page that nobody answered; what the page itself gave up (a frame it took away) is none."""
    return [request.url] if request.url.startswith(("http", "ws")) and request.failure != "net::ERR_ABORTED" else []


def _fallen(frame: str | bytes) -> list[str]:
    """Cells that raised: a served desk shows nothing at all of them. Those that `mo.stop` held back are none."""
    words = frame if isinstance(frame, str) else frame.decode(errors="replace")
    if "application/vnd.marimo+error" not in words:
        return []
    said = json.loads(words)["data"]
    kinds = {error["type"] for error in (said.get("output") or {}).get("data", []) if isinstance(error, dict)}
    return [f"cell {said['cell_id']} fell: {kind}" for kind in kinds - {"ancestor-stopped"}]
