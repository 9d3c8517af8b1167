# All jobs: find by typing, open one in full with its facts, score, materials and history, and act on it.
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: jobs")

with app.setup:
    from html import escape

    import marimo as mo

    from jobctrl.analytics import board, charts, job_parts
    from jobctrl.analytics.desk import act, act_on_each, look, open_desk, place_of, tidy
    from jobctrl.runtime import open_operator, workspace_path

    MARKS = (
        "<style>.posting{max-height:420px;overflow:auto;line-height:1.6;padding-right:12px}"
        ".posting mark{background:#fff1c2;color:inherit;padding:0 2px;border-radius:3px}"
        ".letter{white-space:pre-wrap;max-width:72ch;line-height:1.6}"
        ".posting mark.matched{background:#c9f0e0}.posting mark.missing{background:#ffd9cc}</style>"
    )


@app.cell
def _():
    # What the last action came to. A state, since the list it is picked from reads itself again after it.
    said, tell = mo.state(None)
    reload = mo.ui.run_button(label="Reload", tooltip="Read what is new")
    words = mo.ui.text(placeholder="title, employer, place, board …", debounce=250, label="Find", full_width=True)
    least = mo.ui.slider(0, 10, value=0, show_value=True, debounce=True, label="Scores from")
    mode = mo.ui.dropdown(
        {"any": "", "remote": "remote", "hybrid": "hybrid", "on site": "on_site", "unknown": "unknown"},
        value="any",
        label="Mode",
    )
    stage = mo.ui.dropdown(
        {"any": "", "enrich": "enrich", "score": "score", "tailor": "tailor", "cover": "cover", "apply": "apply"},
        value="any",
        label="Stage",
    )
    return least, mode, reload, said, stage, tell, words


@app.cell
def _(reload, said):
    said(), reload.value
    desk = open_desk(workspace_path())
    mo.stop(desk.db is None, mo.callout(mo.md(f"**The workspace cannot be read.** {desk.says}"), kind="danger"))
    return (desk,)


@app.cell
def _(desk, reload):
    mo.vstack(
        [
            mo.hstack([mo.md("# Jobs"), reload], justify="space-between", align="center"),
            mo.md(f"Everything that was found and not dismissed. {desk.says}"),
        ]
    )
    return


@app.cell
def _(least, mode, stage, words):
    mo.hstack([words, least, mode, stage], justify="start", align="center", widths=[3, 2, 1, 1])
    return


@app.cell
def _(desk, least, mode, stage, words):
    found = board.jobs_board(desk.db, words=words.value, min_score=least.value, mode=mode.value, stage=stage.value)
    return (found,)


@app.cell
def _(found, said):
    mo.stop(
        found.is_empty(),
        mo.callout(
            mo.md("**No job is like that.** Take a word or a filter away, or run `jobctrl discover`."), kind="neutral"
        ),
    )
    picked = mo.ui.table(
        tidy(found),
        **look(
            found,
            selection="single",
            initial_selection=[place_of(found, said())],
            page_size=10,
            hidden_columns=[
                "job_id", "url", "fit_band", "language", "discovered_at", "eligibility", "corrected", "error_code",
                "observations", "merges", "feedback", "has_pdf", "source_id",
            ],
            freeze_columns_left=["fit_score", "title"],
            label=f"{len(found):,} jobs, the best fit first. Pick one to open it below.",
        ),
    )  # fmt: skip
    picked
    return (picked,)


@app.cell
def _(found):
    charts.score_counts(found)
    return


@app.cell
def _(said):
    _done = said()
    mo.callout(_done.says, kind="success" if _done.ok else "danger") if _done else None
    return


@app.cell
def _(picked):
    mo.stop(picked.value.is_empty(), mo.callout(mo.md("Pick a job in the list to see it in full."), kind="neutral"))
    operator = open_operator(workspace_path())
    view = operator.show_job(picked.value["job_id"][0])
    return operator, view


@app.cell
def _(view):
    _job = view.job
    _score = f"{_job.fit_score} of 10" if _job.fit_score else "not yet"
    mo.vstack(
        [
            mo.Html(job_parts.heading(_job)),
            mo.hstack(
                [
                    mo.stat(_score, label=f"fit · {_job.fit_band or 'unscored'}", bordered=True),
                    mo.stat(_job.eligibility or "unknown", label="eligibility", bordered=True),
                    mo.stat(_job.active_state, label="posting", bordered=True),
                    mo.stat(_job.current_state, label=f"stage · {_job.current_stage}", bordered=True),
                ],
                widths="equal",
            ),
        ]
    )
    return


