"""The SQLite workspace: open, append (and fold in the same transaction), read a stream, keep contents by hash."""

from jobctrl.store.execution import Execution, acting_for, current_execution
from jobctrl.store.read_table import ReadTable, revised
from jobctrl.store.statements import script, statements
from jobctrl.store.store import Store, Transaction, moment, utc_now

__all__ = [
    "Execution",
    "ReadTable",
    "Store",
    "Transaction",
    "acting_for",
    "current_execution",
    "moment",
    "revised",
    "script",
    "statements",
    "utc_now",
]
