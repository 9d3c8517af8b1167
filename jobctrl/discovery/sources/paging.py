"""Lists that a vendor hands out in pages: advance by the rows seen, check against the total it reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from jobctrl.discovery.model import BoardListing, Listing, RowProblem, Source, SourceRefused
from jobctrl.discovery.sources.asking import ask
from jobctrl.errors import SourceUnavailable, TransientNetwork
from jobctrl.network.model import Request, Web


def read_pages(
    source: Source,
    web: Web,
    *,
    first: tuple[Request, ...],
    page_at: Callable[[int], Request],
    parse: Callable[[bytes, Source], BoardListing],
    size: int,
    most: int,
    heartbeat: Callable[[], None],
    cancelled: Callable[[], bool],
) -> BoardListing | SourceRefused:
    """All pages, at most *most*, as one list. A later page that cannot be had is named and ends it; the rest stands.

    The total is trusted only as far as it goes: vendors send 0 on later pages, or a count they do not serve.
    """
    listings: list[Listing] = []
    problems: list[RowProblem] = []
    unavailable: list[str] = []
    seen: set[str] = set()
    total: int | None = None
    offset = 0
    for number in range(most):
        if cancelled():
            unavailable.append(f"postings from number {offset + 1}: cancelled")
            break
        heartbeat()
        try:
            answer = ask(web, first if number == 0 else (page_at(offset),), source)
            page = answer if isinstance(answer, SourceRefused) else parse(answer.body, source)
        except (SourceUnavailable, TransientNetwork) as fault:
            if number == 0:
                raise
            reason = fault.message.removeprefix(f"{source.id}: ")
            unavailable.append(f"postings from number {offset + 1}: {reason}")
            break
        if isinstance(page, SourceRefused):
            if number == 0:
                return page
            unavailable.append(f"postings from number {offset + 1}: {page.reason}")
            break
        total = max(total or 0, page.reported_total or 0) or total
        if number and page.listings and all(listing.native_id in seen for listing in page.listings):
            unavailable.append(f"postings from number {offset + 1}: the board repeats an earlier page")
            break
        listings += page.listings
        problems += [replace(problem, index=offset + problem.index) for problem in page.problems]
        seen |= {listing.native_id for listing in page.listings}
        offset += page.returned
        if not page.returned or (offset >= total if total else page.returned < size):
            break
    else:
        unavailable.append(f"postings from number {offset + 1}: only the first {most} pages are read")
    if total and offset < total and not unavailable:
        unavailable.append(f"the board reports {total} postings and sent {offset}")
    return BoardListing(tuple(listings), tuple(problems), total, tuple(unavailable))
