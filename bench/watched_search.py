"""One search with a clock on each part of it. Run as `python -m bench.watched_search FOLDER SOURCE…`; prints JSON."""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench import corpus
from bench.measure import peak_mib
from bench.pdf import PROFILE
from jobctrl.discovery.activities import DiscoveryActivities
from jobctrl.enrichment.activities import EnrichmentActivities
from jobctrl.materials.activities import MaterialsActivities
from jobctrl.profile.document import load_profile
from jobctrl.profile.model import TargetSearch
from jobctrl.runtime.doing import discover_in
from jobctrl.runtime.house import open_house
from jobctrl.runtime.session import running
from jobctrl.runtime.workspace import workspace_at
from jobctrl.scoring.activities import ScoringActivities
from jobctrl.settings.environment import Environment
from jobctrl.store import Store


class Clocks:
    """Processor time by part. A part inside another one stops the other's clock."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()
        self._local = threading.local()

    @contextmanager
    def on(self, part: str) -> Iterator[None]:
        stack: list[list[Any]] = self._local.__dict__.setdefault("stack", [])
        now = time.thread_time()
        if stack:
            self.spent[stack[-1][0]] += now - stack[-1][1]
        stack.append([part, now])
        try:
            yield
        finally:
            now = time.thread_time()
            name, since = stack.pop()
            self.spent[name] += now - since
            if stack:
                stack[-1][1] = now

    def watch(self, cls: type, method: str, part: str) -> None:
        inner: Callable[..., Any] = getattr(cls, method)

        def watched(*args: Any, **kwargs: Any) -> Any:
            with self.on(part):
                return inner(*args, **kwargs)

        setattr(cls, method, watched)

    def watch_block(self, cls: type, method: str, part: str) -> None:
        """The same for a method that opens a block: the clock runs until the block ends."""
        inner: Callable[..., Any] = getattr(cls, method)

        @contextmanager
        def watched(*args: Any, **kwargs: Any) -> Iterator[Any]:
            with self.on(part), inner(*args, **kwargs) as given:
                yield given

        setattr(cls, method, watched)


async def search(folder: Path, sources: list[str]) -> dict[str, Any]:
    """Find and prepare everything on these boards; how many, how long, and what took the time."""
    async with running(folder, Environment()) as session:
        # No score is too low for materials; the other gates still turn most jobs away.
        session.operator.change_setting("min_fit_score", 0)
        for source in sources:
            session.operator.add_source(source)
        began, busy = time.perf_counter(), time.process_time()
        web = f"recorded:{corpus.FOLDER}"
        found = await discover_in(session, web, (), 0, True, lambda words: None, [])
        wall, busy = time.perf_counter() - began, time.process_time() - busy
        with session.house.store.reader() as connection:
            pdfs = connection.execute("SELECT COUNT(*) FROM job_events WHERE event_type = 'PdfRendered'").fetchone()[0]
        server = max((peak_mib(pid) or 0 for pid in _children()), default=None)
    return {
        "server_mib": server,
        "postings": found.total.returned,
        "scored": found.prepared,
        "pdfs": pdfs,
        "wall": wall,
        "busy": busy,
    }


def _children() -> list[str]:
    """The processes this one has started and that still run: the Temporal server."""
    of = Path("/proc/self/task")
    lists = [task / "children" for task in of.iterdir()] if of.exists() else []
    return [pid for each in lists if each.exists() for pid in each.read_text(encoding="utf-8").split()]


def main() -> None:
    folder, *sources = sys.argv[1:]
    clocks = Clocks()
    for cls, method, part in (
        (DiscoveryActivities, "_read_source", "reading"),
        (EnrichmentActivities, "_enrich", "reading"),
        (ScoringActivities, "_score", "scoring"),
        (MaterialsActivities, "_tailor", "writing"),
        (MaterialsActivities, "_cover", "writing"),
        (MaterialsActivities, "_render", "pdf"),
    ):
        clocks.watch(cls, method, part)
    clocks.watch_block(Store, "writer", "store")
    clocks.watch_block(Store, "reader", "store")
    house = open_house(workspace_at(Path(folder)), create=True)
    house.profiles.save(load_profile(PROFILE).model_copy(update={"target": TargetSearch()}))
    house.close()
    told = asyncio.run(search(Path(folder), sources))
    server = resource.getrusage(resource.RUSAGE_CHILDREN)
    rest = told["busy"] - sum(clocks.spent.values())
    told["shares"] = {**clocks.spent, "temporal": max(0.0, rest) + server.ru_utime + server.ru_stime}
    told["peak_mib"] = peak_mib("self")
    print(json.dumps(told))


if __name__ == "__main__":
    main()
