"""What names a listing, before anything else of it is read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.discovery.intake import employer_behind, name_all, read_one
from jobctrl.discovery.locate import locate
from jobctrl.discovery.model import BoardKind, Listing, NamedListing, Source
from tests.runtime.searching import BOARD, NOW, OTHER_BOARD, listing


def named(row: Listing, source: Source = BOARD) -> NamedListing:
    [only] = name_all([row], source)
    return only


def test_the_address_of_the_board_itself_names_the_posting() -> None:
    ours, theirs = listing(1), listing(1, url="https://boards.greenhouse.io/northmill/jobs/1?utm_source=feed")

    assert named(ours).identity_key == named(theirs).identity_key
    assert named(ours).identity_key != named(listing(2)).identity_key


@pytest.mark.parametrize("url", ["https://careers.northmill.example/jobs/1", "https://jobs.lever.co/northmill/1", "x"])
def test_an_address_of_another_system_does_not(url: str) -> None:
    assert named(listing(1, url=url)).identity_key == f"{BOARD.id}:1"


def test_an_address_that_holds_another_id_does_not() -> None:
    both = [named(listing(number, url="https://boards.greenhouse.io/northmill/jobs/9")) for number in (1, 2)]

    assert both[0].identity_key != both[1].identity_key


def test_rows_that_repeat_an_id_are_numbered() -> None:
    rows = list(name_all([listing(1), listing(2), listing(1), listing(1)], BOARD))

    assert [row.item_key for row in rows] == ["1", "2", "1#2", "1#3"]
    assert [row.is_repeat for row in rows] == [False, False, True, True]


@pytest.mark.parametrize(
    ("changes", "is_news"),
    [
        ({}, False),
        ({"updated": "2026-03-08"}, False),
        ({"title": "Welder"}, True),
        ({"description_text": "Other words."}, True),
        ({"published": "2026-03-08"}, True),
    ],
)
def test_a_row_that_says_the_same_has_the_same_digest(changes: dict[str, str], is_news: bool) -> None:
    assert (named(listing(1)).digest != named(listing(1, **changes)).digest) is is_news


@given(st.text(min_size=1, max_size=8), st.text(max_size=20), st.text(max_size=20), st.text(max_size=60))
def test_any_listing_can_be_named_read_and_written(native_id: str, title: str, url: str, text: str) -> None:
    odd = replace(listing(1), native_id=native_id, title=f"{title}\ud800", url=url, description_text=text)

    row = named(odd, OTHER_BOARD)
    read = read_one(row, OTHER_BOARD, now=NOW)

    assert row.identity_key
    assert (read.identity_key, read.item_key) == (row.identity_key, row.item_key)
    assert read.listing.title.encode()
    assert read.fingerprint != ""


@pytest.mark.parametrize(
    ("source", "employer"),
    [
        (Source(BoardKind.LEVER, "northmill"), "Northmill"),
        (Source(BoardKind.LEVER, "eu/north-mill"), "North Mill"),
        (Source(BoardKind.SMARTRECRUITERS, "NorthMill"), "NorthMill"),
        (Source(BoardKind.GREENHOUSE, "nm", display_name="North & Mill"), "North & Mill"),
        (locate("https://mill.wd3.myworkdayjobs.com/en-US/Careers"), "Mill"),
    ],
)
def test_a_board_that_names_no_employer_is_its_employers(source: Source, employer: str) -> None:
    assert employer_behind(source) == employer
    assert named(listing(1, company=None), source).listing.company == employer
