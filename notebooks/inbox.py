# Inbox: new good jobs that wait for a decision. Keep, dismiss, put off or correct, one or many at a time, and undo.
# /// script
# [tool.marimo.display]
# theme = "system"
# ///
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: inbox")

with app.setup:
    import marimo as mo

    from jobctrl.analytics import board, job_page, job_parts
    from jobctrl.analytics.deciding import correct, decide, means, undo
    from jobctrl.analytics.desk import look, looked, open_desk, tidy
    from jobctrl.analytics.picking import Once, Picked, headed
    from jobctrl.runtime import workspace_path
    from jobctrl.runtime.house import local_operator


@app.cell
def _():
    # Two states: what the last action came to, and the snapshot that is shown. A look that finds nothing new changes
    # neither, so that no list is made anew under the hand.
    said, tell = mo.state(None)
    seen, see = mo.state(open_desk(workspace_path()))
    picks, opens = Picked(), Once(local_operator)
    again = mo.ui.refresh(options=["15s", "60s", "5m"], default_interval="60s", label="Look again every")
    least = mo.ui.slider(1, 10, value=7, show_value=True, debounce=True, label="Scores from")
    show = mo.ui.dropdown(
        {"what waits": "waiting", "put off": "snoozed", "kept": "kept", "dismissed": "dismissed"},
        value="what waits",
        label="Show",
        allow_select_none=False,
    )
    return again, least, opens, picks, said, see, seen, show, tell


@app.cell
def _(again, said, see, seen):
    again.value, said()
    _now = open_desk(workspace_path())
    if (_now.position, _now.says) != (seen().position, seen().says):
        see(_now)
    return


@app.cell
def _(again):
    mo.hstack([mo.md("# Inbox"), again], justify="space-between", align="center")
    return


@app.cell
def _(seen):
    desk = seen()
    mo.stop(desk.db is None, mo.callout(mo.md(f"**The workspace cannot be read.** {desk.says}"), kind="danger"))
    return (desk,)


@app.cell
def _(desk, opens):
    desk
    operator, _wrong = looked(opens)
    mo.stop(operator is None, mo.callout(mo.md(f"**The workspace cannot be opened.** {_wrong}"), kind="danger"))
    return (operator,)


@app.cell
def _(desk, least, show):
    counts = board.standing(desk.db, min_score=least.value).row(0, named=True)
    listed = board.inbox(desk.db, min_score=least.value, show=show.value)
    mo.vstack(
        [
            mo.md(f"Good open jobs that nobody has decided on yet. {desk.says}"),
            mo.hstack(
                [
                    mo.stat(f"{len(listed):,}", label=f"listed: {show.selected_key}", bordered=True),
                    mo.stat(f"{counts['good']:,}", label=f"scored {least.value} or more", bordered=True),
                    mo.stat(f"{counts['ready']:,}", label="with finished PDFs", bordered=True),
                    mo.stat(f"{counts['applied']:,}", label="applied", bordered=True),
                ],
                widths="equal",
            ),
            mo.hstack([show, least], justify="start", align="center", gap=2),
        ]
    )
    return (listed,)


@app.cell
def _(said):
    _done = said()
    mo.output.replace(mo.callout(_done.says, kind="success" if _done.ok else "danger") if _done else None)
    return


@app.cell
def _():
    skip = mo.ui.run_button(label="Next", tooltip="Alt-N: pick the next one", keyboard_shortcut="Alt-n")
    return (skip,)


@app.cell
def _(listed, picks, show, skip):
    if skip.value:
        picks.skip(listed)
    _nothing = {
        "waiting": "**Nothing waits.** Lower the score, or find more with `jobctrl discover`.",
        "snoozed": "**Nothing is put off.**",
        "kept": "**Nothing is kept** that you have not applied to.",
        "dismissed": "**Nothing was dismissed.**",
    }
    mo.stop(listed.is_empty(), mo.callout(mo.md(_nothing[show.value]), kind="neutral"))
    picked = mo.ui.table(
        headed(tidy(listed)),
        **look(
            listed,
            selection="multi",
            initial_selection=picks.rows_or_next(listed),
            page_size=10,
            show_search=True,
            hidden_columns=["job_id", "url", "band", "found", "posting", "merges", "corrected"],
            freeze_columns_left=["score", "title"],
            label="Pick one or more, then decide below. After a decision the next one is picked.",
        ),
    )
    picked
    return (picked,)


