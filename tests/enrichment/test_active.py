from __future__ import annotations

from datetime import UTC, datetime

import pytest
from selectolax.lexbor import LexborHTMLParser

from jobctrl.enrichment.active import blocked, closing_notice, elsewhere
from jobctrl.enrichment.cascade import read_page
from jobctrl.enrichment.main_part import main_part
from jobctrl.enrichment.model import ActiveState, Openness, PageKind, Verification
from jobctrl.network.model import Response

NOW = datetime(2026, 8, 25, 12, tzinfo=UTC)
URL = "https://jobs.example.com/jobs/77"
BODY = "<p>" + "We keep four hundred greenhouses warm and want a person who reads their meters well. " * 4 + "</p>"


def notice(html: str) -> str | None:
    main = main_part(LexborHTMLParser(f"<body>{html}</body>"))
    assert main is not None
    said = closing_notice(main)
    return said.text if said else None


@pytest.mark.parametrize(
    "words",
    [
        "No longer accepting applications",
        "This job has expired on our site",
        "Sorry, this position has been filled.",
        "The job you are looking for is no longer open.",
        "This job is no longer available.",
        "The job posting you are looking for has expired.",
        "This vacancy is now closed",
        "This job is no longer advertised",
        "We’re not accepting applications at the moment",
        "Job not found",
        "The page you are looking for doesn't exist.",
        "Diese Stelle ist leider nicht mehr verfügbar.",
        "Die Stellenanzeige ist abgelaufen",
        "Diese Position wurde bereits besetzt, ist nicht mehr vakant",
        "L’offre n’est plus en ligne",
        "Cette annonce a expiré",
        "Ce poste est pourvu",
        "Esta oferta ya no está disponible",
        "Oferta cerrada",
        "Esta vaga não está mais disponível",
        "Inscrições encerradas",
        "Questa offerta non è più disponibile",
        "Deze vacature is gesloten",
        "Ta oferta pracy wygasła",
        "Pracodawca zakończył zbieranie zgłoszeń",
        "Annonsen är inte längre tillgänglig",
        "Stillingen er ikke lenger ledig",
        "Hakuaika on päättynyt",
        "Tato pozice již byla obsazena",
        "Ez az állás már nem elérhető",
        "Вакансия в архиве",
        "Bu ilan yayından kaldırılmıştır",
        "Tin tuyển dụng đã hết hạn",
        "该职位已下线",
        "この求人は募集を終了しました",
        "掲載が終了した求人です",
        "이 채용공고는 마감되었습니다",
    ],
)
def test_a_closing_notice_is_heard_in_many_languages(words):
    assert notice(f"<h1>Grower</h1><div>{words}</div>{BODY}") == words


@pytest.mark.parametrize(
    "words",
    [
        "We review applications until the position is filled.",
        "If this job is no longer available, have a look at our other openings.",
        "Once the position has been filled, all data are deleted.",
        "We are not accepting applications from agencies for this role.",
        "This position is not open to visa sponsorship.",
        "This role is not available in California.",
        "Applications close on 30 September.",
        "Wir melden uns, sobald die Stelle besetzt ist, spätestens wenn die Stelle vergeben wurde.",
        "A vaga não está limitada a Lisboa.",
        "Jobbet pågår inte längre än sex månader.",
        "Công việc không còn nhàm chán.",
        "Closed",
        "Our shops are closed on Sundays.",
        "You will find closed valves and expired permits, and report them.",
        "Kreatív csapat, ahol a munka nem áll meg",
        "Le poste est à pourvoir dès que possible.",
        "職務内容は変更される場合があります。",
    ],
)
def test_words_that_only_look_like_a_notice_close_nothing(words):
    assert notice(f"<h1>Grower</h1><div>{words}</div>{BODY}") is None


