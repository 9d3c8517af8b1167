# Spending: today's budget, where the money went, and what an interview costs.
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: spending")

with app.setup:
    from datetime import UTC, datetime

    import marimo as mo

    from jobctrl.analytics import charts, spend
    from jobctrl.analytics.desk import act, look, open_desk, tidy
    from jobctrl.runtime import open_operator, workspace_path


@app.cell
def _():
    # What the last action came to. A state, since the budget shown here is read again after it.
    said, tell = mo.state(None)
    reload = mo.ui.run_button(label="Reload", tooltip="Read what is new")
    by = mo.ui.dropdown(["lane", "stage", "model", "provider", "job", "day"], value="lane", label="Split by")
    return by, reload, said, tell


@app.cell
def _(reload, said):
    said(), reload.value
    desk = open_desk(workspace_path())
    mo.stop(desk.db is None, mo.callout(mo.md(f"**The workspace cannot be read.** {desk.says}"), kind="danger"))
    return (desk,)


@app.cell
def _(desk, said):
    said(), desk
    ceiling = float(open_operator(workspace_path()).settings().daily_budget_usd)
    return (ceiling,)


@app.cell
def _(ceiling, desk, reload):
    today = spend.forecast(desk.db, ceiling_usd=ceiling, now=datetime.now(UTC)).row(0, named=True)
    _share = min(today["share"] or 0, 1)
    _full = "#d55e00" if _share >= 0.9 else "#0072b2"
    _meets = today["reaches_at"]
    mo.vstack(
        [
            mo.hstack([mo.md("# Spending"), reload], justify="space-between", align="center"),
            mo.md(f"Paid calls, by the provider's own count. {desk.says}"),
            mo.hstack(
                [
                    mo.stat(f"${today['spent_usd']:,.2f}", label="spent this UTC day", bordered=True),
                    mo.stat(f"${today['set_aside_usd']:,.2f}", label="set aside", bordered=True),
                    mo.stat(f"${ceiling:,.2f}" if ceiling else "none", label="day's ceiling", bordered=True),
                    mo.stat(
                        f"{_meets:%H:%M} UTC" if _meets else "not today",
                        label="ceiling met at this pace",
                        bordered=True,
                    ),
                ],
                widths="equal",
            ),
            mo.Html(
                '<div style="height:14px;border-radius:7px;background:#e2e8f0;overflow:hidden" role="progressbar" '
                f'aria-valuenow="{_share:.0%}"><div style="width:{_share:.1%};height:100%;background:{_full}"></div></div>'
            ),
        ]
    )
    return


@app.cell
def _(said):
    _done = said()
    mo.callout(_done.says, kind="success" if _done.ok else "danger") if _done else None
    return


@app.cell
def _(ceiling):
    budget = mo.ui.number(0, 10_000, step=0.5, value=ceiling, label="Ceiling of a UTC day, US dollars (0: none)")
    change = mo.ui.run_button(label="Change it")
    mo.hstack([budget, change], justify="start", align="end")
    return budget, change


@app.cell
def _(budget, change, tell):
    mo.stop(not change.value)
    tell(act(open_operator(workspace_path()).change_setting, "daily_budget_usd", budget.value))
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
    charts.spend_by_day(days, ceiling_usd=ceiling)
    return


@app.cell
def _(days, desk):
    mo.stop(days.is_empty())
    each = spend.unit_costs(desk.db)
    charts.unit_cost_bars(each)
    return


@app.cell
def _(by, days, desk):
    mo.stop(days.is_empty())
    split = spend.spend(desk.db, by=by.value)
    mo.vstack([by, charts.spend_bars(split.sort("total_usd", descending=True).head(20), by.value)])
    return (split,)


@app.cell
def _(split):
    _shown = split.drop("total_usd_micros")
    mo.ui.table(tidy(_shown), **look(_shown, show_download=True))
    return


if __name__ == "__main__":
    app.run()
