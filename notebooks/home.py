# Today: what waits for a decision, what runs, what it costs, what is wrong, and the way to every other desk.
# /// script
# [tool.marimo.display]
# theme = "system"
# ///
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: today")

with app.setup:
    from datetime import UTC, datetime
    from functools import partial

    import marimo as mo

    from jobctrl.analytics.desk import act, bar, links, look, looked, open_desk, plain, tidy
    from jobctrl.analytics.reports import REPORTS
    from jobctrl.analytics.today import today
    from jobctrl.runtime import workspace_path
    from jobctrl.runtime.desks import HOME, desks
    from jobctrl.runtime.doing import report
    from jobctrl.runtime.house import local_operator
    from jobctrl.runtime.last_backup import last_backup


@app.cell
def _():
    again = mo.ui.refresh(options=["15s", "60s", "5m"], default_interval="60s", label="Look again every")
    mo.vstack(
        [
            mo.hstack([mo.md("# Today"), again], justify="space-between", align="center"),
            mo.md(" · ".join(f"[{desk.title}](../{desk.name}/)" for desk in desks() if desk.name != HOME)),
        ]
    )
    return (again,)


@app.cell
def _(again):
    again.value
    desk = open_desk(workspace_path())
    mo.callout(
        mo.md(f"**The workspace cannot be read.** {plain(desk.says)}"), kind="danger"
    ) if desk.db is None else mo.md(plain(desk.says))
    return (desk,)


@app.cell
def _(desk):
    mo.stop(desk.db is None)
    present, _problem = looked(
        partial(today, desk.db, local_operator, last_backup, facts=desk.position, now=datetime.now(UTC))
    )
    mo.stop(present is None, mo.callout(mo.md(f"**Today cannot be told.** {plain(_problem)}"), kind="danger"))
    return (present,)


@app.cell
def _(present):
    _made_up = ", made up" if present.counts["simulated"] else ""
    mo.hstack(
        [
            mo.stat(
                present.waiting, label="wait in the inbox", caption=f"scored {present.least} or more", bordered=True
            ),
            mo.stat(present.counts["ready"], label="to review", caption="PDFs made, not applied", bordered=True),
            mo.stat(len(present.running), label="runs open", caption="see below", bordered=True),
            mo.stat(
                present.counts["applied"],
                label="applied",
                caption=f"{present.counts['interviews']} with an interview{_made_up}",
                bordered=True,
            ),
        ],
        widths="equal",
    )
    return


@app.cell
def _(present):
    mo.callout(
        mo.md(
            "**Nothing was found yet.** Say who you are under [Profile](../profile/), add a board under "
            "[Sources](../sources/), then start `jobctrl up` and `jobctrl discover`."
        ),
        kind="neutral",
    ) if not present.counts["jobs"] else None
    return


@app.cell
def _(present):
    mo.vstack(
        [
            mo.md("### What is wrong"),
            mo.callout(
                mo.md("Nothing: no board fails, no stage gave up, the budget lasts, a backup stands."), kind="success"
            )
            if present.wrong.is_empty()
            else mo.vstack(
                [
                    mo.callout(
                        mo.md(
                            f"**{plain(row['about'])}**: {plain(row['says'])}"
                            + (f" [Look](../{row['desk']}/)" if row["desk"] else "")
                        ),
                        kind="danger" if row["level"] == "bad" else "warn",
                    )
                    for row in present.wrong.head(6).iter_rows(named=True)
                ]
            ),
            *(
                [
                    mo.ui.table(
                        present.wrong,
                        **look(present.wrong, label=f"All {len(present.wrong)}", column_widths={"says": 480}),
                    )
                ]
                if len(present.wrong) > 6
                else []
            ),
        ]
    )
    return


@app.cell
def _(present):
    _known = present.spent is not None
    mo.vstack(
        [
            mo.md("### Money of this UTC day"),
            mo.hstack(
                [
                    mo.stat(f"${present.spent.settled:,.2f}" if _known else "–", label="spent", bordered=True),
                    mo.stat(
                        f"${present.spent.reserved + present.spent.held:,.2f}" if _known else "–",
                        label="reserved or held",
                        bordered=True,
                    ),
                    mo.stat(f"${present.ceiling:,.2f}" if present.ceiling else "none", label="ceiling", bordered=True),
                ],
                widths="equal",
            ),
            *([mo.Html(bar(present.share, label="Share of the day's ceiling"))] if present.share is not None else []),
        ]
    )
    return


@app.cell
def _(present):
    _shown = present.running.select("workflow_type", "started_at", "steps", "steps_done", "steps_failed", "workflow_id")
    mo.vstack(
        [
            mo.md("### What runs"),
            mo.md(plain(present.run)),
            mo.md("*No run is open.*") if _shown.is_empty() else mo.ui.table(tidy(_shown), **look(_shown, page_size=5)),
        ]
    )
    return


@app.cell
def _():
    mo.vstack(
        [
            mo.md("### Every desk, and what it is for"),
            mo.Html(links((desk.name, desk.title, desk.says) for desk in desks() if desk.name != HOME)),
        ]
    )
    return


@app.cell
def _():
    which = mo.ui.dropdown(list(REPORTS), value="weekly", label="Report", allow_select_none=False)
    write = mo.ui.run_button(label="Write it", tooltip="A page, a notebook and its data, in the folder `reports`")
    mo.vstack(
        [
            mo.md("### Reports"),
            mo.md("Names, mail, notes and titles of jobs are in none of them. Writing one again takes its place."),
            mo.hstack([which, write], justify="start", align="end"),
        ]
    )
    return which, write


@app.cell
def _(which, write):
    mo.stop(not write.value)
    _written = act(
        report, which.value, None, ("html", "ipynb", "parquet", "csv", "md"), says=lambda files: f"Written: {files[0]}"
    )
    mo.callout(mo.md(plain(_written.says)), kind="success" if _written.ok else "danger")
    return


if __name__ == "__main__":
    app.run()
