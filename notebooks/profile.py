# Profile: who you are, what you can show for it and what you look for; a resume read in, each change tried first.
# /// script
# [tool.marimo.display]
# theme = "system"
# ///
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: profile")

with app.setup:
    import json

    import marimo as mo

    from jobctrl.analytics import person
    from jobctrl.analytics.controls import controls, form
    from jobctrl.analytics.desk import act, look, looked, plain
    from jobctrl.operator.profile import PARTS, edited, entries, fields
    from jobctrl.runtime.house import local_operator


@app.cell
def _():
    # What the last action came to. A state, since what is in force is read again after it.
    said, tell = mo.state(None)
    reload = mo.ui.run_button(label="Reload", tooltip="Read what is in force; what was typed and not saved is dropped")
    place = mo.ui.tabs(dict.fromkeys(("Edit", "Resume or text", "Evidence", "Versions"), ""))
    part = mo.ui.dropdown(list(PARTS), value="you", label="Part", allow_select_none=False)
    mo.hstack([mo.md("# Profile"), reload], justify="space-between", align="center")
    return part, place, reload, said, tell


@app.cell
def _(reload):
    reload.value
    operator, _unopened = looked(local_operator)
    mo.stop(operator is None, mo.callout(mo.md(f"**The workspace cannot be read.** {plain(_unopened)}"), kind="danger"))
    return (operator,)


@app.cell
def _(operator, said):
    said()
    current, unread = looked(operator.profile)
    return current, unread


@app.cell
def _(current, place, unread):
    _name = f"{current.profile.personal.full_name}, version {current.version}" if current else "No profile is in force"
    mo.vstack(
        [
            mo.md(f"{plain(_name)}. Saving one schedules nothing. Back to [Today](../home/)."),
            *([mo.callout(mo.md(plain(unread)), kind="danger")] if unread else []),
            *(
                []
                if current or unread
                else [
                    mo.callout(
                        mo.md("**There is no profile yet.** Read a resume under *Resume or text*."), kind="neutral"
                    )
                ]
            ),
            place,
        ]
    )
    return


@app.cell
def _(said):
    _done = said()
    mo.callout(mo.md(plain(_done.says)), kind="success" if _done.ok else "danger") if _done else None
    return


@app.cell
def _(operator, part):
    # The entries as they were when the desk was opened or reloaded: saving one does not leave it.
    _then = looked(operator.profile)[0]
    _named = entries(_then.profile, part.value) if _then else []
    entry = mo.ui.dropdown(_named or ["–"], value=_named[0] if _named else "–", label="Entry", allow_select_none=False)
    return (entry,)


@app.cell
def _(current, entry, part):
    asked = (
        [field for field in fields(current.profile, part.value) if field.group in ("", entry.value)] if current else []
    )
    typed = controls(asked)
    return asked, typed


@app.cell
def _(asked, entry, part, place, typed):
    mo.stop(place.value != "Edit")
    mo.stop(not asked, mo.md("*There is nothing to edit yet: a profile begins with a resume, or with a text.*"))
    mo.vstack(
        [
            mo.hstack([part, entry] if entry.value != "–" else [part], justify="start", gap=2),
            form(typed, asked),
        ]
    )
    return


@app.cell
def _(current, operator, typed):
    document = edited(current.profile, typed.value) if current else None
    draft, untried = looked(operator.try_profile, document) if current else (None, "")
    return document, draft, untried


@app.cell
def _(draft, place, untried):
    save = mo.ui.run_button(
        kind="success", label="Save the profile", disabled=draft is None or bool(draft.problems) or not draft.sections
    )
    _words = plain(untried) or (person.told(draft) if draft else "")
    _kind = "danger" if untried or (draft and draft.problems) else "info"
    mo.vstack(
        [mo.callout(mo.md(_words), kind=_kind) if _words else mo.md("*Nothing is changed yet.*"), save]
    ) if place.value == "Edit" and (draft or untried) else None
    return (save,)


@app.cell
def _(current, document, operator, save, tell):
    mo.stop(not save.value)
    _done = act(operator.save_profile, document, current.version)
    # What was typed stands in the fields until it is saved, so a refusal reads nothing anew.
    tell(_done) if _done.ok else None
    None if _done.ok else mo.callout(mo.md(plain(_done.says)), kind="danger")
    return


