# Spending: today's budget and how the day will end, where the money went, and what an interview costs.
# /// script
# [tool.marimo.display]
# theme = "system"
# ///
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: spending")

with app.setup:
    from datetime import UTC, datetime

    import marimo as mo

    from jobctrl.analytics import budget, charts_spend, spend
    from jobctrl.analytics.desk import act, bar, look, open_desk, tidy
    from jobctrl.runtime import open_operator, workspace_path


@app.cell
def _():
    # What the last action came to. A state, since the budget shown here is read again after it.
    said, tell = mo.state(None)
    again = mo.ui.refresh(options=["15s", "60s", "5m"], default_interval="60s", label="Look again every")
    by = mo.ui.dropdown(["lane", "stage", "model", "provider", "job", "day"], value="lane", label="Split by")
    return again, by, said, tell


@app.cell
def _(again, said):
    said(), again.value
    desk = open_desk(workspace_path())
    mo.stop(desk.db is None, mo.callout(mo.md(f"**The workspace cannot be read.** {desk.says}"), kind="danger"))
    return (desk,)


@app.cell
def _(desk):
    mo.stop(desk.db is None)
    chosen = open_operator(workspace_path()).settings()
    ceiling = float(chosen.daily_budget_usd)
    return ceiling, chosen


@app.cell
def _(again, ceiling, desk):
    clock = datetime.now(UTC)
    today = spend.forecast(desk.db, ceiling_usd=ceiling, now=clock).row(0, named=True)
    _share = today["share"] or 0
    mo.vstack(
        [
            mo.hstack([mo.md("# Spending"), again], justify="space-between", align="center"),
            mo.md(f"Paid calls, by the provider's own count. {desk.says}"),
            mo.hstack(
                [
                    mo.stat(f"${today['spent_usd']:,.2f}", label="spent this UTC day", bordered=True),
                    mo.stat(f"${today['set_aside_usd']:,.2f}", label="set aside, open or unknown", bordered=True),
                    mo.stat(f"${ceiling:,.2f}" if ceiling else "none", label="the day's ceiling", bordered=True),
                ],
                widths="equal",
            ),
            mo.Html(bar(_share, label="Share of the day's ceiling that is spent or set aside")),
        ]
    )
    return (clock,)


@app.cell
def _(ceiling, clock, desk):
    ends = budget.day_end(desk.db, ceiling_usd=ceiling, now=clock)
    _cards = []
    for _row in ends.iter_rows(named=True):
        _usd, _at = _row["ends_usd"], _row["reaches_at"]
        _value = "not known" if _usd is None else f"${_usd:,.2f}"
        if _at is not None:
            _value += f", ceiling at {_at:%H:%M} UTC"
        _cards.append(
            mo.stat(_value, label=f"at the day's end, by {_row['basis']}", caption=_row["says"], bordered=True)
        )
    mo.vstack(
        [
            mo.hstack(_cards, widths="equal"),
            mo.accordion({"The forecast in numbers": mo.ui.table(tidy(ends), **look(ends))}),
        ]
    )
    return


@app.cell
def _(said):
    _done = said()
    mo.callout(_done.says, kind="success" if _done.ok else "danger") if _done else None
    return


@app.cell
def _(said):
    # Read again after an action alone, so that looking again never takes away what is being typed.
    said()
    _known = open_desk(workspace_path())
    mo.stop(_known.db is None)
    _now = float(open_operator(workspace_path()).settings().daily_budget_usd)
    limit = mo.ui.number(0, 10_000, step=0.5, value=_now, label="Ceiling of a UTC day, US dollars (0: none)")
    change = mo.ui.run_button(label="Change it", tooltip="Counts at once, for every process; nothing is spent by it")
    mo.hstack([limit, change], justify="start", align="end")
    return change, limit


@app.cell
def _(change, limit, tell):
    mo.stop(not change.value)
    tell(act(open_operator(workspace_path()).change_setting, "daily_budget_usd", limit.value))
    return


@app.cell
def _(desk):
    days = spend.spend_days(desk.db)
    mo.stop(
        days.is_empty(),
        mo.callout(
            mo.md("**No call was paid for.** The local model costs nothing; a provider is chosen in the settings."),
            kind="neutral",
        ),
    )
    return (days,)


@app.cell
def _(ceiling, days):
    charts_spend.spend_by_day(days, ceiling_usd=ceiling)
    return


@app.cell
def _(days, desk):
    mo.stop(days.is_empty())
    each = spend.unit_costs(desk.db)
    mo.vstack(
        [
            charts_spend.unit_cost_bars(each),
            mo.ui.table(tidy(each), **look(each)),
        ]
    )
    return


@app.cell
def _(chosen, days, desk):
    mo.stop(days.is_empty())
    lower = budget.threshold_costs(desk.db, threshold=chosen.min_fit_score)
    mo.vstack(
        [
            mo.md(f"### With a threshold below {chosen.min_fit_score}"),
            mo.md("*No job was prepared yet, so nobody knows what one costs.*")
            if lower["usd"].is_null().all()
            else charts_spend.threshold_bars(lower),
            mo.ui.table(tidy(lower), **look(lower, freeze_columns_left=["threshold"])),
        ]
    )
    return


@app.cell
def _(by, days, desk):
    mo.stop(days.is_empty())
    split = spend.spend(desk.db, by=by.value)
    mo.vstack([by, charts_spend.spend_bars(split.sort("total_usd", descending=True).head(20), by.value)])
    return (split,)


@app.cell
def _(split):
    _shown = split.drop("total_usd_micros")
    mo.ui.table(tidy(_shown), **look(_shown, show_download=True))
    return


if __name__ == "__main__":
    app.run()
