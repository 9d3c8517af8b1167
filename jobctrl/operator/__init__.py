"""Every action a person can take: one class, its parts by context."""

from jobctrl.operator.dispatch import Dispatch, Started
from jobctrl.operator.operator import Operator

__all__ = ["Dispatch", "Operator", "Started"]
