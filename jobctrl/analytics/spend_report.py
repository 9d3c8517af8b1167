"""The spend report: where the money went, and what came of it."""

from __future__ import annotations

from duckdb import DuckDBPyConnection

from jobctrl.analytics import charts_spend
from jobctrl.analytics.budget import threshold_costs
from jobctrl.analytics.sections import Report, Section
from jobctrl.analytics.spend import charges, spend, spend_days, unit_costs


def spend_report(db: DuckDBPyConnection) -> Report:
    ledger = charges(db)
    return Report(
        "What does the search cost?",
        f"{len(ledger)} paid calls, ${spend(db)['total_usd'].sum():,.2f} spent or set aside.",
        (
            *spend_sections(db),
            Section("charges", "Calls", "Every paid call.", ledger, charges, "No call was paid for."),
        ),
    )


def spend_sections(db: DuckDBPyConnection) -> tuple[Section, ...]:
    """By day, by stage, by model, what came of it, and what being less choosy would cost."""
    lower = threshold_costs(db)
    days, by_lane, each = spend_days(db), spend(db, by="lane"), unit_costs(db)
    none = "No call was paid for."
    redo = (
        "again = charges.group_by('{by}').agg(pl.col('total_usd_micros').sum()).sort('{by}')\n"
        "assert again.equals({name}.select('{by}', 'total_usd_micros').sort('{by}'))\n"
        "again.with_columns(usd=pl.col('total_usd_micros') / 1e6)"
    )
    return (
        Section(
            "spend_by_day",
            "By day",
            "UTC days.",
            spend(db),
            spend,
            none,
            chart=None if days.is_empty() else charts_spend.spend_by_day(days),
            redo=redo.format(by="day", name="spend_by_day"),
            ground="charges",
        ),
        Section(
            "spend_by_lane",
            "By stage",
            "A lane is named after the stage that it works for.",
            by_lane,
            spend,
            none,
            chart=None if by_lane.is_empty() else charts_spend.spend_bars(by_lane, "lane"),
            redo=redo.format(by="lane", name="spend_by_lane"),
            ground="charges",
        ),
        Section("spend_by_model", "By model", "As the provider names it.", spend(db, by="model"), spend, none),
        Section(
            "unit_costs",
            "What one of each costs",
            "All money, discarded and failed work included, over what came of it.",
            each,
            unit_costs,
            none,
            chart=None if days.is_empty() else charts_spend.unit_cost_bars(each),
        ),
        Section(
            "threshold_costs",
            "What a lower threshold would cost",
            "At the cost of a prepared job so far. Materials are never made below the floor.",
            lower,
            threshold_costs,
            "The threshold is the lowest there is.",
            chart=charts_spend.threshold_bars(lower) if lower["usd"].is_not_null().any() else None,
        ),
    )
