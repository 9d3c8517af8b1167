"""How boards are asked: statuses, politeness, pages and details."""

from __future__ import annotations

import json

import pytest

from jobctrl.discovery.locate import locate
from jobctrl.discovery.model import BoardKind, Source, SourceRefused
from jobctrl.discovery.sources import adapter_for
from jobctrl.discovery.sources.base import FAILURES_IN_A_ROW
from jobctrl.errors import InvalidRequest, NotFound, SourceUnavailable
from jobctrl.network.model import Politeness, Refused
from jobctrl.network.recorded import RecordedWeb
from tests.discovery.sources.board_web import BoardWeb, after, page

LEVER = Source(BoardKind.LEVER, "greenrow")
LEVER_URL = "GET https://api.lever.co/v0/postings/greenrow?mode=json"
ASHBY = Source(BoardKind.ASHBY, "claywork")
ASHBY_URL = "GET https://api.ashbyhq.com/posting-api/job-board/claywork"
WORKDAY = Source(BoardKind.WORKDAY, "clearglass.wd5.myworkdayjobs.com/clearglass/Careers")
CXS = "https://clearglass.wd5.myworkdayjobs.com/wday/cxs/clearglass/Careers"
SMART = Source(BoardKind.SMARTRECRUITERS, "Railhof")
SMART_URL = "https://api.smartrecruiters.com/v1/companies/Railhof/postings"
LIMITED = Refused("https://clearglass.wd5.myworkdayjobs.com", Politeness.RATE_LIMITED, "asked to wait", 900.0)


def read(source: Source, answers: dict, **options):
    return adapter_for(source.kind).list(source, BoardWeb(answers), **options)


def numbered(first: int, count: int, total: int | None = None) -> bytes:
    rows = [
        {"title": f"Post {n}", "externalPath": f"/job/Jena/Post-{n}_R{n}", "locationsText": "Jena", "bulletFields": []}
        for n in range(first, first + count)
    ]
    return json.dumps({"jobPostings": rows, "total": total}).encode()


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (404, NotFound),
        (410, NotFound),
        (400, InvalidRequest),
        (422, InvalidRequest),
        (401, SourceUnavailable),
        (403, SourceUnavailable),
        (429, SourceUnavailable),
        (500, SourceUnavailable),
        (503, SourceUnavailable),
        (304, SourceUnavailable),
    ],
)
def test_a_status_says_whether_asking_again_can_help(status, error):
    with pytest.raises(error, match=f"lever:greenrow.*{status}"):
        read(LEVER, {LEVER_URL: (status, b'{"ok": false}')})


def test_an_unknown_board_names_its_token_and_what_to_check():
    with pytest.raises(NotFound) as raised:
        read(LEVER, {LEVER_URL: (404, b"")})

    assert "'greenrow'" in raised.value.hint


def test_politeness_is_an_outcome_and_no_error():
    refused = Refused("https://api.lever.co", Politeness.RATE_LIMITED, "asked to wait", 900.0)

    assert read(LEVER, {LEVER_URL: refused}) == SourceRefused(LEVER.id, "rate_limited", "asked to wait", 900.0)


def test_the_poorer_question_is_asked_only_when_the_fuller_one_has_no_answer():
    board = read(ASHBY, {ASHBY_URL: page("ashby.json")})

    assert len(board.listings) == 2
    assert board.unavailable[0].startswith("the full list: nothing recorded")
    with pytest.raises(SourceUnavailable, match="429"):
        read(ASHBY, {ASHBY_URL: page("ashby.json"), f"{ASHBY_URL}?includeCompensation=true": (429, b"")})


def test_lever_keeps_european_sites_on_their_own_host():
    web = BoardWeb({"GET https://api.eu.lever.co/v0/postings/greenrow?mode=json": page("lever.json")})

    assert adapter_for(BoardKind.LEVER).list(Source(BoardKind.LEVER, "eu/greenrow"), web).returned == 2


def test_a_token_is_never_more_than_one_part_of_the_path():
    (request, _) = adapter_for(BoardKind.GREENHOUSE).requests(Source(BoardKind.GREENHOUSE, "../../x?y#z"))

    assert request.url == "https://boards-api.greenhouse.io/v1/boards/..%2F..%2Fx%3Fy%23z/jobs?content=true"


def test_pages_advance_by_rows_seen_and_a_total_of_zero_on_a_later_page_is_not_believed():
    answers = {
        f"POST {CXS}/jobs @0": page("workday_list_0.json"),
        f"POST {CXS}/jobs @2": page("workday_list_2.json"),
        f"GET {CXS}/job/US-TX-Austin/Lens-Grinder_R1001": page("workday_detail.json"),
    }

    board = read(WORKDAY, answers)

    assert [listing.native_id for listing in board.listings] == ["R1001", "R1001-1", "R1002"]
    assert board.reported_total == 3
    assert board.listings[0].published == "2026-01-15"
    assert "Grind lenses" in board.listings[0].description_html
    assert board.listings[0].native_id == "R1001"
    assert [reason.split(":")[0] for reason in board.unavailable] == ["detail of R1001-1", "detail of R1002"]


