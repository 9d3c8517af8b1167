"""What a person has decided on a job, and one decision on many with what it takes to bring each back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["kept", "dismissed", "snoozed", "put back"]


@dataclass(frozen=True)
class Standing:
    """What a person has decided on one job so far."""

    hidden: bool = False
    feedback: str | None = None
    snoozed_until: str | None = None


UNDECIDED = Standing()


@dataclass(frozen=True)
class Change:
    job_id: str
    before: Standing
    after: Standing


@dataclass(frozen=True)
class Decision:
    """One decision on one or more jobs, with what it needs to be taken back."""

    kind: Kind
    says: str
    changes: tuple[Change, ...]
