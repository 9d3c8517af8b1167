"""The one class behind every face: what a person can do, in one place."""

from __future__ import annotations

from dataclasses import dataclass

from jobctrl.operator.dispatch import Dispatch
from jobctrl.operator.local import LocalOperator
from jobctrl.operator.runs import RunActions


@dataclass
class Operator(LocalOperator, RunActions):
    """Made by `jobctrl.runtime.open_operator`; the CLI, the API and the notebooks call nothing else to act."""

    dispatch: Dispatch
