"""Which job a posting is: one incoming posting against what is stored, and a batch against itself."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean

from bench.measure import Row, Scale, busy, growth, ms, rate, seconds
from bench.world import NOW, OTHER, SOURCE, admit, listing, words, world
from jobctrl.discovery.admission import duplicate_of, posting_of
from jobctrl.discovery.events import JobDiscovered
from jobctrl.discovery.intake import name_one, read_one
from jobctrl.discovery.model import Listing, ReadListing
from jobctrl.discovery.state import JOB_CONTENTS, JOB_IDENTITIES
from jobctrl.ids import job_id_for
from jobctrl.postings.similarity import fingerprint, text_signature
from jobctrl.postings.tokens import tokens
from jobctrl.store import Store, Transaction

GOAL = 0.001


def rows(scale: Scale, scratch: Path) -> Iterable[Row]:
    sizes = (1_000, 5_000) if scale.quick else (1_000, 5_000, 50_000)
    took = []
    for jobs in sizes:
        store = world(scratch, jobs).open()
        admit(store, [_stored(number) for number in range(100)], run="identity")
        took.append(_one_incoming(store, [_incoming(number) for number in range(100)]))
        store.close()
    grows = growth(sizes, took)
    for jobs, one in zip(sizes, took, strict=True):
        last = jobs == sizes[-1]
        yield Row(
            f"identity of one incoming posting, {jobs:,} stored",
            ms(one),
            growth=grows if last else None,
            goal="<= 1 ms" + (", growth <= 0.15" if last else ""),
            met=one <= GOAL and (not last or grows <= 0.15),
        )
    yield _one_title(scratch, scale.of(1_000, 300))
    yield _batch(scratch, scale)


def _stored(number: int) -> Listing:
    return listing(f"stored{number}", title=f"Analyst {number}", text=words(10_000 + number))


def _incoming(number: int) -> Listing:
    """Half of them show what another source has shown, with a line more; half are new."""
    if number % 2:
        return listing(f"new{number}", title=f"Analyst {number}", text=words(90_000 + number))
    return listing(f"copy{number}", title=f"Analyst {number}", text=words(10_000 + number) + "\nApply with us.")


def _one_incoming(store: Store, incoming: Sequence[Listing]) -> float:
    """Seconds for one: its names, its fingerprint and signature, and the question which job it is."""
    reads = [read_one(name_one(each, OTHER, item_key=each.native_id), OTHER, now=NOW) for each in incoming]
    with store.writer() as tx:
        return min(fmean(_decide(tx, read) for read in reads) for _ in range(5))


def _decide(tx: Transaction, read: ReadListing) -> float:
    tokens.cache_clear()
    began = busy()
    name_one(read.listing, OTHER, item_key=read.item_key)
    fingerprint(read.listing.title, read.listing.company, read.description)
    text_signature(read.description)
    if tx.row(JOB_IDENTITIES, read.identity_key) is None:
        duplicate_of(tx, read)
    return busy() - began


def _one_title(scratch: Path, stored: int) -> Row:
    """The hardest case: an employer that lists one title a thousand times, each with a text of its own."""
    store = Store(scratch / "one-title.db", (JOB_IDENTITIES, JOB_CONTENTS))
    with store.writer() as tx:
        for number in range(stored):
            _keep(tx, _read(f"same{number}", "Store Manager", words(number)))
    took = _one_incoming(store, [listing(f"more{n}", title="Store Manager", text=words(n * 2)) for n in range(50)])
    store.close()
    return Row(f"the same, one employer and title with {stored:,} stored", ms(took), goal="<= 5 ms", met=took <= 0.005)


def _batch(scratch: Path, scale: Scale) -> Row:
    """A batch in which every tenth is a copy, from text to the decision, with the fact that is needed for the next."""
    sizes = (1_000, scale.of(5_000, 2_000))
    took = [seconds(_batch_of(scratch / f"batch-{size}.db", size)) for size in sizes]
    grows = growth(sizes, took)
    speed = sizes[-1] / took[-1]
    return Row(
        f"dedupe of a batch of {sizes[-1]:,}, facts recorded",
        rate(took[-1] / sizes[-1]),
        growth=grows,
        goal=">= 2k/s, growth <= 1.1",
        met=speed >= 2_000 and grows <= 1.1,
    )


def _batch_of(path: Path, size: int) -> Callable[[], None]:
    chance = random.Random(size)
    reads = []
    for number in range(size):
        seed = chance.randrange(number) if number and number % 10 == 0 else number
        reads.append(_read(f"batch{number}", f"Clerk {seed}", words(seed)))

    def run() -> None:
        path.unlink(missing_ok=True)
        store = Store(path, (JOB_IDENTITIES, JOB_CONTENTS))
        with store.writer() as tx:
            for read in reads:
                fingerprint(read.listing.title, read.listing.company, read.description)
                text_signature(read.description)
                if duplicate_of(tx, read) is None:
                    _keep(tx, read)
        store.close()

    return run


def _read(name: str, title: str, text: str) -> ReadListing:
    return read_one(name_one(listing(name, title=title, text=text), SOURCE, item_key=name), SOURCE, now=NOW)


def _keep(tx: Transaction, read: ReadListing) -> None:
    job_id = job_id_for(read.identity_key)
    tx.append(
        f"job/{job_id}",
        JobDiscovered(
            job_id=job_id,
            source_id=str(SOURCE.id),
            source_native_id=read.listing.native_id,
            identity_key=read.identity_key,
            posting=posting_of(tx, read),
        ),
    )
