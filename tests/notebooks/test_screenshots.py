"""Every desk as a person sees it, in both themes: whole, without errors, and shown in the docs.

`JOBCTRL_KEEP_SCREENSHOTS=1` writes the pictures of the docs anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
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


@pytest.fixture(scope="module")
def address(demo_like: Path) -> Iterator[str]:
    with served("home", demo_like, **NO_KEYRING) as address:
        yield address


def at_rest(page: Any) -> None:
    """Wait until no cell runs and what is shown changes no more."""
    page.get_by_role("heading", level=1).first.wait_for()
    seen: list[str] = []

    def still() -> bool:
        seen.append(page.evaluate("document.getElementById('App').innerText"))
        running = page.get_by_test_id("loading-indicator").count()
        return not running and len(seen) > 4 and len(set(seen[-5:])) == 1

    waited(still)
    page.wait_for_load_state("networkidle")


def grow(page: Any) -> None:
    """Make the window as tall as the desk, so that a picture shows it from its head on."""
    tall = page.evaluate("document.getElementById('App').scrollHeight")
    page.set_viewport_size({"width": 1280, "height": min(max(tall, 400), TALLEST)})


@pytest.mark.parametrize("name", DESKS)
def test_a_desk_is_whole_in_both_themes(name, chromium, address, demo_like, tmp_path):
    with opened(chromium, address, f"desk/{name}/") as page:
        at_rest(page)
        grow(page)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            page.locator(f"body.{theme}-theme").wait_for()
            at_rest(page)
            page.evaluate(RENAME, [str(demo_like), "~/.jobctrl"])
            where = PICTURES if KEEP else tmp_path
            page.screenshot(path=where / f"{name}-{theme}.jpg", type="jpeg", quality=65)

            words = page.locator("#App").inner_text()
            assert len(words) > 100
            assert not re.search(r"Traceback|marimo error|An ancestor raised|Something unexpected happened", words)
            assert page.locator(".marimo-error").count() == 0
            assert page.get_by_text(str(demo_like)).count() == 0
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
