from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.errors import UnsafeUrl
from jobctrl.network.safety import Guard


@pytest.mark.parametrize(
    "url",
    [
        "https://jobs.example.com/1",
        "http://example.org:8080/x?y=1#z",
        "https://93.184.216.34/",
        "https://[2606:2800:220:1:248:1893:25c8:1946]/",
        "https://xn--bcher-kva.example/",
    ],
)
def test_public_addresses_pass(url):
    Guard().check(url)


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://user:secret@example.com/",
        "https://user@example.com/",
        "https:///x",
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0/",
        "http://10.0.0.8/",
        "http://100.64.0.1/",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[fe80::1%25eth0]/",
        "http://224.0.0.1/",
        "http://localhost/",
        "http://intranet/",
        "http://printer.local/",
        "http://example.com:99999/",
        "http://[not-an-address/",
        "",
    ],
)
def test_whatever_is_no_public_web_address_is_refused(url):
    with pytest.raises(UnsafeUrl):
        Guard().check(url)


def test_one_private_address_among_public_ones_refuses_the_name():
    guard = Guard(resolver=lambda host, port: ["93.184.216.34", "10.0.0.1"])

    with pytest.raises(UnsafeUrl, match=r"10\.0\.0\.1"):
        guard.addresses("jobs.example.com", 443)


def test_a_refusal_does_not_repeat_the_credentials():
    with pytest.raises(UnsafeUrl) as caught:
        Guard().check("https://user:secret@example.com/")

    assert "secret" not in caught.value.message


@given(st.text(max_size=60) | st.text(max_size=40).map(lambda text: f"http://{text}"))
def test_any_text_is_judged_without_another_error(url):
    try:
        Guard().check(url)
    except UnsafeUrl:
        pass
