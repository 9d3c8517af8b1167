from __future__ import annotations

import shutil

import pytest

from jobctrl.errors import BrowserTransient, ConfigurationError
from jobctrl.network.model import Politeness, Response
from jobctrl.network.render import find_chromium

needs_chromium = pytest.mark.skipif(
    not any(shutil.which(n) for n in ("chromium", "chromium-browser", "google-chrome")),
    reason="no Chromium on the path",
)

PAGE = """<!doctype html><title>Jobs</title><div id=job></div><script src="/app.js"></script>"""
SCRIPT = """
fetch("/data.json").then(r => r.json()).then(d => { document.getElementById("job").textContent = d.title; });
for (const away of ["http://192.168.1.1/x.js", "http://10.0.0.1/y.js"]) {
  const s = document.createElement("script"); s.src = away; document.body.appendChild(s);
}
"""


@needs_chromium
def test_scripts_run_and_what_they_ask_for_passes_the_guard(site, live):
    site.page("/old", status=301, Location="/job")
    site.page("/job", PAGE)
    site.page("/app.js", SCRIPT, kind="text/javascript")
    site.page("/data.json", '{"title": "Data Engineer"}', kind="application/json")

    page = live().render(f"{site.url}/old")

    assert isinstance(page, Response)
    assert page.url == f"{site.url}/job"
    assert '<div id="job">Data Engineer</div>' in page.text
    assert site.asked.count("/job") == 1


@needs_chromium
def test_a_page_that_walks_away_is_not_followed(site, live):
    site.page("/job", "<p>first</p><script>location.href = '/other'</script>")
    site.page("/other", "<p>another posting</p>")

    page = live().render(f"{site.url}/job")

    assert "another posting" not in page.text
    assert "/other" not in site.asked


def test_a_page_that_robots_disallow_starts_no_browser(site, live):
    site.page("/robots.txt", "User-agent: *\nDisallow: /", kind="text/plain")

    assert live().render(f"{site.url}/job").reason is Politeness.ROBOTS_DISALLOWED


def test_a_browser_that_is_not_there_is_said_so(monkeypatch):
    monkeypatch.setenv("CHROMIUM", "/no/such/browser")

    with pytest.raises(ConfigurationError, match="/no/such/browser"):
        find_chromium()


def test_a_browser_that_does_not_start_is_a_transient_failure(site, live, monkeypatch):
    site.page("/job", PAGE)
    monkeypatch.setenv("CHROMIUM", shutil.which("false") or "false")

    with pytest.raises(BrowserTransient, match="did not finish"):
        live().render(f"{site.url}/job")