def test_a_page_that_cannot_be_had_is_named_and_the_rest_stands():
    board = read(WORKDAY, {f"POST {CXS}/jobs @0": numbered(0, 20, total=1025)}, wants_detail=lambda listing: False)

    assert board.returned == 20
    assert board.unavailable[0].startswith("postings from number 21: ")


@pytest.mark.parametrize("second", [LIMITED, (429, b""), (200, b"<html>"), SourceUnavailable("down")])
def test_a_later_page_that_fails_in_any_way_leaves_the_earlier_ones(second):
    answers = {f"POST {CXS}/jobs @0": numbered(0, 20, total=40), f"POST {CXS}/jobs @20": second}

    board = read(WORKDAY, answers, wants_detail=lambda listing: False)

    assert board.returned == 20
    assert board.unavailable[0].startswith("postings from number 21: ")


def test_without_a_total_the_list_ends_with_the_first_short_page():
    answers = {f"POST {CXS}/jobs @0": numbered(0, 20), f"POST {CXS}/jobs @20": numbered(20, 3)}

    board = read(WORKDAY, answers, wants_detail=lambda listing: False)

    assert board.returned == 23
    assert board.unavailable == ()


def test_a_board_that_sends_the_same_page_forever_is_left():
    answers = {f"POST {CXS}/jobs @{offset}": numbered(0, 20, total=500) for offset in range(0, 500, 20)}

    board = read(WORKDAY, answers, wants_detail=lambda listing: False)

    assert board.returned == 20
    assert "repeats an earlier page" in board.unavailable[0]


def test_at_most_twenty_five_pages_are_read():
    answers = {f"POST {CXS}/jobs @{offset}": numbered(offset, 20, total=2000) for offset in range(0, 2000, 20)}

    board = read(WORKDAY, answers, wants_detail=lambda listing: False)

    assert board.returned == 500
    assert board.reported_total == 2000
    assert "only the first 25 pages" in board.unavailable[0]


def test_details_stop_after_several_failures_in_a_row():
    web = BoardWeb({f"POST {CXS}/jobs @0": numbered(0, 20, total=20)})

    board = adapter_for(BoardKind.WORKDAY).list(WORKDAY, web)

    assert len(web.asked) == 1 + FAILURES_IN_A_ROW
    assert board.unavailable[-1] == f"details of 15 postings: {FAILURES_IN_A_ROW} details in a row failed"
    assert len(board.listings) == 20


def test_details_stop_when_the_host_asks_to_wait():
    answers = {f"POST {CXS}/jobs @0": numbered(0, 3, total=3), f"GET {CXS}/job/Jena/Post-0_R0": LIMITED}

    board = read(WORKDAY, answers)

    assert board.unavailable == ("details of 3 postings: rate_limited",)


def test_only_wanted_details_are_asked_for():
    web = BoardWeb(
        {f"{'GET'} {SMART_URL}?limit=100&offset=0": page("smartrecruiters_list.json"), f"GET {SMART_URL}": b""}
    )

    adapter_for(BoardKind.SMARTRECRUITERS).list(SMART, web, wants_detail=lambda listing: "Baker" in listing.title)

    assert len(web.asked) == 1


def test_a_detail_adds_to_the_listing_and_keeps_its_id():
    adapter = adapter_for(BoardKind.SMARTRECRUITERS)
    (row,) = adapter.parse(page("smartrecruiters_list.json"), SMART).listings
    web = BoardWeb({f"GET {SMART_URL}/743000000000001": page("smartrecruiters_detail.json")})

    full = adapter.detail(row, SMART, web)

    assert (full.native_id, full.url, full.department) == (row.native_id, row.url, "Operations")
    assert full.workplace_type == "hybrid"
    assert "Linie 6" in full.description_html


def test_cancelling_stops_between_requests_and_keeps_what_was_read():
    beats: list[int] = []
    answers = {f"POST {CXS}/jobs @{offset}": numbered(offset, 20, total=100) for offset in range(0, 100, 20)}

    board = read(WORKDAY, answers, heartbeat=lambda: beats.append(1), cancelled=after(2))

    assert board.returned == 40
    assert len(beats) == 2
    assert board.unavailable == ("postings from number 41: cancelled", "details of 40 postings: cancelled")


@pytest.mark.parametrize("token", ["clearglass", "clearglass.wd5.myworkdayjobs.com//Careers", "a/b/c/d"])
def test_an_incomplete_workday_token_says_what_a_whole_one_looks_like(token):
    with pytest.raises(InvalidRequest, match="host/tenant/site"):
        read(Source(BoardKind.WORKDAY, token), {})


def test_the_recorded_boards_of_the_corpus_are_read_and_every_row_is_counted(corpus):
    web = RecordedWeb(corpus)
    wanted = {BoardKind.GREENHOUSE, BoardKind.LEVER, BoardKind.ASHBY, BoardKind.WORKDAY}
    recorded = [json.loads(line) for line in (corpus / "index.jsonl").read_text().splitlines()]
    sources = {locate(line["url"]) for line in recorded if line["file"].partition("/")[0] in wanted}

    boards = {source: adapter_for(source.kind).list(source, web) for source in sources}

    assert {source.kind for source in sources} == wanted
    assert all(board.returned for board in boards.values())
    assert sum(board.returned for board in boards.values()) > 1_500
