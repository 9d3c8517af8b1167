"""From a listing to all that is read from it: facts, identity, and what its text can be compared by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from jobctrl.discovery.model import Listing, ReadListing, Source
from jobctrl.discovery.reading import description_of, read_listing
from jobctrl.postings.identity import read_identity
from jobctrl.postings.naming import employer_key, title_key
from jobctrl.postings.similarity import fingerprint, text_signature


def read_all(listings: Iterable[Listing], source: Source, *, now: datetime) -> Iterator[ReadListing]:
    """Each listing with what it says; rows that repeat a native id are numbered, so that each has its receipt."""
    times: Counter[str] = Counter()
    for listing in map(_printable, listings):
        times[listing.native_id] += 1
        count = times[listing.native_id]
        yield read_one(listing, source, now=now, item_key=listing.native_id + (f"#{count}" if count > 1 else ""))


def read_one(listing: Listing, source: Source, *, now: datetime, item_key: str) -> ReadListing:
    listing = replace(listing, company=listing.company or employer_behind(source))
    description = description_of(listing)
    identity = read_identity(listing.url)
    employer, title = employer_key(listing.company), title_key(listing.title)
    return ReadListing(
        listing=listing,
        item_key=item_key,
        # The board's own id names the posting. An address that holds the same id gives the key that other boards
        # showing the posting arrive at, too.
        identity_key=identity.key
        if identity.key and (identity.ats, identity.native_id) == (source.kind.value, listing.native_id)
        else f"{source.id}:{listing.native_id}",
        canonical_url=identity.canonical_url,
        description=description,
        facts=read_listing(listing, source, now=now, text=description),
        content_key=f"{employer}|{title}" if employer and title else None,
        fingerprint=fingerprint(listing.title, listing.company, description),
        signature=text_signature(description),
    )


def employer_behind(source: Source) -> str:
    """Whose board it is, for vendors that do not say it with each posting: the board's own name."""
    if source.display_name:
        return source.display_name
    token = source.token.removeprefix("eu/")
    # A Workday token is host/tenant/site; other hosts begin with the employer's name.
    name = token.split("/")[1] if token.count("/") == 2 else token.split(".")[0]
    words = name.replace("-", " ").replace("_", " ").strip()
    return words.title() if words.islower() else words


def _printable(listing: Listing) -> Listing:
    """The listing without half characters: a lone surrogate can be neither stored nor shown."""
    broken: dict[str, Any] = {
        name: value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        for name, value in vars(listing).items()
        if isinstance(value, str) and _has_surrogate(value)
    }
    return replace(listing, **broken) if broken else listing


def _has_surrogate(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
