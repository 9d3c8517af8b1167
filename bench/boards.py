"""From the answers of recorded boards to stored postings, and the same boards again when nothing is new."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path

from bench import corpus
from bench.measure import Row, Scale, once, rate, seconds, wall
from jobctrl.discovery.activities import BATCH
from jobctrl.discovery.admission import Admission, Batch
from jobctrl.discovery.intake import name_all
from jobctrl.discovery.model import SearchPolicy, Source
from jobctrl.discovery.sources import adapter_for
from jobctrl.network.recorded import RecordedWeb
from jobctrl.postings.language import read_language
from jobctrl.postings.place import read_place
from jobctrl.runtime.tables import open_store
from jobctrl.runtime.workspace import workspace_at
from jobctrl.store import Execution, Store, acting_for

TODAY = datetime(2026, 8, 22, tzinfo=UTC).date()


def rows(scale: Scale, scratch: Path) -> Iterable[Row]:
    recorded = corpus.sources()
    if not recorded:
        yield Row("board to stored postings", corpus.ABSENT)
        return
    sources = [source for source, _ in recorded]
    # The language model is loaded once a process, whatever number of boards it reads.
    read_language("Nous cherchons une personne qui sait écrire des programmes et qui aime travailler avec nous.")
    bare = seconds(
        lambda: [json.loads(path.read_bytes()) for _, files in recorded for path in files if _is_json(path)], clock=wall
    )
    first = again = math.inf
    for turn in range(scale.of(3, 1)):
        store = open_store(workspace_at(scratch / f"boards-{turn}"), create=True)
        read_place.cache_clear()
        first = min(first, once(partial(_take_in, store, sources, "first")))
        with store.reader() as connection:
            count = int(connection.execute("SELECT COUNT(*) FROM discovery_receipts").fetchone()[0])
        again = min(again, *(once(partial(_take_in, store, sources, run)) for run in ("second", "third")))
        store.close()
    yield Row(
        f"board to stored: {count:,} postings of {len(sources)} boards, against json.loads of their answers",
        rate(first / count),
        rate(bare / count),
        first / bare,
        goal=">= 1.2k/s",
        met=count / first >= 1_200,
    )
    yield Row(
        "the same boards again, nothing new",
        rate(again / count),
        rate(bare / count),
        again / bare,
        goal=">= 3k/s",
        met=count / again >= 3_000,
    )


def _is_json(path: Path) -> bool:
    return path.suffix == ".json"


def _take_in(store: Store, sources: Iterable[Source], run: str) -> None:
    web, execution = RecordedWeb(corpus.FOLDER), Execution("discover", run)
    admission = Admission(store)
    with acting_for(execution):
        for source in sources:
            listed = adapter_for(source.kind).list(source, web)
            rows = iter(name_all(getattr(listed, "listings", ()), source))
            while batch := list(islice(rows, BATCH)):
                admission.admit(Batch(source, execution, batch), SearchPolicy(), TODAY)
