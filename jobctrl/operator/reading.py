"""What a person looks at. Nothing here needs Temporal, so that a list is there at once."""

from __future__ import annotations

from dataclasses import dataclass

from jobctrl.discovery.registry import Registry, SourceRow
from jobctrl.materials.files import ArtifactFiles
from jobctrl.operations.board import (
    JobView,
    Turned,
    job_view,
    list_runs,
    tallies,
    turned_away,
)
from jobctrl.operations.job_list import Job, JobFilter, count_jobs, find_jobs
from jobctrl.operations.observing import operations_snapshot
from jobctrl.operations.posting_words import jobs_saying
from jobctrl.operations.saved_filters import SavedFilter, saved_filters
from jobctrl.operations.snapshot import Snapshot
from jobctrl.pipeline.runs import Run
from jobctrl.store import Store


@dataclass
class Reading:
    """The looking half of the Operator."""

    store: Store
    files: ArtifactFiles

    def jobs(self, wanted: JobFilter = JobFilter()) -> list[Job]:
        with self.store.reader() as connection:
            return find_jobs(connection, wanted)

    def count_jobs(self, wanted: JobFilter = JobFilter()) -> int:
        """How many jobs the filter keeps, on all pages."""
        with self.store.reader() as connection:
            return count_jobs(connection, wanted)

    def show_job(self, key: str) -> JobView:
        """One job in full, by its id or the beginning of it, an address, or a board's own id. Raises NotFound."""
        return job_view(self.store, key)

    def saved_filters(self) -> list[SavedFilter]:
        """The filters of the job list that have a name."""
        with self.store.reader() as connection:
            return saved_filters(connection)

    def jobs_saying(self, words: str) -> frozenset[str]:
        """The jobs whose posting says all of *words* in its own text."""
        with self.store.reader() as connection:
            return jobs_saying(connection, words)

    def counts(self) -> dict[str, int]:
        """The counts of the dashboard."""
        with self.store.reader() as connection:
            return tallies(connection)

    def runs(self, limit: int = 20) -> list[Run]:
        with self.store.reader() as connection:
            return list_runs(connection, limit)

    def operations(self) -> Snapshot:
        """How the pipeline stands now: what owns work, what is left, what the workers do, and how long it may take."""
        return operations_snapshot(self.store)

    def sources(self) -> list[SourceRow]:
        return Registry(self.store).all()

    def turned_away(self, limit: int = 200) -> list[Turned]:
        """What the newest Discover run filtered or rejected, each with its reason."""
        with self.store.reader() as connection:
            return turned_away(connection, limit)

    def close(self) -> None:
        self.store.close()
