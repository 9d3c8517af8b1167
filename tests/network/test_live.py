from __future__ import annotations

import socket
import threading
import time as wall
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler

import pytest

from jobctrl.errors import SourceUnavailable, TransientNetwork, UnsafeUrl
from jobctrl.network.model import Politeness, Purpose, Refused, Request, Response, WebSettings
from jobctrl.network.pacing import Pacer

QUICK = WebSettings(timeout_seconds=0.5)


def test_an_answer_carries_status_type_and_text_whatever_the_status(site, live):
    site.page("/job", "<p>gone", status=410, kind="text/html; charset=utf-8")

    answer = live().fetch(Request(f"{site.url}/job"))

    assert isinstance(answer, Response)
    assert (answer.status, answer.text, answer.content_type) == (410, "<p>gone", "text/html; charset=utf-8")


def test_it_says_who_it_is(site, live):
    site.page("/job")

    live(WebSettings(version="3.2", contact="mail@example.org")).fetch(Request(f"{site.url}/job"))

    assert {h["user-agent"] for h in site.headers} == {"JobCtrl/3.2 (+mail@example.org)"}


def test_json_is_posted_and_the_query_is_kept(site, live):
    bodies = []

    def answer(request: BaseHTTPRequestHandler) -> None:
        bodies.append(request.headers["content-type"])
        request.send_response(200)
        request.send_header("Content-Length", "2")
        request.end_headers()
        request.wfile.write(b"{}")

    site.pages["/jobs"] = answer
    live().fetch(Request(f"{site.url}/jobs?a=1&a=2", method="POST", json={"offset": 0}, purpose=Purpose.BOARD_API))

    assert site.asked == ["/jobs?a=1&a=2"]
    assert bodies == ["application/json"]


def test_redirects_are_followed_and_the_final_address_is_told(site, live):
    site.page("/old", status=301, Location="/new")
    site.page("/new", "here")

    answer = live().fetch(Request(f"{site.url}/old"))

    assert (answer.url, answer.text) == (f"{site.url}/new", "here")


@pytest.mark.parametrize(
    "target", ["http://192.168.1.4/x", "http://169.254.169.254/latest", "ftp://example.com/", "http://[::1]/"]
)
def test_a_redirect_to_a_private_address_is_not_followed(site, live, target):
    site.page("/old", status=301, Location=target)

    with pytest.raises(UnsafeUrl):
        live().fetch(Request(f"{site.url}/old"))


def test_a_loop_of_redirects_ends(site, live):
    site.page("/a", status=302, Location="/a")

    with pytest.raises(SourceUnavailable, match="more than 5 redirects"):
        live().fetch(Request(f"{site.url}/a"))

    assert site.asked.count("/a") == 6


def test_a_name_that_resolves_to_a_private_address_is_refused_at_the_connection(site, live):
    port = int(site.url.rpartition(":")[2])
    web = live(allow=(), resolver=lambda host, port: ["93.184.216.34", "127.0.0.1"])

    with pytest.raises(UnsafeUrl, match="not a public address"):
        web.fetch(Request(f"http://jobs.example.com:{port}/", purpose=Purpose.BOARD_API))

    assert site.asked == []


def test_the_checked_address_is_the_one_connected_to(site, live):
    port = int(site.url.rpartition(":")[2])
    site.page("/x", "reached")
    web = live(allow=("jobs.example.com",), resolver=lambda host, port: ["127.0.0.1"])

    answer = web.fetch(Request(f"http://jobs.example.com:{port}/x", purpose=Purpose.BOARD_API))

    assert answer.text == "reached"
    assert site.headers[-1]["host"] == f"jobs.example.com:{port}"


