"""What the jobs that fit ask for, and which gaps of the person cost the most fit."""

from __future__ import annotations

from typing import Any, Literal

import polars as pl
from duckdb import DuckDBPyConnection
from scipy import stats

from jobctrl.analytics.ask import ask
from jobctrl.analytics.intervals import CONFIDENCE, with_rate
from jobctrl.analytics.source_quality import GOOD
from jobctrl.postings.model import Span
from jobctrl.scoring.model import FORMULA_VERSION, Fit, Requirement, Tier
from jobctrl.scoring.rules import row

Of = Literal["skill", "requirement"]
MOST = 25
MET = row(Requirement("", "", Tier.NICE_TO_HAVE, 1.0, Span(0, 0, "")), Fit.MATCHED).awarded
"""The share of its points that a requirement brings once it is met, as the ledger counts it without direct evidence."""


def wanted(db: DuckDBPyConnection, *, min_score: int = GOOD, of: Of = "skill", most: int = MOST) -> pl.DataFrame:
    """What jobs with a score of *min_score* or more ask for, the most wanted first.

    Columns: *of* (a skill by its usual name, or a requirement in a posting's words), jobs (that ask for it), n (jobs
    that fit and whose ledger is kept), rate (jobs of n, 0 to 1) with low and high (95%), must_have (of those jobs),
    met, partly, missing (of those jobs, as the ledger has it; a requirement that names several skills counts for each).
    Empty: no job that fits was read yet.
    """
    answer = ask(db, "wanted", of=of, min_score=min_score, most=most).rename({"wanted": of})
    rated = with_rate(answer, "jobs", "n")
    return rated.select(of, "jobs", "n", "rate", "low", "high", "must_have", "met", "partly", "missing")


def gaps(db: DuckDBPyConnection, *, min_score: int = GOOD, of: Of = "skill", most: int = MOST) -> pl.DataFrame:
    """What the ledger counts as missing or only near, the dearest over all scored jobs first.

    Columns: *of*, n (scored jobs that ask for it), missing, partly (jobs), rate (missing of n, 0 to 1) with low and
    high (95%), points_lost (ledger points, over all jobs), losing (jobs that lose by it), score_lost (of the 1 to 10
    points, over those jobs), mean_lost (of a job that loses by it) with mean_low and mean_high (95%, Student's t; null
    for a single job), below (of those, jobs under *min_score* that nothing blocks), would_cross (of those, jobs that
    would reach it if this alone were met). A requirement that names several skills counts for each of them, so losses
    do not add up. Scores that a person corrected are left out. Empty: no ledger counts anything as missing.
    """
    answer = with_rate(_gaps(db, min_score, of, most, None), "missing", "n").rename({"wanted": of})
    losing = answer["losing"].to_numpy()
    steps = pl.Series(stats.t.ppf((1 + CONFIDENCE) / 2, (losing - 1).clip(1)))
    reach = pl.when(pl.col("losing") > 1).then(pl.col("spread") * steps / pl.col("losing").sqrt())
    return answer.with_columns(
        (pl.col("mean_lost") - reach).clip(0).alias("mean_low"), (pl.col("mean_lost") + reach).alias("mean_high")
    ).select(
        of, "n", "missing", "partly", "rate", "low", "high", "points_lost", "losing", "score_lost", "mean_lost",
        "mean_low", "mean_high", "below", "would_cross",
    )  # fmt: skip


def crossing(db: DuckDBPyConnection, *, lacking: str = "", min_score: int = GOOD, of: Of = "skill") -> pl.DataFrame:
    """The jobs that would reach *min_score* if *lacking* alone were met, as `gaps` counts them.

    Columns: job_id, title, employer, score (1 to 10), would_be (1 to 10). Empty: there is none.
    """
    found = _gaps(db, min_score, of, 1, lacking)["crossing"].drop_nulls()
    jobs = pl.DataFrame(found.to_list()[0] if len(found) else [], schema=_CROSSING)
    names = ask(db, "job_names", jobs=jobs["job_id"].to_list())
    named = jobs.join(names, on="job_id", how="left", maintain_order="left")
    return named.select("job_id", "title", "employer", "score", "would_be")


_CROSSING: dict[str, Any] = {"job_id": pl.String, "score": pl.Int64, "would_be": pl.Int64}


def _gaps(db: DuckDBPyConnection, min_score: int, of: Of, most: int, lacking: str | None) -> pl.DataFrame:
    return ask(db, "gaps", min_score=min_score, of=of, most=most, wanted=lacking, met=MET, formula=FORMULA_VERSION)
