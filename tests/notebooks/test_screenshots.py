"""Every desk as a person sees it, in both themes: whole, without errors, and shown in the docs.

`JOBCTRL_KEEP_SCREENSHOTS=1` writes the pictures of the docs anew.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.notebooks.browser import opened, served, waited
from tests.notebooks.conftest import DESKS

pytestmark = [pytest.mark.browser, pytest.mark.slow]
KEEP = bool(os.environ.get("JOBCTRL_KEEP_SCREENSHOTS"))
PICTURES = ROOT / "docs" / "images" / "desks"
THEMES = ("light", "dark")
ALL_OF_THEM = 3_000_000
"""Bytes that the pictures may take together."""
TALLEST = 1500
NO_KEYRING = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}

RENAME = """([path, name]) => {
  const under = root => root.querySelectorAll('*').forEach(each => {
    each.childNodes.forEach(node => {
      if (node.nodeType === 3 && node.data.includes(path)) node.data = node.data.replaceAll(path, name)
    })
    if (each.shadowRoot) under(each.shadowRoot)
  })
  under(document)
}"""
"""What a text says of where the workspace lies, told as a person's own would be; tables keep theirs in shadow roots."""


@dataclass(frozen=True)
class Served:
    workspace: Path
    address: str


@pytest.fixture(scope="module")
def like_demo(demo_like: Path) -> Iterator[Served]:
    with served("home", demo_like, **NO_KEYRING) as address:
        yield Served(demo_like, address)


@pytest.fixture(scope="module")
def demo(like_demo: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """What `jobctrl demo` leaves, for pictures that are kept; else a workspace like it, which is there at once."""
    if not KEEP:
        yield like_demo
        return
    folder = tmp_path_factory.mktemp("shown") / "workspace"
    jobctrl = Path(sys.executable).with_name("jobctrl")
    subprocess.run([jobctrl, "--workspace", folder, "demo"], check=True, capture_output=True, timeout=600)
    with served("home", folder, **NO_KEYRING) as address:
        yield Served(folder, address)


def at_rest(page: Any) -> None:
    """Wait until no cell runs and neither what is shown nor its height changes any more."""
    page.get_by_role("heading", level=1).first.wait_for()
    seen: list[tuple[str, int]] = []

    def still() -> bool:
        seen.append(tuple(page.evaluate("(app => [app.innerText, app.scrollHeight])(document.getElementById('App'))")))
        running = page.get_by_test_id("loading-indicator").count()
        return not running and len(seen) > 9 and len(set(seen[-10:])) == 1

    waited(still)
    page.wait_for_load_state("networkidle")


def fit(page: Any) -> None:
    """Make the window as tall as the desk, within reason, so that a picture shows it from its head on."""
    tall = 400
    for _ in range(3):
        page.set_viewport_size({"width": 1280, "height": tall})
        at_rest(page)
        tall = min(page.evaluate("document.getElementById('App').scrollHeight"), TALLEST)


@pytest.mark.parametrize("name", DESKS)
def test_a_desk_is_whole_in_both_themes(name, chromium, like_demo, demo, tmp_path):
    # The demo's models cost nothing, so its spending is an empty desk.
    shown = like_demo if name == "spend" else demo
    workspace = str(shown.workspace)
    with opened(chromium, shown.address, f"desk/{name}/") as page:
        fit(page)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            page.locator(f"body.{theme}-theme").wait_for()
            at_rest(page)
            page.evaluate(RENAME, [workspace, "~/.jobctrl"])
            where = PICTURES if KEEP else tmp_path
            page.screenshot(path=where / f"{name}-{theme}.jpg", type="jpeg", quality=65)

            words = page.locator("#App").inner_text()
            assert len(words) > 60
            assert not re.search(r"Traceback|internal error|Something unexpected happened", words)
            assert page.get_by_text(workspace).count() == 0
            assert page.evaluate("(app => app.scrollWidth - app.clientWidth)(document.getElementById('App'))") == 0


@pytest.mark.parametrize("name", DESKS)
def test_the_docs_show_a_desk_in_both_themes(name):
    page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")

    for theme in THEMES:
        assert (PICTURES / f"{name}-{theme}.jpg").stat().st_size > 10_000
        assert f"images/desks/{name}-{theme}.jpg" in page


def test_the_pictures_are_of_desks_that_are_there_and_small_enough():
    pictures = list(PICTURES.iterdir())

    assert {each.name for each in pictures} == {f"{name}-{theme}.jpg" for name in DESKS for theme in THEMES}
    assert sum(each.stat().st_size for each in pictures) < ALL_OF_THEM
