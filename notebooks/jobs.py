# All jobs: find by typing and choosing, keep filters under a name, open one in full with everything it stands on, act on it.
# /// script
# [tool.marimo.display]
# theme = "system"
# ///
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: jobs")

with app.setup:
    from html import escape

    import marimo as mo

    from jobctrl.analytics import board, job_page
    from jobctrl.analytics.board import BoardFilter
    from jobctrl.analytics.deciding import correct, decide, undo
    from jobctrl.analytics.desk import act, look, looked, open_desk, tidy
    from jobctrl.analytics.job_parts import own_words
    from jobctrl.analytics.picking import FACETS, LABELS, Filtering, Once, Picked, counted, headed, labels_of, options
    from jobctrl.runtime import workspace_path
    from jobctrl.runtime.house import local_operator

    MOST = 2000


@app.cell
def _():
    # Three states: what the last action came to, the snapshot that is shown, and the job that is open. A look that finds
    # nothing new, and typing that leaves the open job where it is, change none of them.
    said, tell = mo.state(None)
    seen, see = mo.state(open_desk(workspace_path()))
    opened, open_job = mo.state(None)
    picks, filtering, opens = Picked(), Filtering(), Once(local_operator)
    again = mo.ui.refresh(options=["15s", "60s", "5m"], default_interval="60s", label="Look again every")
    return again, filtering, open_job, opened, opens, picks, said, see, seen, tell


@app.cell
def _(again, said, see, seen):
    again.value, said()
    _now = open_desk(workspace_path())
    if (_now.position, _now.says) != (seen().position, seen().says):
        see(_now)
    return


@app.cell
def _(again):
    mo.hstack([mo.md("# Jobs"), again], justify="space-between", align="center")
    return


@app.cell
def _(seen):
    desk = seen()
    mo.stop(desk.db is None, mo.callout(mo.md(f"**The workspace cannot be read.** {desk.says}"), kind="danger"))
    mo.md(f"Everything that was found and not dismissed. {desk.says}")
    return (desk,)


@app.cell
def _(opens, seen):
    operator, _wrong = looked(opens) if seen().db is not None else (None, "")
    mo.stop(
        operator is None, mo.callout(mo.md(f"**It cannot be opened.** {_wrong}"), kind="danger") if _wrong else None
    )
    return (operator,)


@app.cell
def _(filtering, operator, said):
    said()
    saved, _wrong = looked(operator.saved_filters)
    _names = [each.name for each in saved or ()]
    chosen = mo.ui.dropdown(_names, value=filtering.name if filtering.name in _names else None, label="Saved filter")
    filter_name = mo.ui.text(value=filtering.name or "", placeholder="a name for it", label="name", max_length=60)
    save_filter = mo.ui.run_button(label="Save what is chosen", tooltip="In place of what has this name")
    rename_filter = mo.ui.run_button(label="Rename", disabled=not _names)
    delete_filter = mo.ui.run_button(kind="danger", label="Delete", disabled=not _names)
    return chosen, delete_filter, filter_name, rename_filter, save_filter, saved


@app.cell
def _(chosen, filtering, saved):
    # Made anew when another filter is chosen, and only then: a look in between must not take the words from the hand.
    _begin = filtering.choose(chosen.value, saved)
    words = mo.ui.text(
        value=_begin.words,
        placeholder="title, employer, place, board, what it asks for …",
        debounce=60,
        label="Find",
        full_width=True,
    )
    in_text = mo.ui.text(placeholder="words of the posting, then Enter", label="In the text", full_width=True)
    least = mo.ui.slider(0, 10, value=_begin.min_score, show_value=True, debounce=True, label="From")
    sort = mo.ui.dropdown(board.SORTS, value=_begin.sort, label="Order", allow_select_none=False)
    begun = object()
    return begun, in_text, least, sort, words


@app.cell
def _(begun, desk, filtering):
    begun
    _all = board.facets(desk.db)
    _offered = {part: options(_all, part, getattr(filtering.filter, part)) for part in FACETS}
    chosen_facets = mo.ui.dictionary(
        {
            part: mo.ui.multiselect(
                offered, value=labels_of(offered, getattr(filtering.filter, part)), label=LABELS[part], full_width=True
            )
            for part, offered in _offered.items()
        }
    )
    return (chosen_facets,)


