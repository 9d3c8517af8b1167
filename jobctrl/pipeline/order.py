"""The stages that a pipeline run can be asked for, in their order, and what each of them asks of a job. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from jobctrl.errors import InvalidRequest
from jobctrl.stages.model import ORDER, Stage

PIPELINE = tuple(stage.value for stage in ORDER if stage is not Stage.APPLY)
"""Discover, enrich, score, tailor, cover. Applying needs a person's approval of exact materials, job by job."""
PER_JOB = {"score": ("score",), "tailor": ("tailor",), "cover": ("cover", "pdf")}
"""The stages that are run job by job, with the steps of each: a letter is finished by its PDF."""


def in_order(stages: Sequence[str]) -> list[str]:
    """*stages* once each, in the order in which they run. Raises InvalidRequest for any that cannot be run."""
    if Stage.APPLY.value in stages:
        raise InvalidRequest(
            "Applying is not started as a stage: every application needs a person's approval of its exact materials.",
            hint="Review the job with `jobctrl show JOB`, apply by hand, then `jobctrl jobs applied JOB`.",
        )
    unknown = sorted(set(stages) - set(PIPELINE))
    if unknown:
        raise InvalidRequest(f"There are no such stages: {', '.join(unknown)}; these are: {', '.join(PIPELINE)}.")
    if not stages:
        raise InvalidRequest("No stage was asked for.", hint=f"These are: {', '.join(PIPELINE)}.")
    return [stage for stage in PIPELINE if stage in stages]


def continuation(stage: str) -> list[str]:
    """*stage* and what follows from it for one job."""
    return in_order(PIPELINE[PIPELINE.index(stage) :])
