from __future__ import annotations

import json
from pathlib import Path

import pytest

from jobctrl.errors import ConfigurationError, SourceUnavailable
from jobctrl.network.model import Purpose, Refused, Request, Response
from jobctrl.network.open import open_web
from jobctrl.network.record import RecordingWeb
from jobctrl.network.recorded import RecordedWeb


def folder_of(tmp_path: Path, *lines: dict[str, object] | str) -> Path:
    (tmp_path / "index.jsonl").write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines))
    for name in "abc":
        (tmp_path / f"{name}.json").write_text(f'"{name}"')
    return tmp_path


def line(url: str, file: str = "a.json", **more: object) -> dict[str, object]:
    return {"method": "GET", "url": url, "status": 200, "content_type": "application/json", "file": file, **more}


@pytest.mark.parametrize(
    "asked",
    ["https://x.example/jobs?b=2&a=1", "https://X.example:443/jobs?a=1&b=2", "https://x.example/jobs?a=1&b=2#top"],
)
def test_two_spellings_of_one_request_have_one_recording(tmp_path, asked):
    web = RecordedWeb(folder_of(tmp_path, line("https://x.example/jobs?a=1&b=2")))

    answer = web.fetch(Request(asked))

    assert (answer.text, answer.url) == ('"a"', asked)


def test_the_path_decides_with_its_case_and_the_query_with_its_values(tmp_path):
    web = RecordedWeb(
        folder_of(tmp_path, line("https://x.example/Jobs?a=1"), line("https://x.example/Jobs?a=2", "b.json"))
    )

    assert web.fetch(Request("https://x.example/Jobs?a=2")).text == '"b"'
    with pytest.raises(SourceUnavailable):
        web.fetch(Request("https://x.example/jobs?a=1"))


def test_a_post_is_found_by_the_part_of_its_body_that_was_recorded(tmp_path):
    url = "https://x.example/jobs"
    web = RecordedWeb(
        folder_of(
            tmp_path,
            line(url, "a.json", method="POST", json={"offset": 0}),
            line(url, "b.json", method="POST", json={"offset": 20}),
        )
    )

    def ask(offset: int) -> Response | Refused:
        return web.fetch(Request(url, method="POST", json={"offset": offset, "limit": 20, "searchText": ""}))

    assert [ask(0).text, ask(20).text] == ['"a"', '"b"']
    with pytest.raises(SourceUnavailable, match=r"POST https://x\.example/jobs with the body .*40.*no recording"):
        ask(40)


def test_a_request_without_a_recording_is_unavailable_and_named(tmp_path):
    web = RecordedWeb(folder_of(tmp_path))

    with pytest.raises(SourceUnavailable, match=r"GET https://x\.example/1.*no recording") as caught:
        web.fetch(Request("https://x.example/1"))

    assert str(tmp_path) in caught.value.message


def test_robots_that_were_not_recorded_are_missing(tmp_path):
    assert RecordedWeb(folder_of(tmp_path)).fetch(Request("https://x.example/robots.txt")).status == 404


@pytest.mark.parametrize("status", [301, 403, 404, 429, 500])
def test_a_recorded_failure_answers_as_such(tmp_path, status):
    web = RecordedWeb(folder_of(tmp_path, line("https://x.example/1", status=status, headers={"Retry-After": "9"})))

    answer = web.fetch(Request("https://x.example/1"))

    assert (answer.status, answer.headers) == (status, {"retry-after": "9"})


def test_a_file_that_the_index_names_but_is_not_there_is_unavailable(tmp_path):
    web = RecordedWeb(folder_of(tmp_path, line("https://x.example/1", "gone.json")))

    with pytest.raises(SourceUnavailable, match=r"gone\.json"):
        web.fetch(Request("https://x.example/1"))


