"""The desks under a roof: where one begins, who may look, and which there are."""

from __future__ import annotations

import httpx
import pytest
from starlette.testclient import TestClient

from jobctrl.api.desk_serving import desk_app, serve_desks
from jobctrl.api.desks import Desks
from jobctrl.errors import NotFound
from jobctrl.runtime.desks import HOME, desks
from tests.api.conftest import PORT


@pytest.fixture
def browser() -> TestClient:
    app = desk_app(Desks(), "jobs", port=PORT)
    return TestClient(app, base_url=f"http://127.0.0.1:{PORT}", follow_redirects=False)


@pytest.mark.parametrize("path", ["/desk", "/desk/"])
async def test_the_folder_of_the_desks_leads_home(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    if answer.status_code == 307:
        answer = await client.get(answer.headers["location"])

    assert (answer.status_code, answer.headers["location"]) == (303, "/desk/home/")


def test_the_desk_that_was_named_comes_first(browser: TestClient) -> None:
    assert browser.get("/").headers["location"] == "/desk/jobs/"
    assert browser.get("/desk/").headers["location"] == "/desk/home/"
    assert browser.get("/health").text == "ok"


@pytest.mark.parametrize(
    "headers",
    [{"Host": f"evil.example:{PORT}"}, {"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}],
)
def test_without_a_token_strange_names_and_pages_are_still_refused(
    browser: TestClient, headers: dict[str, str]
) -> None:
    assert browser.get("/desk/", headers=headers).status_code == 403


def test_an_unknown_desk_is_refused_with_the_ones_there_are() -> None:
    with pytest.raises(NotFound) as refused:
        serve_desks("kitchen", 0, print)

    assert HOME in str(refused.value.hint)


def test_every_desk_says_on_its_first_line_what_it_is_for() -> None:
    found = desks()

    assert found[0].name == HOME
    assert all(desk.title and desk.says for desk in found)
    assert len({desk.title for desk in found}) == len(found)
