"""Made-up searches of any size, for measuring and for trying the desks: seeded, and marked as simulated."""

from jobctrl.runtime.made_up.search import MadeUp, made_up_search

__all__ = ["MadeUp", "made_up_search"]
