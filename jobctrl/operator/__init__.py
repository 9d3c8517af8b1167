"""Every action a person can take: one class, its parts by context. `reading` is the half that looks."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jobctrl.operator.dispatch import Dispatch, Started
    from jobctrl.operator.operator import Operator
    from jobctrl.operator.reading import Reading

__all__ = ["Dispatch", "Operator", "Reading", "Started"]


def __getattr__(name: str) -> object:
    # Acting needs Temporal's client; who only looks does not wait for its import.
    if name == "Reading":
        from jobctrl.operator import reading

        return reading.Reading
    if name == "Operator":
        from jobctrl.operator import operator

        return operator.Operator
    if name in __all__:
        from jobctrl.operator import dispatch

        return getattr(dispatch, name)
    raise AttributeError(name)
