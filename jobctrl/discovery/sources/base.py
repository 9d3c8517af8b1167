"""What every board adapter does: say what to ask, read the answer, and fetch what the list leaves out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar, Protocol

from jobctrl.discovery.model import BoardKind, BoardListing, Listing, Source, SourceRefused
from jobctrl.discovery.sources.asking import ask
from jobctrl.errors import InvalidRequest, NotFound, SourceUnavailable, TransientNetwork
from jobctrl.network.model import Request, Web

FAILURES_IN_A_ROW = 5
"""After so many details without an answer the host is taken to be down and the rest is not asked for."""
DETAIL_FAULTS = (SourceUnavailable, TransientNetwork, NotFound, InvalidRequest)


def nothing() -> None:
    """A heartbeat that nobody listens to."""


def never() -> bool:
    """A cancellation that never comes."""
    return False


def every(listing: Listing) -> bool:
    """All details are wanted."""
    return True


class BoardAdapter(Protocol):
    """One vendor. `parse` is pure; `list` and `detail` ask the web and then parse."""

    kind: ClassVar[BoardKind]

    def requests(self, source: Source) -> tuple[Request, ...]:
        """What to ask for the board, the fullest question first."""
        ...

    def parse(self, body: bytes, source: Source) -> BoardListing:
        """One answer of the board. Raises SourceUnavailable when it is not this vendor's."""
        ...

    def parse_detail(self, body: bytes, source: Source) -> Listing:
        """The vendor's answer about one posting. Raises SourceUnavailable when it is none."""
        ...

    def list(
        self,
        source: Source,
        web: Web,
        *,
        heartbeat: Callable[[], None] = nothing,
        cancelled: Callable[[], bool] = never,
        wants_detail: Callable[[Listing], bool] = every,
    ) -> BoardListing | SourceRefused:
        """The whole board; *wants_detail* picks the listings whose text is worth a request of its own."""
        ...

    def detail(self, listing: Listing, source: Source, web: Web) -> Listing | SourceRefused:
        """*listing* with what the vendor says of it elsewhere."""
        ...


class Board(ABC):
    """The common course: one request for the list, one more for each listing that came without its text."""

    kind: ClassVar[BoardKind]

    @abstractmethod
    def requests(self, source: Source) -> tuple[Request, ...]: ...

    @abstractmethod
    def parse(self, body: bytes, source: Source) -> BoardListing: ...

    @abstractmethod
    def parse_detail(self, body: bytes, source: Source) -> Listing: ...

    @abstractmethod
    def detail_requests(self, listing: Listing, source: Source) -> tuple[Request, ...]:
        """What to ask for one listing; empty when the vendor says no more of it anywhere."""

    def pages(
        self, source: Source, web: Web, *, heartbeat: Callable[[], None], cancelled: Callable[[], bool]
    ) -> BoardListing | SourceRefused:
        """The list as the vendor hands it out; here in one piece."""
        answer = ask(web, self.requests(source), source)
        if isinstance(answer, SourceRefused):
            return answer
        board = self.parse(answer.body, source)
        if not answer.fallback:
            return board
        return replace(board, unavailable=(*board.unavailable, f"the full list: {answer.fallback}"))

    def list(
        self,
        source: Source,
        web: Web,
        *,
        heartbeat: Callable[[], None] = nothing,
        cancelled: Callable[[], bool] = never,
        wants_detail: Callable[[Listing], bool] = every,
    ) -> BoardListing | SourceRefused:
        board = self.pages(source, web, heartbeat=heartbeat, cancelled=cancelled)
        if isinstance(board, SourceRefused):
            return board
        return self._described(board, source, web, heartbeat, cancelled, wants_detail)

    def detail(self, listing: Listing, source: Source, web: Web) -> Listing | SourceRefused:
        requests = self.detail_requests(listing, source)
        if not requests:
            return listing
        answer = ask(web, requests, source)
        if isinstance(answer, SourceRefused):
            return answer
        return completed(listing, self.parse_detail(answer.body, source))

    def _described(
        self,
        board: BoardListing,
        source: Source,
        web: Web,
        heartbeat: Callable[[], None],
        cancelled: Callable[[], bool],
        wants_detail: Callable[[Listing], bool],
    ) -> BoardListing:
        """*board* with the text of each wanted listing that lacks it; what cannot be had is named, the rest stands."""
        listings = list(board.listings)
        bare = [
            place
            for place, listing in enumerate(listings)
            if _is_bare(listing) and self.detail_requests(listing, source) and wants_detail(listing)
        ]
        unavailable = list(board.unavailable)
        failures = 0
        for done, place in enumerate(bare):
            stop = "cancelled" if cancelled() else ""
            if failures >= FAILURES_IN_A_ROW:
                stop = f"{failures} details in a row failed"
            if stop:
                unavailable.append(f"details of {len(bare) - done} postings: {stop}")
                break
            heartbeat()
            try:
                found = self.detail(listings[place], source, web)
            except DETAIL_FAULTS as fault:
                failures += 1
                reason = fault.message.removeprefix(f"{source.id}: ")
                unavailable.append(f"detail of {listings[place].native_id}: {reason}")
                continue
            if isinstance(found, SourceRefused):
                unavailable.append(f"details of {len(bare) - done} postings: {found.reason}")
                break
            failures = 0
            listings[place] = found
        return replace(board, listings=tuple(listings), unavailable=tuple(unavailable))


def completed(listing: Listing, found: Listing) -> Listing:
    """*listing* with everything its detail says in addition or better; its id and place on the board stay."""
    told = {
        name: value
        for name, value in vars(found).items()
        if name not in ("native_id", "url") and value not in (None, "", (), {})
    }
    told["metadata"] = {**listing.metadata, **found.metadata}
    return replace(listing, **told)


def _is_bare(listing: Listing) -> bool:
    return not (listing.description_html or listing.description_text)
