"""The SQLite workspace: open, append (and fold in the same transaction), read a stream, keep contents by hash."""

from jobctrl.store.execution import Execution, acting_execution, acting_for, current_execution
from jobctrl.store.read_table import ReadTable
from jobctrl.store.statements import script, statements
from jobctrl.store.store import Store, Transaction, moment, utc_now
from jobctrl.store.table import Row, Table

__all__ = [
    "Execution",
    "ReadTable",
    "Row",
    "Store",
    "Table",
    "Transaction",
    "acting_execution",
    "acting_for",
    "current_execution",
    "moment",
    "script",
    "statements",
    "utc_now",
]
