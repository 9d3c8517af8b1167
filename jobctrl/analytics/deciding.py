"""An action at a desk that can be taken back: what came of it, and what it would take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

from jobctrl.analytics.desk import Done, act
from jobctrl.operations.decisions import Decision
from jobctrl.pipeline.rules import materials_threshold
from jobctrl.settings.model import Settings
from jobctrl.spend.model import DaySpend


@dataclass(frozen=True)
class Decided(Done):
    """What came of an action, and how it is taken back: a decision, or the job whose correction is."""

    back: Decision | str | None = None

    @property
    def undo_label(self) -> str:
        """What the button that takes it back says; empty when nothing can be."""
        if isinstance(self.back, Decision):
            return f"Undo: {self.says}" if any(each.before != each.after for each in self.back.changes) else ""
        return f"Undo: {self.says}" if self.back else ""


class TakingBack(Protocol):
    """What is needed of the Operator."""

    def take_back(self, decision: Decision) -> Decision: ...

    def take_back_correction(self, key: str) -> str: ...


def decide(action: Callable[..., Decision], *arguments: Any) -> Decided:
    """Carry out one decision. Never raises."""
    kept: list[Decision] = []

    def carried_out() -> str:
        kept.append(action(*arguments))
        return kept[0].says

    done = act(carried_out)
    ids = tuple(change.job_id for change in kept[0].changes) if kept else ()
    return Decided(done.says, done.ok, ids, kept[0] if kept else None)


def correct(action: Callable[..., str], job_id: str, *arguments: Any) -> Decided:
    """Carry out one correction of a score. Never raises."""
    done = act(action, job_id, *arguments)
    return Decided(done.says, done.ok, (job_id,), job_id if done.ok else None)


def undo(operator: TakingBack, last: Decided) -> Decided:
    """Take the last action back. Never raises."""
    if isinstance(last.back, Decision):
        done = decide(operator.take_back, last.back)
        return Decided(done.says, done.ok, done.keys)
    restored = act(operator.take_back_correction, last.back)
    return Decided(restored.says, restored.ok, last.keys)


class Opened(Protocol):
    """What came of a retry: the stages that were opened again, and the runs that take them up."""

    @property
    def reset(self) -> Sequence[object]: ...
    @property
    def runs(self) -> Sequence[object]: ...


def retried(opened: Opened) -> str:
    """What came of a retry, in words."""
    if not opened.reset and not opened.runs:
        return "Nothing was opened: what failed would fail again, or is not there any more."
    many = "1 stage was" if len(opened.reset) == 1 else f"{len(opened.reset):,} stages were"
    taken = ", ".join(f"`{getattr(each, 'workflow_id', each)}`" for each in opened.runs)
    return f"{many} opened again{f', taken up by {taken}' if taken else '; nothing was started'}."


def cost_of_work(settings: Settings, spent: DaySpend) -> str:
    """What work that is started now may cost, in a sentence. Pure."""
    if settings.provider == "local":
        return "It costs nothing: the local model does it."
    left = max(settings.daily_budget_usd - spent.committed, Decimal(0))
    return f"It may call {settings.provider} and cost up to the ${left:,.2f} that are left of today's budget."


def means(jobs: int, settings: Settings, spent: DaySpend) -> str:
    """What the actions of the inbox do to the picked jobs, what they cost, and what cannot be undone. Pure."""
    many = "1 job is picked" if jobs == 1 else f"{jobs:,} jobs are picked"
    left = max(settings.daily_budget_usd - spent.committed, Decimal(0))
    paid = (
        "costs nothing, since the local model reads and writes"
        if settings.provider == "local"
        else f"is paid to {settings.provider}, within the ${left:,.2f} that are left of today's budget"
    )
    floor = materials_threshold(settings.min_fit_score)
    starts = "starts by itself while `jobctrl up` runs" if settings.automatic_preparation else "waits until you ask"
    return (
        f"{many}. **Keep**, **dismiss** and **later** record what you decide: they cost nothing, send nothing, and can "
        f"be undone. A **correction** to {floor} or more opens the way to a resume and a letter: "
        f"that {starts} and {paid}. Undoing it brings our score back; what was prepared or paid "
        "meanwhile stays."
    )
