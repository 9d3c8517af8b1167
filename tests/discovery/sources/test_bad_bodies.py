"""What is no board, or no posting, is said clearly, and costs nothing else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.discovery.model import BoardKind, BoardListing, Source
from jobctrl.discovery.sources import adapter_for
from jobctrl.errors import SourceUnavailable
from tests.discovery.sources.board_web import page

PAGE_OF = {
    BoardKind.GREENHOUSE: "greenhouse.json",
    BoardKind.LEVER: "lever.json",
    BoardKind.ASHBY: "ashby.json",
    BoardKind.WORKDAY: "workday_list_0.json",
    BoardKind.SMARTRECRUITERS: "smartrecruiters_list.json",
    BoardKind.WORKABLE: "workable_widget.json",
    BoardKind.RECRUITEE: "recruitee.json",
    BoardKind.PERSONIO: "personio.xml",
    BoardKind.TEAMTAILOR: "teamtailor.json",
}
JSON_KINDS = [kind for kind in BoardKind if kind is not BoardKind.PERSONIO]
LIST_OF = {
    BoardKind.GREENHOUSE: "jobs",
    BoardKind.ASHBY: "jobs",
    BoardKind.WORKDAY: "jobPostings",
    BoardKind.SMARTRECRUITERS: "content",
    BoardKind.WORKABLE: "jobs",
    BoardKind.RECRUITEE: "offers",
    BoardKind.TEAMTAILOR: "items",
}


def source_of(kind: BoardKind) -> Source:
    return Source(kind, "acme.wd5.myworkdayjobs.com/acme/Jobs" if kind is BoardKind.WORKDAY else "acme")


def parse(kind: BoardKind, body: bytes) -> BoardListing:
    return adapter_for(kind).parse(body, source_of(kind))


def rows_of(kind: BoardKind) -> list:
    content = json.loads(page(PAGE_OF[kind]))
    return content[LIST_OF[kind]] if kind in LIST_OF else content


def body_of(kind: BoardKind, rows: list) -> bytes:
    return json.dumps({LIST_OF[kind]: rows} if kind in LIST_OF else rows).encode()


@pytest.mark.parametrize("kind", BoardKind)
@pytest.mark.parametrize(
    ("body", "came"),
    [
        (b"<!doctype html><html><body>Checking your browser</body></html>", "got a"),
        (b"", "an empty body"),
        (b"\xff\xfe\x00 nothing", "got"),
        (b"[" * 100_000, "got"),
        (b'{"error": "gone", "code": 7}', "got"),
        (b"7", "got"),
        (b"null", "got"),
    ],
)
def test_a_body_that_is_no_board_names_the_source_what_was_expected_and_what_came(kind, body, came):
    with pytest.raises(SourceUnavailable, match=came) as raised:
        parse(kind, body)

    assert raised.value.message.startswith(f"{kind.value}:")
    assert "expected" in raised.value.message
    assert raised.value.hint


@pytest.mark.parametrize("kind", BoardKind)
def test_a_body_that_breaks_off_is_said_to(kind):
    whole = page(PAGE_OF[kind])

    with pytest.raises(SourceUnavailable):
        parse(kind, whole[: len(whole) * 2 // 3])


@pytest.mark.parametrize("kind", BoardKind)
@pytest.mark.parametrize("other", BoardKind)
def test_another_vendors_answer_is_never_read_as_ones_own(kind, other):
    if kind is other:
        assert parse(kind, page(PAGE_OF[kind])).listings
        return

    with pytest.raises(SourceUnavailable):
        parse(kind, page(PAGE_OF[other]))


@pytest.mark.parametrize("kind", LIST_OF)
def test_a_renamed_list_is_named_in_the_error(kind):
    body = json.dumps({"records": rows_of(kind)}).encode()

    with pytest.raises(SourceUnavailable, match=f"`{LIST_OF[kind]}`.*'records'"):
        parse(kind, body)


@pytest.mark.parametrize("kind", JSON_KINDS)
def test_an_empty_list_is_an_empty_board(kind):
    assert parse(kind, body_of(kind, [])) == BoardListing(())


def test_an_empty_feed_is_an_empty_board():
    assert parse(BoardKind.PERSONIO, b"<workzag-jobs></workzag-jobs>") == BoardListing(())


@pytest.mark.parametrize("kind", JSON_KINDS)
@pytest.mark.parametrize("odd", [None, 7, "text", ["a"], {}, {"id": {"deep": 1}, "title": ["x"]}])
def test_one_odd_row_never_costs_the_rest(kind, odd):
    rows = rows_of(kind)
    good = parse(kind, body_of(kind, rows))

    board = parse(kind, body_of(kind, [odd, *rows]))

    assert len(board.listings) == len(good.listings)
    assert board.returned == len(rows) + 1
    assert board.problems[0].index == 0


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"id": None}, "missing_id"),
        ({"title": "  "}, "missing_title"),
        ({"title": None}, "missing_title"),
        ({"absolute_url": None}, "missing_url"),
        ({"absolute_url": "javascript:alert(1)"}, "missing_url"),
    ],
)
def test_a_posting_without_id_title_or_address_is_a_problem_with_that_reason(change, reason):
    first, second = rows_of(BoardKind.GREENHOUSE)

    board = parse(BoardKind.GREENHOUSE, body_of(BoardKind.GREENHOUSE, [first | change, second]))

    assert [problem.reason for problem in board.problems] == [reason]
    assert len(board.listings) == 1


def test_a_field_of_an_odd_shape_is_left_out_and_named_while_the_posting_stays():
    first, second = rows_of(BoardKind.GREENHOUSE)
    odd = first | {"location": "Rotterdam", "metadata": {"unexpected": True}}

    board = parse(BoardKind.GREENHOUSE, body_of(BoardKind.GREENHOUSE, [odd, second]))

    assert board.listings[0].unread == ("location", "metadata")
    assert board.listings[0].title == "Harbour Pilot Scheduler"
    assert board.listings[1].unread == ()


def test_half_of_a_character_does_not_cost_the_board():
    body = page("ashby.json").replace(b"Fire pots.", b"Fire \\ud83d pots.")

    assert "Fire \N{REPLACEMENT CHARACTER} pots." in parse(BoardKind.ASHBY, body).listings[0].description_html


def test_a_board_of_nothing_but_drafts_is_still_that_vendors_board():
    drafts = [row | {"isListed": False} for row in rows_of(BoardKind.ASHBY)]

    board = parse(BoardKind.ASHBY, body_of(BoardKind.ASHBY, drafts))

    assert board.listings == ()
    assert {problem.reason for problem in board.problems} == {"unlisted"}


@pytest.mark.parametrize(
    "body",
    [
        b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><workzag-jobs>&a;</workzag-jobs>',
        '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE x SYSTEM "file:///etc/hosts"><workzag-jobs/>'.encode(
            "utf-16"
        ),
    ],
)
@pytest.mark.parametrize("kind", [BoardKind.PERSONIO, BoardKind.TEAMTAILOR])
def test_xml_that_declares_entities_is_not_read(kind, body):
    with pytest.raises(SourceUnavailable):
        parse(kind, body)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-10, 10**12) | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("kind", JSON_KINDS)
@given(data=st.data())
def test_whatever_stands_in_a_row_the_row_is_counted_once_and_nothing_is_raised(kind, data):
    good = rows_of(kind)[0]
    field = data.draw(st.sampled_from(sorted(good)))
    changed = good | {field: data.draw(_VALUES)}

    board = parse(kind, body_of(kind, [good, changed]))

    assert board.returned == 2


@pytest.mark.parametrize("kind", BoardKind)
@given(body=st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_bytes_give_a_board_or_a_clear_error(kind, body):
    try:
        board = parse(kind, body)
    except SourceUnavailable:
        return
    assert board.listings == ()
