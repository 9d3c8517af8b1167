"""Reading: addresses, HTML, pay and JSON, each against the barest thing that touches every character."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from bench import corpus
from bench.measure import Row, Scale, each, rate
from jobctrl.discovery.model import BoardKind, Source
from jobctrl.discovery.reading import description_of
from jobctrl.discovery.sources import wire
from jobctrl.discovery.sources.greenhouse import Job, Jobs
from jobctrl.postings.identity import read_identity
from jobctrl.postings.pay import read_pay
from jobctrl.postings.text import html_to_text

_TAG = re.compile(r"<[^>]+>")
_FIGURE = re.compile(r"[$€£¥]\s?\d[\d.,]*\s?[kK]?")


def rows(scale: Scale, scratch: Path) -> Iterable[Row]:
    if not corpus.sources():
        yield Row("addresses, HTML, pay and JSON", corpus.ABSENT)
        return
    listings = [listing for source, _ in corpus.sources() for listing in corpus.board(source).listings]
    addresses = [listing.url for listing in listings]
    ours, bare = each(read_identity, addresses), each(_parted, addresses)
    yield _against("address to identity, against urlsplit + urlunsplit", ours, bare, at_most=1.5)
    markup = [listing.description_html for listing in listings if listing.description_html]
    ours, bare = each(html_to_text, markup), each(_stripped, markup)
    yield _against("HTML to lines of text, against a regex strip", ours, bare, at_most=1.5)
    lines = _pay_texts()
    yield _at_least("pay strings, against one regex", each(read_pay, lines), each(_figures, lines), a_second=30_000)
    bodies = [text for text in map(description_of, listings) if text]
    yield _at_least("pay in bodies, against one regex", each(read_pay, bodies), each(_figures, bodies), a_second=8_000)
    yield _decoding()


def _parted(url: str) -> str:
    return urlunsplit(urlsplit(url))


def _stripped(markup: str) -> str:
    return _TAG.sub(" ", markup)


def _figures(text: str) -> list[str]:
    return _FIGURE.findall(text)


def _pay_texts() -> list[str]:
    path = corpus.FOLDER / "truth" / "pay_text.jsonl"
    return [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _decoding() -> Row:
    source = Source(BoardKind.GREENHOUSE, "any")
    shape = wire.Shape(Jobs, Job, "jobs", frozenset())
    files = [path.read_bytes() for path in sorted((corpus.FOLDER / "greenhouse").glob("*.json"))]
    ours = each(lambda body: wire.decode(body, source, shape), files)
    bare = each(json.loads, files)
    return _against("a board's JSON into its shape, against json.loads", ours, bare, at_most=0.4)


def _against(task: str, ours: float, bare: float, *, at_most: float) -> Row:
    return Row(task, rate(ours), rate(bare), ours / bare, goal=f"<= {at_most:g}x", met=ours / bare <= at_most)


def _at_least(task: str, ours: float, bare: float, *, a_second: int) -> Row:
    goal = f">= {a_second // 1000}k/s"
    return Row(task, rate(ours), rate(bare), ours / bare, goal=goal, met=ours <= 1 / a_second)
