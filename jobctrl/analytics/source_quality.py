"""Which sources are worth reading, and which have begun to say less than they did."""

from __future__ import annotations

from typing import Any

import polars as pl
from duckdb import DuckDBPyConnection
from scipy import stats

from jobctrl.analytics.ask import ask
from jobctrl.analytics.intervals import with_rate
from jobctrl.analytics.made_up import counts_made_up
from jobctrl.discovery.registry import MIN_SAMPLE

GOOD = 7
"""The score from which a job counts as good when nothing else is said."""
JUMP = 0.2
"""A share of empty fields that rises by less is no alarm …"""
CHANCE = 0.001
"""… nor is a rise that luck brings about this often."""
SHRUNK, GROWN = 0.5, 3.0
"""A board with so few, or so many, of the rows it had has changed."""
FEW = 10
"""Below so many rows a board's size says nothing."""
POOR = 0.25
"""A source of which less than this is still open, or can be read, is not worth its readings."""
_SHARES = (
    ("duplicate", "duplicates", "found"),
    ("first_finder", "first_found", "jobs"),
    ("active", "active", "checked"),
    ("expiry", "expired", "checked"),
    ("detail", "detail_read", "detail_tried"),
    ("reply", "replied", "applied"),
    ("interview", "interviews", "applied"),
)


def source_quality(db: DuckDBPyConnection, *, min_score: int = GOOD, simulated: bool | None = None) -> pl.DataFrame:
    """One row a source, those with the most jobs that nobody else shows first.

    Columns: source_id, display_name, kind, state, recommended_state, evidence (why it is recommended); runs,
    failed_runs, consecutive_failures, refused_runs, last_run_at (UTC), last_error; rows over all readings: returned =
    admitted + merged + filtered + rejected, seen_before (of the merged), duplicates (known from another address),
    found (admitted + duplicates); jobs (shown by it), unique_jobs (by it alone: what would be lost without it),
    good_lost_without (of those, scored *min_score* or more), first_found, good (first found and scored so); active,
    expired, checked (known to be open or closed); detail_read, detail_tried; applied, replied, interviews (of jobs it
    found first); usd (all calls for jobs it found first, US dollars); and for duplicate, first_finder, active, expiry,
    detail, reply and interview the share as `…_rate` with `…_low` and `…_high` (95%, null without a case); simulated
    (outcomes are made up). *simulated* picks the made-up applications or the real ones; None takes the real ones if
    there are any. Empty: no source was added.
    """
    answer = ask(db, "source_quality", min_score=min_score, made_up=counts_made_up(db, simulated))
    for name, part, whole in _SHARES:
        answer = with_rate(answer, part, whole, prefix=f"{name}_")
    answer = answer.with_columns((pl.col("usd_micros") / 1e6).alias("usd")).drop("usd_micros")
    return _recommended(answer)


def _recommended(answer: pl.DataFrame) -> pl.DataFrame:
    """The registry judges failures and duplicates; what became of the jobs is judged here. Each with its evidence."""
    failures, kept = pl.col("consecutive_failures"), pl.col("recommended_state") == "keep"
    shares = (("active", "checked", "are still open"), ("detail", "detail_tried", "could be read in full"))
    poor = {name: (pl.col(whole) >= MIN_SAMPLE) & (pl.col(f"{name}_rate") < POOR) for name, whole, _ in shares}
    evidence = (
        pl.when(failures >= 1)
        .then(pl.format("failures in a row: {}, the last: {}", failures, pl.col("last_error").fill_null("unknown")))
        .when(~kept)
        .then(_told("duplicate", "found", "finds are known from elsewhere"))
    )
    for name, whole, says in shares:
        evidence = evidence.when(poor[name]).then(_told(name, whole, says))
    evidence = evidence.when(pl.col("runs") == 0).then(pl.lit("not read yet"))
    return answer.with_columns(
        evidence.otherwise(pl.format("{} jobs nobody else shows", pl.col("unique_jobs"))).alias("evidence"),
        pl.when(kept & pl.any_horizontal(*poor.values()))
        .then(pl.lit("quarantined"))
        .otherwise(pl.col("recommended_state"))
        .alias("recommended_state"),
    )


def _told(name: str, whole: str, says: str) -> pl.Expr:
    """A share in words, with n and its interval."""
    share, low, high = ((pl.col(f"{name}_{end}") * 100).round(0).cast(pl.Int64) for end in ("rate", "low", "high"))
    return pl.format("{}% of {} {} (95%: {} to {}%)", share, pl.col(whole), pl.lit(says), low, high)


