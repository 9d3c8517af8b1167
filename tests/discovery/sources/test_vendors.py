"""Every vendor's response is read in full."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from jobctrl.discovery.model import BoardKind, Listing, LocationText, Source, StatedPay
from jobctrl.discovery.sources import adapter_for
from tests.discovery.sources.board_web import page

GREENHOUSE = Source(BoardKind.GREENHOUSE, "tidewell")
LEVER = Source(BoardKind.LEVER, "greenrow")
ASHBY = Source(BoardKind.ASHBY, "claywork")
WORKDAY = Source(BoardKind.WORKDAY, "clearglass.wd5.myworkdayjobs.com/clearglass/Careers")
SMART = Source(BoardKind.SMARTRECRUITERS, "Railhof")
WORKABLE = Source(BoardKind.WORKABLE, "brightloom")
RECRUITEE = Source(BoardKind.RECRUITEE, "crumbhouse")
PERSONIO = Source(BoardKind.PERSONIO, "uhrwerk.jobs.personio.de")
TEAMTAILOR = Source(BoardKind.TEAMTAILOR, "nordlykt.teamtailor.com")


def listings(source: Source, name: str) -> tuple[Listing, ...]:
    return adapter_for(source.kind).parse(page(name), source).listings


@pytest.mark.parametrize("kind", BoardKind)
def test_every_kind_of_board_has_its_adapter(kind):
    assert adapter_for(kind).kind is kind


def test_greenhouse_gives_offices_metadata_and_html_that_was_escaped():
    first, second = listings(GREENHOUSE, "greenhouse.json")

    assert (first.native_id, first.title, first.company) == ("4001", "Harbour Pilot Scheduler", "Tidewell")
    assert [place.field for place in first.locations] == [
        "location.name",
        "offices[0].name",
        "offices[0].location",
        "offices[1].name",
        "offices[1].location",
    ]
    assert (first.workplace_type, first.employment_type, first.department) == ("Hybrid", "Full-time", "Operations")
    assert (first.requisition_id, first.metadata["internal_job_id"]) == ("TW-17", "91")
    assert first.published == "2026-03-02T09:00:00-05:00"
    assert first.updated == "2026-03-09T23:30:00-05:00"
    assert first.closes == "2026-05-01T12:00:00-04:00"
    assert first.language == "en"
    assert first.description_html.startswith("<h2>What you do</h2>")
    assert "tugs &amp; pilots for ships &lt; 300 m" in first.description_html
    assert "Perks" not in first.metadata
    assert second.pay == (
        StatedPay(Decimal(32000), Decimal("41500.5"), "EUR", text="Annual base salary", field="pay_input_ranges[0]"),
    )


@pytest.mark.parametrize(
    ("name", "value", "pay"),
    [
        (
            "Annual Salary Range",
            {"unit": "SEK", "min_value": "410000.0", "max_value": "480000.0"},
            StatedPay(Decimal(410000), Decimal(480000), "SEK", "year", field="metadata.Annual Salary Range"),
        ),
        (
            "Hourly pay",
            {"unit": "SEK", "amount": "210.5"},
            StatedPay(Decimal("210.5"), Decimal("210.5"), "SEK", "hour", field="metadata.Hourly pay"),
        ),
        ("Compensation", "SEK 410k-480k", StatedPay(text="Compensation: SEK 410k-480k", field="metadata.Compensation")),
        ("Pay grade", "P4", None),
        ("Salary", "competitive", None),
        ("Team size", "12", None),
    ],
)
def test_greenhouse_gives_pay_of_fields_the_employer_added(name, value, pay):
    row = json.loads(page("greenhouse.json"))["jobs"][0] | {"metadata": [{"id": 1, "name": name, "value": value}]}
    (listing,) = adapter_for(BoardKind.GREENHOUSE).parse(json.dumps({"jobs": [row]}).encode(), GREENHOUSE).listings

    assert listing.pay == ((pay,) if pay else ())


def test_lever_gives_all_locations_its_lists_in_order_and_pay_with_its_words():
    first, second = listings(LEVER, "lever.json")

    assert first.title == "Orchard & Vine Agronomist"
    assert [place.text for place in first.locations] == ["Nelson, New Zealand", "Napier, New Zealand"]
    assert (first.country, first.workplace_type, first.employment_type) == ("NZ", "hybrid", "Part-time")
    assert (first.department, first.team, first.published) == ("Field", "Soil", "1767225600000")
    order = ["nine farms", "You will", "Walk the rows", "You bring", "Boots", "NZ$38", "answer within"]
    places = [first.description_html.index(words) for words in order]
    assert places == sorted(places)
    assert first.pay == (
        StatedPay(
            Decimal(38), Decimal(44), "NZD", "hour", text="Base pay of NZ$38 to NZ$44 per hour.", field="salaryRange"
        ),
    )
    assert second.pay == ()
    assert second.description_html is None
    assert second.description_text is None


def test_ashby_gives_secondary_locations_pay_tiers_and_leaves_unlisted_postings_out():
    board = adapter_for(BoardKind.ASHBY).parse(page("ashby.json"), ASHBY)
    first, last = board.listings

    assert first.locations == (
        LocationText("Toronto", "location", country="Canada", city="Toronto", region="Ontario"),
        LocationText("Remote (US)", "secondaryLocations[0].location", country="United States"),
    )
    assert (first.remote_flag, first.workplace_type, first.employment_type) == (True, "Hybrid", "FullTime")
    assert [(pay.low, pay.high, pay.currency, pay.period, pay.component) for pay in first.pay] == [
        (Decimal(70000), Decimal(95000), "CAD", "year", "base"),
        (Decimal(80000), Decimal(95000), "CAD", "year", "base"),
        (Decimal(70000), Decimal(85000), "CAD", "year", "base"),
    ]
    assert [(problem.index, problem.reason) for problem in board.problems] == [(1, "unlisted")]
    assert board.returned == 3
    assert last.pay == ()
    assert last.description_text == "Mix glazes."
    assert last.remote_flag is None


def test_workday_tells_two_postings_of_one_requisition_apart():
    first, again = listings(WORKDAY, "workday_list_0.json")

    assert (first.native_id, first.requisition_id) == ("R1001", "R1001")
    assert (again.native_id, again.requisition_id) == ("R1001-1", "R1001")
    assert first.url == "https://clearglass.wd5.myworkdayjobs.com/Careers/job/US-TX-Austin/Lens-Grinder_R1001"
    assert first.locations == (LocationText("US, TX, Austin", "locationsText"),)
    assert again.locations == ()
    assert (first.published, again.workplace_type) == ("Posted 30+ Days Ago", "Hybrid")


def test_workday_details_give_the_start_date_all_places_and_the_employer():
    detail = adapter_for(BoardKind.WORKDAY).parse_detail(page("workday_detail.json"), WORKDAY)

    assert [place.text for place in detail.locations] == ["US, TX, Austin", "US, TX, Remote"]
    assert (detail.published, detail.closes, detail.country) == ("2026-01-15", "2026-06-30", "US")
    assert (detail.company, detail.employment_type, detail.workplace_type) == (
        "Clearglass Optics",
        "Full time",
        "Hybrid",
    )
    assert detail.apply_url == detail.url + "/apply"


def test_smartrecruiters_gives_pay_of_custom_fields_and_leaves_internal_postings_out():
    board = adapter_for(BoardKind.SMARTRECRUITERS).parse(page("smartrecruiters_list.json"), SMART)
    (row,) = board.listings

    assert row.url == "https://jobs.smartrecruiters.com/Railhof/743000000000001"
    assert row.locations == (LocationText("Basel, BS, Switzerland", "location", "CH", "Basel", "BS"),)
    assert row.pay == (StatedPay(text="Salary Range: 62,000.00-74,000.00", field="customField[0]"),)
    assert (row.department, row.employment_type, row.language) == ("Operations", "Part-time", "de")
    assert [problem.reason for problem in board.problems] == ["unlisted"]


def test_smartrecruiters_details_give_sections_in_reading_order():
    detail = adapter_for(BoardKind.SMARTRECRUITERS).parse_detail(page("smartrecruiters_detail.json"), SMART)

    assert detail.description_html.index("Linie 6") < detail.description_html.index("Ruhe")
    assert detail.pay == (StatedPay(Decimal(38), Decimal(45), "CHF", "hour", field="compensation"),)
    assert (detail.workplace_type, detail.apply_url[-8:]) == ("hybrid", "oga=true")


def test_workable_is_read_in_both_its_shapes():
    (widget,) = listings(WORKABLE, "workable_widget.json")
    board = adapter_for(BoardKind.WORKABLE).parse(page("workable_list.json"), WORKABLE)
    (listed,) = board.listings

    assert [place.country for place in widget.locations] == ["PT", "ES"]
    assert (widget.company, widget.remote_flag, widget.requisition_id) == ("Brightloom", True, "W-1")
    assert (listed.native_id, listed.workplace_type, listed.employment_type) == (
        widget.native_id,
        "on_site",
        "Part-time",
    )
    assert listed.url == "https://apply.workable.com/brightloom/j/AB12CD34EF"
    assert [problem.reason for problem in board.problems] == ["unlisted"]
    assert board.unavailable == ("the board reports 3 postings and sent 2",)


def test_recruitee_gives_pay_as_numbers_and_leaves_closed_offers_out():
    board = adapter_for(BoardKind.RECRUITEE).parse(page("recruitee.json"), RECRUITEE)
    (offer,) = board.listings

    assert offer.pay == (StatedPay(Decimal("16.50"), Decimal(19), "EUR", "hour", field="salary"),)
    assert (offer.workplace_type, offer.employment_type) == ("on-site", "parttime")
    assert offer.description_html.index("Bake") < offer.description_html.index("Rise early")
    assert [problem.reason for problem in board.problems] == ["unlisted"]


def test_personio_gives_every_office_and_the_sections_of_the_text():
    board = adapter_for(BoardKind.PERSONIO).parse(page("personio.xml"), PERSONIO)
    (position,) = board.listings

    assert [place.text for place in position.locations] == ["Glashütte", "Dresden"]
    assert (position.company, position.employment_type) == ("Uhrwerk & Sohn GmbH", "part-time")
    assert position.url == "https://uhrwerk.jobs.personio.de/job/7001"
    assert "<h3>Ihre Aufgaben</h3>" in position.description_html
    assert [(problem.index, problem.reason) for problem in board.problems] == [(1, "missing_id")]


def test_teamtailor_is_read_in_both_its_shapes():
    (item,) = listings(TEAMTAILOR, "teamtailor.json")
    (entry,) = listings(TEAMTAILOR, "teamtailor.rss")

    assert item.native_id == entry.native_id == "3301"
    assert [place.city for place in item.locations] == ["Bodø", "Tromsø"]
    assert (item.remote_flag, item.closes, item.company) == (True, "2026-09-01", "Nordlykt AS")
    assert item.pay == (StatedPay(Decimal(45000), Decimal(52000), "NOK", "month", field="baseSalary"),)
    assert (entry.workplace_type, entry.department, entry.team) == ("hybrid", "Coast", "Keeper")
    assert entry.description_html == "<p>Keep the light.</p>"
