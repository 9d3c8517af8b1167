"""The page of a report: it asks nothing of any network, and can be read in the dark, on paper and aloud."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from jobctrl.analytics.report import write_report
from jobctrl.analytics.reports import REPORTS
from jobctrl.analytics.warehouse import Warehouse
from tests.notebooks.demo_like import tell_demo

LEAST_CONTRAST = 4.5
CONTRASTS = """() => {
  const channel = value => { value /= 255; return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4 };
  const light = colour => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).map(Number).map(channel);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = element => {
    const colour = getComputedStyle(element).backgroundColor;
    return /, 0\\)$/.test(colour) && element.parentElement ? behind(element.parentElement) : colour;
  };
  const texts = [...document.querySelectorAll("h1, h2, p, th, td, svg text")].filter(each => each.textContent.trim());
  return texts.map(each => {
    const style = getComputedStyle(each);
    const colours = [each.ownerSVGElement ? style.fill : style.color, behind(each)];
    const [low, high] = colours.map(light).sort((one, other) => one - other);
    return [(high + 0.05) / (low + 0.05), each.textContent];
  });
}"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page of every report on a workspace like the demo's."""
    folder = tmp_path_factory.mktemp("pages")
    tell_demo(folder / "workspace", jobs=120).close()
    for name in REPORTS:
        write_report(Warehouse(folder / "workspace"), name, folder / name, ["html"])
    return folder


@contextmanager
def opened(chromium: Any, page: Path, **how: Any) -> Iterator[Any]:
    """The page from its file, with the network cut; nothing may be asked for and nothing said on the console."""
    context = chromium.new_context(offline=True, viewport={"width": 1280, "height": 900}, **how)
    tab, asked, said = context.new_page(), [], []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.goto(page.as_uri())
    yield tab
    assert asked == [page.as_uri()]
    assert said == []
    context.close()


@pytest.mark.parametrize("name", REPORTS)
def test_it_refers_to_nothing_outside_itself(written: Path, name: str) -> None:
    page = (written / name / f"{name}.html").read_text(encoding="utf-8")

    assert "://" not in page
    assert not re.search(r"<(script|link|iframe|object|embed|img|base|form)\b|@import|url\((?!#)|\bsrc=", page, re.I)
    assert re.findall(r'href="(?!#)', page) == []
    assert "default-src 'none'" in page


@pytest.mark.browser
@pytest.mark.parametrize("name", REPORTS)
def test_it_opens_without_network_and_the_console_stays_clean(chromium: Any, written: Path, name: str) -> None:
    with opened(chromium, written / name / f"{name}.html") as tab:
        assert tab.locator("section").count() > 1
        assert tab.locator("section table, section > p").count() > tab.locator("section").count()
        assert tab.evaluate("document.documentElement.scrollWidth") <= 1280
        for picture in tab.locator(".picture svg").all():
            assert picture.bounding_box()["width"] > 300


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", REPORTS)
def test_every_word_can_be_told_from_its_ground(chromium: Any, written: Path, name: str, scheme: str) -> None:
    with opened(chromium, written / name / f"{name}.html", color_scheme=scheme) as tab:
        ground = tab.evaluate("getComputedStyle(document.body).backgroundColor")
        weak = [told for told in tab.evaluate(CONTRASTS) if told[0] < LEAST_CONTRAST]

    assert (sum(map(int, re.findall(r"\d+", ground)[:3])) < 200) == (scheme == "dark")
    assert weak == []


@pytest.mark.browser
@pytest.mark.parametrize("name", REPORTS)
def test_it_can_be_read_aloud(chromium: Any, written: Path, name: str) -> None:
    with opened(chromium, written / name / f"{name}.html") as tab:
        tables = tab.locator("table").all()
        assert all(table.locator("caption").text_content() for table in tables)
        assert all(table.locator("th:not([scope])").count() == 0 for table in tables)
        assert all(
            table.locator("tbody tr").count() == table.locator("tbody th[scope=row]").count() for table in tables
        )
        pictures = tab.locator("svg").count()
        assert tab.locator("[role=img][aria-label] > svg[aria-hidden=true]").count() == pictures
        assert tab.evaluate("document.documentElement.lang") == "en"
        ids = tab.evaluate("[...document.querySelectorAll('[id]')].map(each => each.id)")
        assert len(ids) == len(set(ids))
        # What scrolls inside itself can be reached without a mouse.
        assert tab.locator(".wide").count() == tab.locator(".wide[tabindex='0'][aria-label]").count() == len(tables)


@pytest.mark.browser
@pytest.mark.parametrize("name", REPORTS)
def test_on_paper_it_is_light_and_nothing_is_cut_off(chromium: Any, written: Path, name: str) -> None:
    with opened(chromium, written / name / f"{name}.html", color_scheme="dark") as tab:
        tab.emulate_media(media="print")
        # A4 at 96 points an inch, without its margins.
        tab.set_viewport_size({"width": 688, "height": 1000})

        assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert tab.evaluate("document.documentElement.scrollWidth") <= 688
        assert tab.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.browser
def test_made_up_applications_are_marked_on_every_page_that_counts_them(chromium: Any, written: Path) -> None:
    for name in ("weekly", "calibration", "sources", "funnel"):
        with opened(chromium, written / name / f"{name}.html") as tab:
            assert tab.locator("header .alert").text_content().startswith("SIMULATED")
