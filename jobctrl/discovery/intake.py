"""From a listing to what names it, and on to all that is read from it: facts, and what its text is compared by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from jobctrl import __version__
from jobctrl.discovery.model import Listing, NamedListing, ReadListing, Source
from jobctrl.discovery.reading import description_of, read_listing
from jobctrl.ids import digest_of
from jobctrl.postings.identity import read_identity
from jobctrl.postings.naming import employer_key, title_key
from jobctrl.postings.similarity import fingerprint, text_signature

UNREAD = frozenset(("updated", "metadata", "unread"))
"""Fields of a listing from which nothing is read that a posting says."""


def name_all(listings: Iterable[Listing], source: Source) -> Iterator[NamedListing]:
    """Each listing by its names; rows that repeat a native id are numbered, so that each has its receipt."""
    times: Counter[str] = Counter()
    for listing in map(_printable, listings):
        times[listing.native_id] += 1
        count = times[listing.native_id]
        yield name_one(listing, source, item_key=listing.native_id + (f"#{count}" if count > 1 else ""))


def name_one(listing: Listing, source: Source, *, item_key: str) -> NamedListing:
    if not listing.company:
        listing = replace(listing, company=employer_behind(source))
    identity = read_identity(listing.url)
    said = [value for name, value in vars(listing).items() if name not in UNREAD]
    return NamedListing(
        listing=listing,
        item_key=item_key,
        # The board's own id names the posting. An address that holds the same id gives the key that other boards
        # showing the posting arrive at, too.
        identity_key=identity.key
        if identity.key and (identity.ats, identity.native_id) == (source.kind.value, listing.native_id)
        else f"{source.id}:{listing.native_id}",
        canonical_url=identity.canonical_url,
        digest=digest_of([__version__, said]),
    )


def read_one(named: NamedListing, source: Source, *, now: datetime) -> ReadListing:
    """All that the listing says."""
    listing = named.listing
    description = description_of(listing)
    employer, title = employer_key(listing.company), title_key(listing.title)
    return ReadListing(
        listing=listing,
        item_key=named.item_key,
        identity_key=named.identity_key,
        canonical_url=named.canonical_url,
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