@app.cell
def _(listed, picked, picks):
    chosen = picked.value["job_id"].to_list()
    picks.keep(listed, chosen)
    return (chosen,)


@app.cell
def _(chosen, listed, operator):
    _first = listed.filter(job_id=chosen[0]).row(0, named=True) if chosen else {}
    _n, _none = len(chosen), not chosen
    keep = mo.ui.run_button(
        kind="success",
        label=f"Keep {_n}",
        disabled=_none,
        keyboard_shortcut="Alt-a",
        tooltip="Alt-A: you want to pursue it",
    )
    dismiss = mo.ui.run_button(
        kind="danger", label=f"Dismiss {_n}", disabled=_none, keyboard_shortcut="Alt-x", tooltip="Alt-X: out of sight"
    )
    later = mo.ui.run_button(
        label=f"Later {_n}", disabled=_none, keyboard_shortcut="Alt-l", tooltip="Alt-L: it comes back by itself"
    )
    back = mo.ui.run_button(
        label=f"Put back {_n}", disabled=_none, keyboard_shortcut="Alt-b", tooltip="Alt-B: undecided again"
    )
    why = mo.ui.dropdown(
        ["not interested", "wrong place", "pay too low", "wrong level", "employer"],
        value="not interested",
        label="because",
        allow_select_none=False,
    )
    days = mo.ui.number(1, 365, value=7, step=1, label="for days")
    score = mo.ui.number(1, 10, step=1, value=_first.get("fit_score") or 5, label="The score should be")
    reason = mo.ui.text(placeholder="because …", label="reason", max_length=400)
    mend = mo.ui.run_button(label="Correct the score", disabled=_n != 1, tooltip="Of the one that is picked")
    means_what, _wrong = looked(lambda: means(_n, operator.settings(), operator.spent_today()))
    return back, days, dismiss, keep, later, means_what, mend, reason, score, why


@app.cell
def _(back, days, dismiss, keep, later, means_what, mend, reason, score, show, skip, why):
    mo.vstack(
        [
            mo.hstack(
                [keep, dismiss, why, later, days, skip] if show.value == "waiting" else [back, keep, dismiss, why],
                justify="start",
                align="center",
                wrap=True,
            ),
            mo.hstack([score, reason, mend], justify="start", align="end", wrap=True),
            mo.md(f"<small>{means_what or ''}</small>"),
        ]
    )
    return


@app.cell
def _(chosen, keep, operator, tell):
    mo.stop(not keep.value)
    tell(decide(operator.save_jobs, chosen))
    return


@app.cell
def _(chosen, dismiss, operator, tell, why):
    mo.stop(not dismiss.value)
    tell(decide(operator.dismiss_jobs, chosen, why.value))
    return


@app.cell
def _(chosen, days, later, operator, tell):
    mo.stop(not later.value)
    tell(decide(operator.snooze_jobs, chosen, int(days.value or 0)))
    return


@app.cell
def _(back, chosen, operator, tell):
    mo.stop(not back.value)
    tell(decide(operator.put_back_jobs, chosen))
    return


@app.cell
def _(chosen, mend, operator, reason, score, tell):
    mo.stop(not mend.value)
    tell(correct(operator.correct_score, chosen[0], int(score.value or 0), reason.value))
    return


@app.cell
def _(said):
    _words = said().undo_label if said() else ""
    take_back = mo.ui.run_button(label=_words or "Undo", keyboard_shortcut="Alt-z", tooltip="Alt-Z")
    mo.output.replace(take_back if _words else None)
    return (take_back,)


@app.cell
def _(operator, said, take_back, tell):
    mo.stop(not take_back.value)
    tell(undo(operator, said()))
    return


@app.cell
def _(chosen, operator):
    mo.stop(len(chosen) != 1, mo.md("*Pick a single job to read it here.*" if chosen else ""))
    _view, _wrong = looked(operator.show_job, chosen[0])
    mo.stop(_view is None, mo.callout(mo.md(f"**This job cannot be shown.** {_wrong}"), kind="danger"))
    mo.vstack(
        [
            job_page.summary(_view),
            job_page.table(
                job_parts.ledger_frame(_view.requirements).select("requirement", "tier", "fit", "points", "of"),
                "Not scored yet.",
                label="Why it scored so.",
            ),
            job_page.posting(_view),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
