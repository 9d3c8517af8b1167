"""What a person types names one board, or the answer says what would."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.discovery.locate import locate
from jobctrl.discovery.model import BoardKind
from jobctrl.errors import InvalidRequest


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("https://boards.greenhouse.io/tidewell", "greenhouse:tidewell"),
        ("https://job-boards.greenhouse.io/tidewell/jobs/4001?gh_src=x", "greenhouse:tidewell"),
        ("jobs.lever.co/greenrow", "lever:greenrow"),
        ("https://jobs.eu.lever.co/greenrow/0a1b2c3d-0000-4000-8000-000000000001", "lever:eu/greenrow"),
        ("https://jobs.ashbyhq.com/claywork", "ashby:claywork"),
        ("https://jobs.smartrecruiters.com/Railhof/743000000000001-tram-driver", "smartrecruiters:Railhof"),
        ("https://apply.workable.com/brightloom/j/AB12CD34EF/", "workable:brightloom"),
        ("https://crumbhouse.recruitee.com/o/night-baker", "recruitee:crumbhouse"),
        ("https://uhrwerk.jobs.personio.de/job/7001", "personio:uhrwerk.jobs.personio.de"),
        ("https://nordlykt.teamtailor.com/jobs/3301-x", "teamtailor:nordlykt.teamtailor.com"),
        (
            "https://clearglass.wd5.myworkdayjobs.com/en-US/Careers/job/Jena/Fitter_R1",
            "workday:clearglass.wd5.myworkdayjobs.com/clearglass/Careers",
        ),
        ("greenhouse:tidewell", "greenhouse:tidewell"),
        (" Lever: eu/greenrow ", "lever:eu/greenrow"),
        ("ashby:Kiln & Co", "ashby:Kiln & Co"),
        ("personio:uhrwerk", "personio:uhrwerk.jobs.personio.de"),
        ("teamtailor:jobs.nordlykt.example", "teamtailor:jobs.nordlykt.example"),
        (
            "workday:clearglass.wd5.myworkdayjobs.com/clearglass/Careers",
            "workday:clearglass.wd5.myworkdayjobs.com/clearglass/Careers",
        ),
    ],
)
def test_addresses_and_tokens_name_their_board(text, source):
    assert locate(text).id == source


@pytest.mark.parametrize(
    "text",
    [
        "",
        "acme",
        "https://example.com/careers",
        "monster:acme",
        "greenhouse:",
        "greenhouse:../etc",
        "workday:acme",
        "lever:a/b",
        "teamtailor:host/with/path",
        "ftp://boards.example",
    ],
)
def test_what_names_no_board_is_refused_with_the_known_kinds_and_an_example(text):
    with pytest.raises(InvalidRequest) as raised:
        locate(text)

    assert all(kind.value in raised.value.message for kind in BoardKind)
    assert "https://boards.greenhouse.io/acme" in raised.value.hint


@given(
    st.text(max_size=40)
    | st.sampled_from(list(BoardKind)).flatmap(lambda kind: st.text(max_size=20).map(f"{kind.value}:{{}}".format))
)
def test_any_text_gives_a_source_or_a_clear_refusal(text):
    try:
        source = locate(text)
    except InvalidRequest:
        return
    assert locate(str(source.id)) == source