def test_an_answer_over_the_cap_is_unavailable_and_not_read_to_its_end(site, live):
    sent = []

    def endless(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Length", str(64 * 1024 * 1024))
        request.end_headers()
        for _ in range(64):
            request.wfile.write(b" " * 1024 * 1024)
            sent.append(1)

    site.pages["/big"] = endless

    with pytest.raises(SourceUnavailable, match="larger than 2,000,000 bytes"):
        live().fetch(Request(f"{site.url}/big"))
    assert len(sent) < 64
    with pytest.raises(SourceUnavailable, match="larger than 32,000,000 bytes"):
        live().fetch(Request(f"{site.url}/big", purpose=Purpose.BOARD_API))


def test_a_board_may_be_larger_than_a_page(site, live):
    site.page("/board", b" " * 4_000_000)

    assert len(live().fetch(Request(f"{site.url}/board", purpose=Purpose.BOARD_API)).body) == 4_000_000


def test_a_body_that_never_comes_is_a_transient_failure(site, live):
    over = threading.Event()

    def silent(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Length", "10")
        request.end_headers()
        over.wait(5)

    site.pages["/slow"] = silent
    with pytest.raises(TransientNetwork, match="no answer in time"):
        live(QUICK).fetch(Request(f"{site.url}/slow"))
    over.set()


def test_a_body_that_drips_is_ended(site, live, time):
    def drip(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Length", "1000")
        request.end_headers()
        for _ in range(1000):
            request.wfile.write(b".")
            request.wfile.flush()
            time.now += 1
            wall.sleep(0.001)

    site.pages["/drip"] = drip
    with pytest.raises(TransientNetwork, match="did not end"):
        live(WebSettings(timeout_seconds=5)).fetch(Request(f"{site.url}/drip"))


def test_a_closed_port_is_a_transient_failure(live):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]

    with pytest.raises(TransientNetwork, match=f"127.0.0.1:{port}"):
        live().fetch(Request(f"http://127.0.0.1:{port}/"))


def test_the_declared_charset_does_not_hide_the_real_one(site, live):
    site.page("/job", "<p>Lisboa é aqui".encode(), kind="text/html; charset=ISO-8859-1")

    assert live().fetch(Request(f"{site.url}/job")).text == "<p>Lisboa é aqui"


def test_two_requests_to_one_host_are_a_second_apart(site, live, time):
    site.page("/a")
    web = live()

    for _ in range(3):
        web.fetch(Request(f"{site.url}/a"))

    assert time.slept == [1.0, 1.0]


def test_a_host_is_asked_by_one_thread_at_a_time(site, live):
    together, most = 0, 0
    lock = threading.Lock()

    def answer(request: BaseHTTPRequestHandler) -> None:
        nonlocal together, most
        with lock:
            together += 1
            most = max(most, together)
        wall.sleep(0.02)
        with lock:
            together -= 1
        request.send_response(204)
        request.end_headers()

    site.pages["/a"] = answer
    web = live(WebSettings(interval_seconds=0))
    threads = [threading.Thread(target=web.fetch, args=(Request(f"{site.url}/a"),)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert most == 1
    assert site.asked.count("/a") == 6


def test_retry_after_is_waited_for_and_the_request_made_again(site, live, time):
    site.page("/a", status=429, Retry_After="120")
    web = live()

    answer = web.fetch(Request(f"{site.url}/a"))

    assert answer.status == 429
    assert site.asked.count("/a") == 2
    assert time.slept == [120.0]


def test_a_retry_after_that_is_a_date_is_understood(site, live, time):
    site.page("/a", status=503, Retry_After="Fri, 01 May 2026 12:01:30 GMT")
    web = live(now=lambda: datetime(2026, 5, 1, 12, 0, tzinfo=UTC))

    web.fetch(Request(f"{site.url}/a"))

    assert time.slept == [90.0]


def test_a_longer_retry_after_puts_the_host_aside_for_this_run_alone(site, live, time):
    site.page("/a", status=429, Retry_After="3600")
    site.page("/b", "fine")
    first, second = live(), live()

    answer = first.fetch(Request(f"{site.url}/a"))

    assert isinstance(answer, Refused)
    assert (answer.reason, answer.retry_after) == (Politeness.RATE_LIMITED, 3600.0)
    assert first.fetch(Request(f"{site.url}/b")).reason is Politeness.RATE_LIMITED
    assert second.fetch(Request(f"{site.url}/b")).text == "fine"
    assert site.asked.count("/b") == 1


def test_two_runs_of_one_process_keep_one_pace(site, live, time):
    site.page("/a")
    pacer = Pacer(concurrency=1, clock=time, sleep=time.sleep)

    live(pacer=pacer).fetch(Request(f"{site.url}/a"))
    live(pacer=pacer).fetch(Request(f"{site.url}/a"))

    assert time.slept == [1.0]


def test_a_429_without_a_pause_is_an_answer(site, live, time):
    site.page("/a", status=429)

    assert live().fetch(Request(f"{site.url}/a")).status == 429
    assert site.asked.count("/a") == 1


def test_a_run_makes_no_more_requests_than_its_budget(site, live):
    site.page("/a")
    web = live(WebSettings(run_requests=2))
    for _ in range(2):
        assert isinstance(web.fetch(Request(f"{site.url}/a")), Response)

    refused = web.fetch(Request(f"{site.url}/a"))

    assert refused.reason is Politeness.BUDGET_EXHAUSTED
    assert "2 requests" in refused.detail


def test_robots_are_obeyed_for_pages_and_asked_once(site, live):
    site.page("/robots.txt", "User-agent: *\nDisallow: /private\nAllow: /private/jobs$", kind="text/plain")
    site.page("/open")
    site.page("/private/jobs", "job")
    web = live()

    refused = web.fetch(Request(f"{site.url}/private/a"))

    assert (refused.reason, "/private/a" in site.asked) == (Politeness.ROBOTS_DISALLOWED, False)
    assert web.fetch(Request(f"{site.url}/open")).status == 200
    assert web.fetch(Request(f"{site.url}/private/jobs")).text == "job"
    assert site.asked.count("/robots.txt") == 1


def test_robots_apply_again_where_a_redirect_leads(site, live):
    site.page("/robots.txt", "User-agent: *\nDisallow: /private", kind="text/plain")
    site.page("/old", status=302, Location="/private")

    assert live().fetch(Request(f"{site.url}/old")).reason is Politeness.ROBOTS_DISALLOWED


def test_rules_for_this_agent_win_over_the_general_ones(site, live):
    site.page("/robots.txt", "User-agent: *\nAllow: /\n\nUser-agent: jobctrl\nDisallow: /", kind="text/plain")

    assert live().fetch(Request(f"{site.url}/a")).reason is Politeness.ROBOTS_DISALLOWED


def test_a_board_interface_is_exempt_from_robots(site, live):
    site.page("/robots.txt", "User-agent: *\nDisallow: /", kind="text/plain")
    site.page("/v1/jobs", "{}")

    assert live().fetch(Request(f"{site.url}/v1/jobs", purpose=Purpose.BOARD_API)).text == "{}"
    assert "/robots.txt" not in site.asked


def test_a_crawl_delay_slows_the_pace(site, live, time):
    site.page("/robots.txt", "User-agent: *\nCrawl-delay: 7", kind="text/plain")
    site.page("/a")
    web = live()
    web.fetch(Request(f"{site.url}/a"))
    web.fetch(Request(f"{site.url}/a"))

    assert time.slept == [7.0]


def test_robots_that_cannot_be_read_forbid_for_five_minutes(site, live, time):
    site.page("/robots.txt", status=500)
    site.page("/a")
    web = live()

    assert web.fetch(Request(f"{site.url}/a")).reason is Politeness.ROBOTS_DISALLOWED
    site.page("/robots.txt", "")
    time.now += 299
    assert web.fetch(Request(f"{site.url}/a")).reason is Politeness.ROBOTS_DISALLOWED
    time.now += 2
    assert web.fetch(Request(f"{site.url}/a")).status == 200


def test_a_missing_robots_file_allows(site, live):
    site.page("/a")

    assert live().fetch(Request(f"{site.url}/a")).status == 200


def test_a_host_without_an_address_is_not_called_disallowed(live):
    def none(host: str, port: int) -> list[str]:
        raise socket.gaierror(-2, "Name or service not known")

    with pytest.raises(TransientNetwork, match="has no address"):
        live(resolver=none).fetch(Request("https://jobs.example.com/1"))


@pytest.mark.parametrize("host", ["a" * 70 + ".example.com", "x..example.com", "-.example.com"])
def test_a_host_that_is_no_name_is_a_failure_with_its_address(live, host):
    with pytest.raises((TransientNetwork, UnsafeUrl), match=host[:5]):
        live().fetch(Request(f"https://{host}/1", purpose=Purpose.BOARD_API))


def test_no_cookie_outlives_its_request(site, live):
    site.page("/a", Set_Cookie="seen=1")
    web = live()
    web.fetch(Request(f"{site.url}/a"))
    web.fetch(Request(f"{site.url}/a"))

    assert not any("cookie" in headers for headers in site.headers)