@pytest.mark.parametrize(
    "html",
    [
        "<div hidden>This job has expired</div>",
        "<div style='display:none'>This job has expired</div>",
        "<script>var a = 'This job has expired'</script>",
        "<template><p>This job has expired</p></template>",
        "<footer>This job has expired</footer>",
        "<section><h2>Similar jobs</h2><ul><li>Baker <b>This job has expired</b></li></ul></section>",
        "<h3>Weitere Stellen</h3><p>Diese Stelle ist nicht mehr verfügbar</p>",
        "<div class='related-jobs'><p>This job has expired</p></div>",
    ],
)
def test_only_the_visible_main_part_is_heard(html):
    assert notice(f"<h1>Grower</h1>{BODY}{html}") is None


@pytest.mark.parametrize("status", [401, 403, 408, 429, 500, 502, 503, 504])
def test_a_refusal_or_an_error_is_never_a_closure(status):
    page = Response(URL, status, "text/html", b"<h1>This job is no longer available</h1>")

    reading = read_page(page, url=URL, now=NOW)

    assert (reading.active.state, reading.active.state.openness) == (ActiveState.UNKNOWN, Openness.UNSURE)
    assert str(status) in reading.active.reason


@pytest.mark.parametrize("status", [404, 410])
def test_a_missing_page_is_a_removed_posting(status):
    reading = read_page(Response(URL, status, "text/html", b""), url=URL, now=NOW)

    assert reading.active.state is ActiveState.REMOVED
    assert reading.active.verification is Verification.HTTP_STATUS


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Just a moment...", "Enable JavaScript and cookies to continue"),
        ("Access denied", "Error code 1020"),
        ("", "Please verify you are a human"),
        ("Attention Required!", "Sorry, you have been blocked"),
        ("Odmowa dostępu", ""),
        ("", "Pardon Our Interruption"),
    ],
)
def test_a_wall_is_seen_behind_a_good_status(title, text):
    assert blocked(200, title, text, "")


def test_a_long_page_that_mentions_a_captcha_is_no_wall():
    assert not blocked(200, "Engineer", "You will build our captcha. " + "And much more beside it. " * 100, "")


def test_a_redirect_to_another_posting_says_nothing_about_this_one():
    one, other = "https://boards.greenhouse.io/acme/jobs/4000001", "https://boards.greenhouse.io/acme/jobs/4000002"

    assert "another posting" in elsewhere(one, other)
    assert elsewhere(one, one + "?gh_src=x") == ""


def test_a_board_that_says_above_its_list_that_the_posting_is_gone_closes_it():
    cards = "".join(
        f"<li><h3 class='job-title'><a href='/{i}'>Grower {i}</a></h3><p>Position filled</p></li>" for i in range(3)
    )
    asked, board = "https://boards.greenhouse.io/acme/jobs/4000001", "https://boards.greenhouse.io/acme?error=true"
    said = f"<p class='flash'>The job you are looking for is no longer open.</p><ul>{cards}</ul>"

    closed = read_page(Response(board, 200, "text/html", said.encode()), url=asked, now=NOW)
    silent = read_page(Response(board, 200, "text/html", f"<ul>{cards}</ul>".encode()), url=asked, now=NOW)

    assert closed.active.state is ActiveState.CLOSED
    assert (silent.active.state, silent.kind) == (ActiveState.UNKNOWN, PageKind.LISTING)


def test_a_day_of_the_deadline_is_over_when_it_is_over_everywhere():
    def state(moment: datetime) -> ActiveState:
        html = (
            f"<h1>Grower</h1><dl><dt>Closing date</dt><dd>2026-08-24</dd></dl><div class=job-description>{BODY}</div>"
        )
        return read_page(html, url=URL, now=moment).active.state

    assert state(datetime(2026, 8, 25, 11, tzinfo=UTC)) is ActiveState.ACTIVE
    assert state(datetime(2026, 8, 25, 13, tzinfo=UTC)) is ActiveState.EXPIRED


def test_a_place_that_does_not_suit_says_nothing_about_the_posting_being_open():
    assert ActiveState.LOCATION_INCOMPATIBLE.openness is Openness.UNSURE
