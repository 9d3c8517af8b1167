"""The desks where one works on jobs, over a workspace without any: each says what to do, without an error."""

from __future__ import annotations

import pytest

from tests.notebooks.browser import opened, served

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize(
    ("name", "words"), [("jobs", "No jobs are known yet."), ("inbox", "Nothing waits."), ("runs", "Nothing ran yet.")]
)
def test_an_empty_desk_says_what_to_do(chromium, empty, name, words):
    with served(name, empty) as address, opened(chromium, address) as page:
        page.get_by_text(words).wait_for()