@app.cell
def _(chosen, chosen_facets, delete_filter, filter_name, in_text, least, rename_filter, save_filter, sort, words):
    mo.vstack(
        [
            mo.hstack([words, in_text, sort, least], justify="start", align="center", widths=[3, 2, 1, 1]),
            mo.hstack([chosen_facets[part] for part in FACETS], justify="start", widths="equal", gap=0.5),
            mo.accordion(
                {
                    "Saved filters": mo.hstack(
                        [chosen, filter_name, save_filter, rename_filter, delete_filter],
                        justify="start",
                        align="end",
                        wrap=True,
                    )
                }
            ),
        ]
    )
    return


@app.cell
def _(chosen_facets, filtering, least, sort, words):
    wanted = BoardFilter(
        words=words.value,
        min_score=least.value,
        sort=sort.value,
        **{part: tuple(values) for part, values in chosen_facets.value.items()},
    )
    filtering.filter = wanted
    return (wanted,)


@app.cell
def _(in_text, operator, seen):
    seen()
    among, _wrong = looked(operator.jobs_saying, in_text.value) if in_text.value.split() else (None, "")
    mo.output.replace(
        mo.callout(mo.md(f"**The texts were not searched.** {_wrong}"), kind="danger") if _wrong else None
    )
    return (among,)


@app.cell
def _(among, desk, wanted):
    found = board.jobs_board(desk.db, wanted=wanted, among=among, limit=MOST)
    how_many = board.jobs_found(desk.db, wanted=wanted, among=among).row(0, named=True)
    return found, how_many


@app.cell
def _(found, how_many, picks):
    mo.stop(
        how_many["of_all"] == 0,
        mo.callout(
            mo.md("**No jobs are known yet.** Add a board at the desk `sources`, then `jobctrl discover`."),
            kind="neutral",
        ),
    )
    mo.stop(
        found.is_empty(),
        mo.callout(
            mo.md(f"**None of {how_many['of_all']:,} jobs is like that.** Take a word or a choice away."),
            kind="neutral",
        ),
    )
    _rest = f" The first {MOST:,} are listed; type or choose to see others." if how_many["jobs"] > len(found) else ""
    picked = mo.ui.table(
        headed(tidy(found)),
        **look(
            found,
            selection="single",
            initial_selection=picks.rows(found)[:1],
            page_size=10,
            hidden_columns=[
                "job_id", "url", "band", "language", "found", "eligibility", "corrected", "error", "seen at", "merges",
                "PDF", "put off until", "made up",
            ],
            freeze_columns_left=["score", "title"],
            label=f"{how_many['jobs']:,} of {how_many['of_all']:,} jobs. Pick one to open it below.{_rest}",
        ),
    )  # fmt: skip
    picked
    return (picked,)


@app.cell
def _(found, open_job, opened, picked, picks):
    _ids = picked.value["job_id"].to_list()
    picks.keep(found, _ids)
    if _ids and _ids[0] != opened():
        open_job(_ids[0])
    return


@app.cell
def _(desk, wanted):
    _told = counted(board.facets(desk.db, wanted=wanted))
    mo.accordion(
        {
            "What is in there": mo.Html(
                "<dl style='display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;font-size:.875rem;margin:0'>"
                + "".join(
                    f"<dt><b>{escape(name)}</b></dt><dd style='margin:0'>{escape(told)}</dd>" for name, told in _told
                )
                + "</dl>"
            )
        }
    )
    return


@app.cell
def _(filter_name, filtering, operator, save_filter, tell):
    mo.stop(not save_filter.value)
    _done = act(operator.save_filter, filter_name.value, filtering.filter)
    if _done.ok:
        filtering.name = " ".join(filter_name.value.split())
    tell(_done)
    return


@app.cell
def _(chosen, filter_name, filtering, operator, rename_filter, tell):
    mo.stop(not rename_filter.value)
    _done = act(operator.rename_filter, chosen.value or "", filter_name.value)
    if _done.ok:
        filtering.name = " ".join(filter_name.value.split())
    tell(_done)
    return


@app.cell
def _(chosen, delete_filter, operator, tell):
    mo.stop(not delete_filter.value)
    tell(act(operator.delete_filter, chosen.value or ""))
    return


@app.cell
def _(said):
    _done = said()
    mo.output.replace(mo.callout(_done.says, kind="success" if _done.ok else "danger") if _done else None)
    return


@app.cell
def _(said):
    _words = getattr(said(), "undo_label", "")
    take_back = mo.ui.run_button(label=_words or "Undo", keyboard_shortcut="Alt-z", tooltip="Alt-Z")
    mo.output.replace(take_back if _words else None)
    return (take_back,)


@app.cell
def _(operator, said, take_back, tell):
    mo.stop(not take_back.value)
    tell(undo(operator, said()))
    return


