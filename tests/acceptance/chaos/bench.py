"""Running scenarios: each on a ground of its own, watched until it rests, and proved."""

from __future__ import annotations

import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.acceptance.chaos.ground import Ground
from tests.acceptance.chaos.proofs import Found, prove
from tests.acceptance.chaos.watch import Watched


@dataclass(frozen=True)
class Run:
    """What a scenario is given: a folder that is its own, and the seed of whatever it draws."""

    folder: Path
    seed: int


@dataclass(frozen=True)
class Told:
    """What a scenario hands over: its ground, still up, and what was seen until it came to rest."""

    ground: Ground
    watched: Watched
    wrong: tuple[str, ...] = ()
    """What the scenario itself found wrong, beside the proofs that all share."""


Scenario = Callable[[Run], AbstractContextManager[Told]]


@dataclass
class Outcome:
    """A line of the table."""

    name: str
    faults: int = 0
    found: Found = field(default_factory=Found)
    seconds: float = 0.0

    @property
    def holds(self) -> bool:
        return not self.found.wrong


def run_one(named: tuple[str, Scenario], *, seed: int, keep: Path | None = None) -> Outcome:
    """One scenario to its end; *keep* is where its workspace and logs stay. What it raises is found wrong, too."""
    name, scenario = named
    outcome = Outcome(name)
    with _folder(name, keep) as folder:
        try:
            with scenario(Run(folder, seed)) as told:
                outcome.faults, outcome.seconds = told.ground.injected, told.watched.seconds
                if not told.watched.rested:
                    outcome.found.wrong.append(f"it does not come to rest: {told.watched.why_not}")
                outcome.found.wrong += told.wrong
                prove(told.ground, told.watched, outcome.found)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            outcome.found.wrong.append(f"{type(error).__name__} at {Path(where.filename).name}:{where.lineno}: {error}")
    return outcome


def run_all(
    scenarios: Mapping[str, Scenario],
    *,
    seed: int,
    at_once: int = 1,
    keep: Path | None = None,
    tell: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """Every scenario, *at_once* of them side by side: most of their time they wait. *tell* hears of each that ends."""

    def one(named: tuple[str, Scenario]) -> Outcome:
        outcome = run_one(named, seed=seed, keep=keep)
        tell(outcome)
        return outcome

    with ThreadPoolExecutor(at_once, thread_name_prefix="scenario") as pool:
        return list(pool.map(one, scenarios.items()))


HEAD = ("scenario", "faults injected", "events lost", "doubled", "runs left running", "seconds to converge", "holds")


def line(outcome: Outcome) -> tuple[str, ...]:
    """The outcome as a line of the table."""
    found = outcome.found
    numbers = (outcome.faults, found.lost, found.doubled, found.left_running)
    return (outcome.name, *map(str, numbers), f"{outcome.seconds:.1f}", "yes" if outcome.holds else "NO")


@contextmanager
def _folder(name: str, keep: Path | None) -> Iterator[Path]:
    if keep is None:
        with tempfile.TemporaryDirectory(prefix=f"chaos-{name}-", ignore_cleanup_errors=True) as made:
            yield Path(made)
        return
    folder = keep / name
    folder.mkdir(parents=True)
    yield folder
