"""Made-up applications and real ones are never counted together: which of them a question means."""

from __future__ import annotations

from duckdb import DuckDBPyConnection

from jobctrl.analytics.ask import ask


def counts_made_up(db: DuckDBPyConnection, simulated: bool | None) -> bool:
    """Whether the made-up applications are meant: as *simulated* says; without it, only when there is no real one."""
    return bool(ask(db, "made_up").item()) if simulated is None else simulated
