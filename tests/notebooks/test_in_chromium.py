"""The jobs and the calibration desk, used in a real browser: typing, picking, acting, and a console without errors."""

from __future__ import annotations

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

from tests.conftest import ROOT
from tests.notebooks.test_desks import recorded

pytestmark = [pytest.mark.browser, pytest.mark.slow]
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
def served(name: str, workspace: Path) -> Iterator[str]:
    """The desk on a free port, until the block ends."""
    port = free_port()
    command = [sys.executable, "-m", "marimo", "-q", "run", "--headless", "--no-token", "--host", "127.0.0.1"]
    process = subprocess.Popen(
        [*command, "--port", str(port), str(ROOT / "notebooks" / f"{name}.py")],
        env={**os.environ, "JOBCTRL_DIR": str(workspace)},
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
def opened(chromium: Any, address: str) -> Iterator[Any]:
    """The page, in a window of 1280 points; it must stay without errors, strangers and a sideways scroll."""
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(40_000)
    trouble: list[str] = []
    page.on("console", lambda message: trouble.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("requestfailed", lambda request: trouble.extend(_lost(request)))
    strangers: list[str] = []
    page.on("request", lambda request: strangers.append(request.url))
    page.goto(address)
    yield page
    assert trouble == []
    # Chromium's own PDF viewer is an extension; data and blobs are of the page itself.
    assert [url for url in strangers if url.startswith(("http", "ws")) and not url.startswith(address)] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    page.close()


def _lost(request: Any) -> list[str]:
    """A request of the page that nobody answered; what the page itself gave up (a frame it took away) is none."""
    return [request.url] if request.url.startswith(("http", "ws")) and request.failure != "net::ERR_ABORTED" else []


def test_a_person_finds_a_job_by_typing_and_corrects_its_score(chromium, demo_like, tmp_path):
    before, _ = recorded(demo_like)
    with served("jobs", demo_like) as address, opened(chromium, address) as page:
        page.get_by_text("240 jobs, the best fit first").wait_for()
        assert recorded(demo_like)[0] == before

        page.get_by_placeholder("title, employer, place, board …").fill("lisboa senior")
        page.get_by_text("jobs, the best fit first").filter(has_not_text="240 jobs").wait_for()
        page.get_by_role("heading", name="Senior Data Engineer").wait_for()
        page.get_by_role("tab", name="Score").click()
        page.get_by_text("The profile says so.").first.wait_for()
        page.get_by_placeholder("because …").fill("They want a decade of Scala.")
        page.locator("marimo-number input").first.fill("3")
        page.locator("marimo-number input").first.press("Enter")
        page.get_by_role("button", name="Correct the score").click()
        page.get_by_text("became 3.").wait_for()
        page.get_by_text("3 of 10").wait_for()
        page.screenshot(path=tmp_path / "jobs.png", full_page=True)

    assert recorded(demo_like)[0] >= before + 2


def test_a_person_asks_what_a_score_is_worth(chromium, demo_like, tmp_path):
    before = recorded(demo_like)
    with served("calibration", demo_like) as address, opened(chromium, address) as page:
        page.get_by_text("made up for a demonstration").first.wait_for()
        page.locator("canvas").nth(1).wait_for()
        interviews = page.get_by_text(" with success.").inner_text()

        page.get_by_role("combobox").first.select_option(label="reply")
        page.get_by_text(" with success.").filter(has_not_text=interviews).wait_for()
        page.get_by_role("heading", name="How good are the forecasts?").wait_for()
        page.screenshot(path=tmp_path / "calibration.png", full_page=True)
        page.get_by_role("combobox").nth(1).select_option(label="real")
        page.get_by_text("No application is old enough to count").wait_for()

    assert recorded(demo_like) == before


def test_the_operations_desk_reads_itself_again_and_keeps_what_was_picked(chromium, demo_like, tmp_path):
    before = recorded(demo_like)
    with served("operations", demo_like) as address, opened(chromium, address) as page:
        page.get_by_text("Render PDFs").first.wait_for()
        page.get_by_text("14 older taken along").first.wait_for()
        page.get_by_text("Hand jobs on").first.wait_for()
        page.get_by_label("Work of").select_option(label="the backlog it took along")
        # What belongs to the run itself is no work of its backlog.
        page.get_by_text("Hand jobs on").first.wait_for(state="detached")
        looked = page.get_by_text("As of ").first.inner_text()
        page.get_by_role("combobox").first.select_option(label="5s")

        page.get_by_text("As of ").filter(has_not_text=looked).first.wait_for()
        assert page.get_by_label("Work of").input_value() == "the backlog it took along"
        assert page.get_by_text("Hand jobs on").count() == 0
        page.screenshot(path=tmp_path / "operations.png", full_page=True)

    assert recorded(demo_like) == before
