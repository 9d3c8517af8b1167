"""How enrichment meets the world: take the text a board has given, or read the posting's own page."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass, field

from temporalio import activity

from jobctrl.enrichment.taking import Slice, TextTaking
from jobctrl.llm.model import Model
from jobctrl.network.model import Web
from jobctrl.store import Store, acting_execution, statements
from jobctrl.work import Blocking, Pulse

SQL = statements("jobctrl.enrichment", "selection.sql")


@dataclass(frozen=True)
class EnrichInput:
    workspace: str
    web: str
    workers: int = 4
    job_ids: list[str] = field(default_factory=list)
    """Empty takes every job that lacks its text."""
    item: str = "terminal"
    """The name of the pass among those of its run."""


@dataclass(frozen=True)
class EnrichResult:
    promoted: int = 0
    """Texts taken from the boards' own answers."""
    read: int = 0
    """Pages read."""
    failed: int = 0
    blocked: int = 0
    inactive: int = 0
    texts: int = 0
    """Jobs that have their text from this run, by whichever pass."""


@dataclass
class EnrichmentActivities:
    """`open_web` opens the web that a run names; `model` gives the model for pages that no rule can read, or None."""

    store: Store
    blocking: Blocking
    open_web: Callable[[str], Web]
    model: Callable[[], Model | None]

    @activity.defn
    async def discovery_enrichment(self, enrich: EnrichInput) -> EnrichResult:
        """Bring every job that lacks its text as far as it goes; one that fails is recorded and the others go on."""
        return await self.blocking(lambda pulse: self._enrich(enrich, pulse))

    def taking(self, enrich: EnrichInput) -> TextTaking:
        """The texts that are lacking, for a caller who takes them slice by slice."""
        return TextTaking(
            self.store,
            acting_execution("reading pages"),
            open_web=lambda: self.open_web(enrich.web),
            model=self.model,
            workers=enrich.workers,
            job_ids=enrich.job_ids,
        )

    def _enrich(self, enrich: EnrichInput, pulse: Pulse) -> EnrichResult:
        total = Slice()
        with closing(self.taking(enrich)) as taking:
            while taken := taking.next(pulse):
                total.promoted += taken.promoted
                total.read += taken.read
                total.failed += taken.failed
                total.blocked += taken.blocked
                total.inactive += taken.inactive
        with self.store.reader() as connection:
            texts = connection.execute(SQL["texts_of_run"], asdict(acting_execution("reading pages"))).fetchone()[0]
        return EnrichResult(
            len(total.promoted), len(total.read), total.failed, total.blocked, total.inactive, texts=texts
        )