@app.cell
def _(operator, view):
    def _plain(frame, empty):
        if frame.is_empty():
            return mo.md(f"*{empty}*")
        _long = [column for column in ("requirement", "line", "why", "words") if column in frame.columns]
        return mo.ui.table(tidy(frame), **look(frame, page_size=15, wrapped_columns=_long))

    _materials = view.materials or {}
    _pdfs = [
        (name, operator.files.path(_materials[key]))
        for name, key in (("resume", "resumePdf"), ("letter", "letterPdf"))
        if _materials.get(key) and operator.files.path(_materials[key]).exists()
    ]
    _letter = job_parts.letter_text(_materials)
    mo.ui.tabs(
        {
            "Posting": mo.vstack(
                [
                    _plain(job_parts.facts_frame(view.facts), "Nothing was read from this posting yet."),
                    mo.Html(
                        f'{MARKS}<div class="posting">'
                        f"{job_parts.marked_text(view.description, view.requirements) or 'No text is known yet.'}</div>"
                    ),
                ]
            ),
            "Score": _plain(job_parts.ledger_frame(view.requirements), "Not scored yet."),
            "Resume": _plain(job_parts.lines_frame(_materials), "No resume was prepared."),
            "Letter": mo.Html(f'{MARKS}<div class="letter">{escape(_letter)}</div>')
            if _letter
            else mo.md("*No letter was prepared.*"),
            "PDF": mo.vstack(
                [
                    mo.hstack(
                        [
                            mo.download(data=path.read_bytes(), filename=f"{name}.pdf", label=f"Save the {name}")
                            for name, path in _pdfs
                        ],
                        justify="start",
                    ),
                    *(mo.pdf(src=path, height="640px") for _, path in _pdfs),
                ]
                if _pdfs
                else [mo.md("*No PDF was made.*")]
            ),
            "Seen at": _plain(job_parts.observations_frame(view.observations), "Nowhere yet."),
            "History": _plain(job_parts.history_frame(view.history), "Nothing was recorded."),
        },
    )
    return


@app.cell
def _(view):
    keep = mo.ui.run_button(kind="success", label="Keep")
    dismiss = mo.ui.run_button(kind="danger", label="Dismiss")
    score = mo.ui.number(1, 10, step=1, value=view.job.fit_score or 5, label="The score should be")
    reason = mo.ui.text(placeholder="because …", label="reason", max_length=400)
    correct = mo.ui.run_button(label="Correct the score")
    applied = mo.ui.run_button(label="I have applied")
    kind = mo.ui.dropdown(
        {"reply": "recruiter_reply", "interview": "interview", "assessment": "assessment", "offer": "offer",
         "rejection": "rejection", "withdrawn": "withdrawn"},
        value="reply",
        label="They answered with",
    )  # fmt: skip
    outcome = mo.ui.run_button(label="Record the answer")
    merge = mo.ui.dropdown(
        {f"{seen['sourceId']}: {seen['url']}": seen["linkId"] for seen in view.observations if seen.get("linkId")},
        label="Not the same posting",
    )
    differ = mo.ui.text(placeholder="why they differ", label="reason")
    split = mo.ui.run_button(label="Split it off")
    mo.accordion(
        {
            "Decide": mo.vstack(
                [
                    mo.hstack([keep, dismiss], justify="start"),
                    mo.hstack([score, reason, correct], justify="start", align="end"),
                    mo.hstack([applied, kind, outcome], justify="start", align="end"),
                    *([mo.hstack([merge, differ, split], justify="start", align="end")] if merge.options else []),
                ],
                gap=1,
            )
        },
        expanded=True,
    )
    return applied, correct, differ, dismiss, keep, kind, merge, outcome, reason, score, split


@app.cell
def _(keep, operator, tell, view):
    mo.stop(not keep.value)
    tell(act_on_each(operator.save_job, [view.job.job_id]))
    return


@app.cell
def _(dismiss, operator, tell, view):
    mo.stop(not dismiss.value)
    tell(act_on_each(operator.dismiss_job, [view.job.job_id]))
    return


@app.cell
def _(correct, operator, reason, score, tell, view):
    mo.stop(not correct.value)
    tell(act_on_each(operator.correct_score, [view.job.job_id], int(score.value), reason.value))
    return


@app.cell
def _(applied, operator, tell, view):
    mo.stop(not applied.value)
    tell(act_on_each(operator.mark_applied, [view.job.job_id]))
    return


@app.cell
def _(kind, operator, outcome, tell, view):
    mo.stop(not outcome.value)
    tell(act_on_each(operator.record_outcome, [view.job.job_id], kind.value))
    return


@app.cell
def _(differ, merge, operator, split, tell):
    mo.stop(not split.value or not merge.value)
    tell(act(operator.split, merge.value, differ.value))
    return


if __name__ == "__main__":
    app.run()