def source_overlap(db: DuckDBPyConnection) -> pl.DataFrame:
    """Pairs of sources that show the same jobs.

    Columns: source_a, source_b, shared (jobs), jobs_a, jobs_b, share (of the smaller one). Empty: no two show the same.
    """
    smaller = pl.min_horizontal("jobs_a", "jobs_b")
    return ask(db, "source_overlap").with_columns((pl.col("shared") / smaller).alias("share"))


def turned_away(db: DuckDBPyConnection, *, runs: int = 1) -> pl.DataFrame:
    """Why rows did not become jobs, over the last *runs* readings of each source.

    Columns: source_id, outcome (filtered or rejected), reason, rows. Empty: every row was wanted and readable.
    """
    return ask(db, "turned_away", runs=runs)


def field_gaps(db: DuckDBPyConnection, *, runs: int = 5) -> pl.DataFrame:
    """The share of rows that state nothing for a field, in the last reading and in the *runs* before it.

    Columns: source_id, field, read_at (UTC), nulls_before, n_before, nulls_now, n_now (rows), before (share, null
    without an earlier reading), now (share) with low and high (95%). Empty: nothing was read yet.
    """
    answer = with_rate(ask(db, "field_gaps", runs=runs), "nulls_now", "n_now").rename({"rate": "now"})
    share = pl.when(pl.col("n_before") > 0).then(pl.col("nulls_before") / pl.col("n_before"))
    return answer.with_columns(share.alias("before"))


def drift_alarms(db: DuckDBPyConnection, *, runs: int = 5) -> pl.DataFrame:
    """What changed at a source since its last *runs* readings: fields went empty, rows unreadable, its size jumped.

    Columns: source_id, what (field, unreadable or volume), field (null for the others), read_at (UTC), before, now
    (share of empty or unreadable rows; for volume, rows), n_before, n_now (rows; for volume readings and 1), says (a
    sentence). Empty: nothing to worry about.
    """
    boards = ask(db, "volumes", runs=runs)
    rows = [
        _alarm(gap, "field", gap["field"], f"{gap['field']} is empty")
        for gap in field_gaps(db, runs=runs).iter_rows(named=True)
        if _jumped(gap)
    ]
    # A renamed title or id leaves no row to look into: it is the rows themselves that cannot be read any more.
    rows += [
        _alarm(board, "unreadable", None, "nothing could be read")
        for board in boards.iter_rows(named=True)
        if _jumped(board)
    ]
    rows += [
        (
            board["source_id"], "volume", None, board["read_at"], board["rows_before"], float(board["rows_now"]),
            board["readings_before"], 1,
            f"{board['rows_now']} rows; the readings before had about {board['rows_before']:.0f}",
        )
        for board in boards.iter_rows(named=True)
        if board["rows_before"] >= FEW
        and not SHRUNK * board["rows_before"] <= board["rows_now"] <= GROWN * board["rows_before"]
    ]  # fmt: skip
    schema: dict[str, Any] = {
        "source_id": pl.String, "what": pl.String, "field": pl.String, "read_at": pl.Datetime("ms", "UTC"),
        "before": pl.Float64, "now": pl.Float64, "n_before": pl.Int64, "n_now": pl.Int64, "says": pl.String,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def _alarm(gap: dict[str, Any], what: str, field: str | None, says: str) -> tuple[Any, ...]:
    before, now = gap["nulls_before"] / gap["n_before"], gap["nulls_now"] / gap["n_now"]
    sentence = f"{says} in {now:.0%} of {gap['n_now']} rows; it was in {before:.0%}"
    return gap["source_id"], what, field, gap["read_at"], before, now, gap["n_before"], gap["n_now"], sentence


def _jumped(gap: dict[str, Any]) -> bool:
    """Whether so many more rows say nothing that luck alone would hardly do it: Fisher's exact test, one-sided."""
    if not gap["n_before"] or not gap["n_now"]:
        return False
    if gap["nulls_now"] / gap["n_now"] - gap["nulls_before"] / gap["n_before"] < JUMP:
        return False
    table = [
        [gap["nulls_now"], gap["n_now"] - gap["nulls_now"]],
        [gap["nulls_before"], gap["n_before"] - gap["nulls_before"]],
    ]
    return float(stats.fisher_exact(table, alternative="greater").pvalue) < CHANCE
