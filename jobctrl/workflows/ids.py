"""Workflow ids: a run's id says what it is for, so a second start joins the first instead of doubling it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jobctrl.ids import TENANT, JobId, digest_of

DISCOVER = f"discover-{TENANT}"
WEEKLY_REPORT = f"weekly-report-{TENANT}"
"""Temporal puts the time of each run behind it."""
TARGET_VERSION = "1"
"""Of what a preparation makes; a new one prepares unchanged jobs again when they are asked for."""


def preparation_key(job_id: JobId, kind: str, target_version: str, source_event_id: str) -> str:
    """`preparation:<sha256>` over what is prepared and for which facts; a new source fact yields a new key."""
    return "preparation:" + digest_of(
        {
            "job_id": job_id,
            "kind": kind,
            "source_event_id": source_event_id,
            "target_version": target_version,
            "tenant_id": TENANT,
        }
    )


def preparation_id(key: str) -> str:
    return f"prep-{key}"


def key_of_preparation(workflow_id: str) -> str:
    """The idempotency key that a preparation's id is made of."""
    return workflow_id.removeprefix("prep-")


def pipeline_id(asked: Mapping[str, Any]) -> str:
    """`run-` and 32 hex digits over what is asked for: asking for the same while it runs joins it."""
    return f"run-{digest_of(asked)[:32]}"


def part_id(parent: str, stage: str, number: int | None = None) -> str:
    """The run that does one stage of *parent*, or the numbered part of it."""
    return f"{parent}-{stage}" if number is None else f"{parent}-{stage}-{number}"
