"""A small search told fact by fact, and the API over it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from jobctrl.discovery.events import JobDiscovered, JobSourceObserved, Posting, StatedPlace, StatedSalary
from jobctrl.ids import job_id_for
from jobctrl.operator import Operator, Started
from jobctrl.pipeline.events import WorkflowStarted
from jobctrl.runtime import open_operator
from jobctrl.runtime.tables import open_store
from jobctrl.runtime.workspace import hosting, workspace_at
from jobctrl.scoring.events import JobScored
from jobctrl.store import Store
from jobctrl.workflows.discover import DiscoverInput
from jobctrl.workflows.pipeline import PipelineInput
from jobctrl.workflows.preparation import PreparationInput

TITLES = ("Data Engineer", "Platform Engineer", "Data Analyst", "Żeglarz danych", "Data Steward")
JOBS = tuple(job_id_for(f"greenhouse:acme:{number}") for number in range(len(TITLES)))


@dataclass
class RememberedDispatch:
    """Starts nothing and remembers what was asked."""

    asked: list[DiscoverInput | PipelineInput | PreparationInput | str] = field(default_factory=list)

    def discover(self, input: DiscoverInput) -> Started:
        self.asked.append(input)
        return Started("discover", "run-1")

    def prepare(self, inputs: list[PreparationInput]) -> list[Started]:
        self.asked += inputs
        return [Started(f"prep-{each.key}", "run-1") for each in inputs]

    def pipeline(self, input: PipelineInput) -> Started:
        self.asked.append(input)
        return Started("run-0", "run-1")

    def check_ready(self) -> None:
        """As where a worker serves the workspace."""

    def cancel(self, workflow_id: str) -> None:
        self.asked.append(workflow_id)


def make_workspace(folder: Path) -> None:
    """Five jobs, scored 9, 8, 7, 6 and not at all; the last one is in Spain and remote."""
    store = open_store(workspace_at(folder), create=True)
    for number, title in enumerate(TITLES):
        _tell_job(store, number, title)
    with store.writer() as tx:
        tx.append(
            "run/discover/run-0",
            WorkflowStarted(
                workflow_id="discover",
                workflow_type="DiscoverWorkflow",
                temporal_run_id="run-0",
                input_summary={"sourceIds": ["greenhouse:acme"]},
            ),
        )
    store.close()


def _tell_job(store: Store, number: int, title: str) -> None:
    job_id, key = JOBS[number], f"greenhouse:acme:{number}"
    is_last = number == len(TITLES) - 1
    with store.writer() as tx:
        posting = Posting(
            title=title,
            employer="Acme",
            url=f"https://jobs.example.org/acme/{number}?gh_jid=40{number}",
            places=[StatedPlace(city="Kraków", country="PL"), StatedPlace(country="ES")][is_last:],
            mode="remote" if is_last else "hybrid",
            pay=StatedSalary(state="stated", currency="PLN", period="month", low=21000, high=None),
            description_hash=tx.put("We look after the harbour's records."),
            facts_hash=tx.put(json.dumps({"places": [], "publishedOn": None})),
        )
        tx.append(
            f"job/{job_id}",
            JobDiscovered(
                job_id=job_id,
                source_id="greenhouse:acme",
                source_native_id=f"40{number}",
                identity_key=key,
                posting=posting,
            ),
            JobSourceObserved(
                job_id=job_id,
                source_observation_id=f"observation:{key}",
                source_id="greenhouse:acme",
                source_native_id=f"40{number}",
                identity_key=key,
                observed_url=posting.url,
                run_id="run-0",
                first_finder=True,
                posting=posting,
            ),
        )
        if not is_last:
            tx.append(f"job/{job_id}", _score(job_id, 9 - number, tx.put('{"requirements": []}'), tx.put(_LEDGER)))


_LEDGER = '{"ledger": {"items": []}, "eligibility": {"blockers": [], "warnings": []}}'


def _score(job_id: str, fit: int, analysis: str, ledger: str) -> JobScored:
    return JobScored(
        job_id=job_id,
        version=1,
        fit_score=fit,
        fit_band="strong",
        confidence="high",
        weighted_fit=fit / 10,
        must_have_coverage=1.0,
        eligibility="eligible",
        profile_version=1,
        policy_version=1,
        formula_version="1",
        analysis_ref=analysis,
        ledger_ref=ledger,
        provider="local",
        model="local",
    )


@contextmanager
def opened(folder: Path) -> Iterator[tuple[Operator, RememberedDispatch]]:
    """The Operator of the workspace, whose runs are remembered instead of started."""
    operator, dispatch = open_operator(folder), RememberedDispatch()
    operator.dispatch = dispatch
    try:
        yield operator, dispatch
    finally:
        operator.close()


@contextmanager
def hosted(folder: Path) -> Iterator[None]:
    """As while `jobctrl up` runs the workspace."""
    workspace = workspace_at(folder)
    workspace.server_record.write_text(json.dumps({"address": "127.0.0.1:1", "pid": 1}))
    with hosting(workspace):
        yield