@pytest.mark.parametrize(
    "bad",
    [
        "{",
        "[]",
        '{"method": "GET"}',
        json.dumps(line("https://x.example", status="200")),
        json.dumps(line("https://x.example", "../secret")),
        json.dumps(line("https://x.example", "/etc/passwd")),
        json.dumps(line("https://x.example:nan/")),
        json.dumps(line("https://x.example", json=[])),
    ],
)
def test_a_line_that_cannot_be_read_is_named_by_its_number(tmp_path, bad):
    folder = folder_of(tmp_path, line("https://x.example/1"), "", bad)

    with pytest.raises(ConfigurationError, match="line 3"):
        RecordedWeb(folder)


def test_a_folder_without_an_index_is_no_recorded_web(tmp_path):
    with pytest.raises(ConfigurationError, match="no recorded web"):
        open_web(f"recorded:{tmp_path}")


@pytest.mark.parametrize("mode", ["", "offline", "live:x", "recorded:", "record", "recorded"])
def test_a_mode_that_does_not_exist_is_said_so(mode):
    with pytest.raises(ConfigurationError, match="names no web"):
        open_web(mode)


def test_a_page_is_rendered_from_its_own_recording_or_else_as_it_was_fetched(tmp_path):
    web = RecordedWeb(
        folder_of(
            tmp_path,
            line("https://x.example/1"),
            line("https://x.example/1", "b.json", rendered=True),
            line("https://x.example/2"),
        )
    )

    assert web.fetch(Request("https://x.example/1")).text == '"a"'
    assert web.render("https://x.example/1").text == '"b"'
    assert web.render("https://x.example/2").text == '"a"'


def test_what_is_recorded_is_what_is_replayed(tmp_path, site, live):
    site.page("/old", status=302, Location="/jobs")
    site.page("/jobs", "höhe".encode("cp1252"), kind="text/html; charset=windows-1252")
    site.page("/busy", status=429)
    recording = RecordingWeb(live(), tmp_path / "kept")
    first = recording.fetch(Request(f"{site.url}/old"))
    recording.fetch(Request(f"{site.url}/jobs", method="POST", json={"offset": 20}, purpose=Purpose.BOARD_API))
    recording.fetch(Request(f"{site.url}/busy"))

    web = open_web(f"recorded:{tmp_path / 'kept'}")
    again = web.fetch(Request(f"{site.url}/old"))

    assert (again.url, again.status, again.text) == (first.url, 200, "höhe")
    assert web.fetch(Request(f"{site.url}/busy")).status == 429
    assert web.fetch(Request(f"{site.url}/jobs", method="POST", json={"offset": 20})).text == "höhe"
    with pytest.raises(SourceUnavailable):
        web.fetch(Request(f"{site.url}/jobs", method="POST", json={"offset": 0}))


def test_the_last_of_two_recordings_is_replayed(tmp_path, site, live):
    recording = RecordingWeb(live(), tmp_path)
    for body in ("one", "two"):
        site.page("/jobs", body)
        recording.fetch(Request(f"{site.url}/jobs"))

    assert RecordedWeb(tmp_path).fetch(Request(f"{site.url}/jobs")).text == "two"
    assert len((tmp_path / "index.jsonl").read_text().splitlines()) == 2


def test_a_recording_goes_on_where_a_killed_one_stopped(tmp_path, site, live):
    site.page("/jobs", "whole")
    folder_of(tmp_path, line("https://x.example/1"))
    with (tmp_path / "index.jsonl").open("a") as index:
        index.write('\n{"method": "GET", "url": "https://x.ex')

    RecordingWeb(live(), tmp_path).fetch(Request(f"{site.url}/jobs"))

    web = RecordedWeb(tmp_path)
    assert web.fetch(Request(f"{site.url}/jobs")).text == "whole"
    assert web.fetch(Request("https://x.example/1")).text == '"a"'


def test_every_recording_of_the_corpus_can_be_replayed(corpus):
    web = RecordedWeb(corpus)
    lines = [json.loads(x) for x in (corpus / "index.jsonl").read_text().splitlines()]

    answers = [web.fetch(Request(x["url"], method=x["method"], json=x.get("json"))) for x in lines]

    assert all(isinstance(answer, Response) and answer.body for answer in answers)