@app.cell
def _():
    file = mo.ui.file(
        filetypes=[".pdf", ".json", ".toml"],
        kind="area",
        max_size=12_000_000,
        label="A resume PDF, JSON Resume, or a profile file. It is read on this machine, and nothing is saved.",
    )
    return (file,)


@app.cell
def _(file, operator):
    read, unreadable = looked(operator.read_resume, file.contents(), file.name()) if file.value else (None, "")
    return read, unreadable


@app.cell
def _(current, read):
    _document = read.document if read else current.profile.model_dump(mode="json") if current else {}
    text = mo.ui.text_area(
        json.dumps(_document, ensure_ascii=False, indent=2), rows=24, full_width=True, label="The whole profile as text"
    )
    return (text,)


@app.cell
def _(file, place, read, text, unreadable):
    mo.stop(place.value != "Resume or text")
    _notes = "\n".join(f"- {plain(note)}" for note in read.notes) if read else ""
    mo.vstack(
        [
            file,
            *([mo.callout(mo.md(f"**It cannot be read.** {plain(unreadable)}"), kind="danger")] if unreadable else []),
            *(
                [
                    mo.callout(
                        mo.md(f"**Read. Look it over below before it is saved.**\n\n{_notes}"),
                        kind="warn" if _notes else "success",
                    )
                ]
                if read
                else []
            ),
            *([mo.accordion({"How the file begins": mo.plain_text(read.preview)})] if read and read.preview else []),
            text,
        ]
    )
    return


@app.cell
def _(operator, text):
    whole, unlike = looked(operator.read_resume, text.value.encode(), "the text")
    tried, _untried = looked(operator.try_profile, whole.document) if whole else (None, "")
    wrong = unlike or _untried
    return tried, whole, wrong


@app.cell
def _(place, tried, wrong):
    replace = mo.ui.run_button(
        kind="success",
        label="Put this text in force",
        disabled=tried is None or bool(tried.problems) or not tried.sections,
    )
    _words = plain(wrong) or (person.told(tried) if tried else "")
    _kind = "danger" if wrong or (tried and tried.problems) else "info"
    mo.vstack(
        [mo.callout(mo.md(_words), kind=_kind) if _words else mo.md("*The text says what is in force.*"), replace]
    ) if place.value == "Resume or text" else None
    return (replace,)


@app.cell
def _(current, operator, read, replace, tell, whole):
    mo.stop(not replace.value)
    _version, _source = current.version if current else 0, read.source if read else None
    _done = act(operator.save_profile, whole.document, _version, _source)
    tell(_done) if _done.ok else None
    None if _done.ok else mo.callout(mo.md(plain(_done.says)), kind="danger")
    return


@app.cell
def _(current, operator, place):
    current
    mo.stop(place.value not in ("Evidence", "Versions"))
    known, _problem = looked(operator.profile_versions)
    mo.callout(mo.md(plain(_problem)), kind="danger") if _problem else None
    return (known,)


@app.cell
def _(known, operator, place):
    mo.stop(place.value != "Evidence" or known is None)
    items, _problem = looked(operator.evidence)
    _frame = person.evidence(items or [], known)
    mo.callout(mo.md(plain(_problem)), kind="danger") if _problem else mo.md(
        "*There is no evidence yet: it comes with the positions of a profile.*"
    ) if _frame.is_empty() else mo.ui.table(
        _frame,
        **look(
            _frame,
            show_search=True,
            page_size=15,
            wrapped_columns=["text"],
            hidden_columns=["id"],
            label="What a claim may rest on. Only what is confirmed is printed.",
        ),
    )
    return


@app.cell
def _(known, place):
    mo.stop(place.value != "Versions" or known is None)
    _frame = person.versions(known)
    mo.md("*No version was saved yet.*") if _frame.is_empty() else mo.ui.table(
        _frame,
        **look(
            _frame,
            wrapped_columns=["changed"],
            label="The newest first. Runs under way keep the version they began with.",
        ),
    )
    return


if __name__ == "__main__":
    app.run()