@app.cell
def _(desk, opened, operator):
    desk
    mo.stop(opened() is None, mo.callout(mo.md("Pick a job in the list to see it in full."), kind="neutral"))
    view, _wrong = looked(operator.show_job, opened())
    mo.stop(view is None, mo.callout(mo.md(f"**This job cannot be shown.** {_wrong}"), kind="danger"))
    return (view,)


@app.cell
def _(view):
    job_page.summary(view)
    return


@app.cell
def _(operator, picks, view):
    _evidence, _ = looked(operator.evidence)
    _parts = job_page.parts(view, own_words(_evidence or []), operator.files)
    part = mo.ui.tabs(_parts, value=picks.part or "Posting")
    part
    return (part,)


@app.cell
def _(part, picks):
    picks.part = part.value
    return


@app.cell
def _(view):
    keep = mo.ui.run_button(kind="success", label="Keep", tooltip="You want to pursue it; nothing is sent or started")
    dismiss = mo.ui.run_button(kind="danger", label="Dismiss", tooltip="Out of sight; nothing more is prepared")
    later = mo.ui.run_button(label="Later", tooltip="The inbox shows it again after so many days")
    days = mo.ui.number(1, 365, value=7, step=1, label="days")
    score = mo.ui.number(1, 10, step=1, value=view.job.fit_score or 5, label="The score should be")
    reason = mo.ui.text(placeholder="because …", label="reason", max_length=400)
    mend = mo.ui.run_button(
        label="Correct the score", tooltip="May open the way to a resume and a letter; costs nothing now"
    )
    applied = mo.ui.run_button(label="I have applied", tooltip="Recorded for good: it cannot be undone")
    kind = mo.ui.dropdown(
        {"reply": "recruiter_reply", "interview": "interview", "assessment": "assessment", "offer": "offer",
         "rejection": "rejection", "withdrawn": "withdrawn"},
        value="reply",
        label="They answered with",
        allow_select_none=False,
    )  # fmt: skip
    outcome = mo.ui.run_button(label="Record the answer", tooltip="Recorded for good: it cannot be undone")
    merge = mo.ui.dropdown(
        {f"{seen['sourceId']}: {seen['url']}": seen["linkId"] for seen in view.observations if seen.get("linkId")},
        label="Not the same posting",
    )
    differ = mo.ui.text(placeholder="why they differ", label="reason")
    split = mo.ui.run_button(label="Split it off", tooltip="It becomes a job of its own, for good")
    mo.accordion(
        {
            "Decide": mo.vstack(
                [
                    mo.hstack([keep, dismiss, later, days], justify="start", align="center", wrap=True),
                    mo.hstack([score, reason, mend], justify="start", align="end", wrap=True),
                    mo.hstack([applied, kind, outcome], justify="start", align="end", wrap=True),
                    *(
                        [mo.hstack([merge, differ, split], justify="start", align="end", wrap=True)]
                        if merge.options
                        else []
                    ),
                    mo.md(
                        "<small>Keeping, dismissing, putting off and correcting can be undone. That you applied, what they "
                        "answered and a split are recorded for good.</small>"
                    ),
                ],
                gap=1,
            )
        },
        expanded=True,
    )
    return applied, days, differ, dismiss, keep, kind, later, mend, merge, outcome, reason, score, split


@app.cell
def _(keep, operator, tell, view):
    mo.stop(not keep.value)
    tell(decide(operator.save_jobs, [view.job.job_id]))
    return


@app.cell
def _(dismiss, operator, tell, view):
    mo.stop(not dismiss.value)
    tell(decide(operator.dismiss_jobs, [view.job.job_id]))
    return


@app.cell
def _(days, later, operator, tell, view):
    mo.stop(not later.value)
    tell(decide(operator.snooze_jobs, [view.job.job_id], int(days.value or 0)))
    return


@app.cell
def _(mend, operator, reason, score, tell, view):
    mo.stop(not mend.value)
    tell(correct(operator.correct_score, view.job.job_id, int(score.value or 0), reason.value))
    return


@app.cell
def _(applied, operator, tell, view):
    mo.stop(not applied.value)
    tell(act(operator.mark_applied, view.job.job_id))
    return


@app.cell
def _(kind, operator, outcome, tell, view):
    mo.stop(not outcome.value)
    tell(act(operator.record_outcome, view.job.job_id, kind.value))
    return


@app.cell
def _(differ, merge, operator, split, tell):
    mo.stop(not split.value or not merge.value)
    tell(act(operator.split, merge.value, differ.value, says=lambda job_id: f"Split off as job {job_id}."))
    return


if __name__ == "__main__":
    app.run()
