"""A workspace that has come to rest after its faults: all that the proofs look at."""

from __future__ import annotations

from dataclasses import dataclass

from jobctrl.events import Recorded
from tests.acceptance.chaos.ground import Ground
from tests.acceptance.chaos.looking import Exact, Standing, facts, listed, standing
from tests.acceptance.chaos.watch import Watched


@dataclass
class Case:
    """All that the proofs look at, read after the workspace has come to rest."""

    ground: Ground
    watched: Watched
    log: list[Recorded]
    seen: Standing
    temporal: dict[Exact, str]


def case_of(ground: Ground, watched: Watched) -> Case:
    """As the workspace stands now."""
    store = ground.house.store
    return Case(ground, watched, facts(store), standing(store), listed(ground))
