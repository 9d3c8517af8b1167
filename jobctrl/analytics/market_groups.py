"""What jobs are grouped by when their pay is compared: kind of work, level, country, mode of work."""

from __future__ import annotations

from typing import Literal

import polars as pl

from jobctrl.scoring.roles import families_of, seniority_of

By = Literal["all", "family", "level", "country", "mode"]
NOT_SAID = "not said"
"""The group of the postings that do not say. They are counted, never guessed into another."""


def title_families(title: str) -> list[str]:
    """The kinds of work a title names, by the project's own table of titles (`scoring/roles.txt`).

    Rank, place and what stands in brackets are passed over; the longest phrase counts; "software" beside a narrower
    kind adds nothing. A title of two kinds belongs to both, and one that names none to neither.
    """
    return sorted(families_of(title)) or [NOT_SAID]


def title_level(title: str) -> str:
    """The level a title states, by its weightiest word."""
    level = seniority_of(title)
    return level.value.replace("_", " ") if level else NOT_SAID


def grouped(jobs: pl.DataFrame, by: By) -> pl.DataFrame:
    """*jobs* (title, countries, mode) with a column `group`; a job of two kinds or two countries has two rows."""
    match by:
        case "family" | "level":
            titles = jobs["title"].unique(maintain_order=True)
            groups = [title_families(title) if by == "family" else [title_level(title)] for title in titles]
            known = pl.DataFrame({"title": titles, "group": groups}, schema={"title": pl.String, "group": _LIST})
            return jobs.join(known, on="title", how="left").explode("group")
        case "country":
            codes = pl.col("countries").str.strip_chars(",").str.split(",")
            return jobs.with_columns(codes.alias("group")).explode("group").with_columns(_said("group"))
        case "mode":
            return jobs.with_columns(_said("mode").alias("group"))
        case "all":
            return jobs.with_columns(pl.lit("all jobs").alias("group"))


_LIST = pl.List(pl.String)


def _said(column: str) -> pl.Expr:
    value = pl.col(column)
    return pl.when(value.is_null() | value.is_in(["", "unknown"])).then(pl.lit(NOT_SAID)).otherwise(value).alias(column)
