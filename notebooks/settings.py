# Settings: budgets, models and their keys, what is prepared by itself, and when the boards are read.
# /// script
# [tool.marimo.display]
# theme = "system"
# ///
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: settings")

with app.setup:
    import marimo as mo

    from jobctrl.analytics import setting_up as words
    from jobctrl.analytics.controls import controls
    from jobctrl.analytics.desk import act, looked, plain
    from jobctrl.operator.setup import changes
    from jobctrl.runtime.due import due
    from jobctrl.runtime.house import local_operator


@app.cell
def _():
    # What the last action came to. A state, since what stands is read again after it.
    said, tell = mo.state(None)
    reload = mo.ui.run_button(label="Reload", tooltip="Read what stands now; what was typed and not saved is dropped")
    again = mo.ui.refresh(options=["15s", "60s"], default_interval="60s", label="Ask the schedule every")
    mo.vstack(
        [
            mo.hstack([mo.md("# Settings"), reload], justify="space-between", align="center"),
            mo.md("Each with its limits, its default and when a change counts. Back to [Today](../home/)."),
        ]
    )
    return again, reload, said, tell


@app.cell
def _(reload):
    reload.value
    operator, _unopened = looked(local_operator)
    opened, _unread = looked(operator.setting_views) if operator else (None, _unopened)
    mo.stop(opened is None, mo.callout(mo.md(f"**The settings cannot be read.** {plain(_unread)}"), kind="danger"))
    return opened, operator


@app.cell
def _(opened):
    # Made of what stood when the desk was opened or reloaded, so that no other action drops what was typed.
    typed = controls(opened)
    return (typed,)


@app.cell
def _(opened, typed):
    mo.ui.tabs(
        {
            topic: mo.vstack(
                [
                    mo.hstack([typed[view.path], mo.md(words.about(view))], widths=[2, 3], gap=2, align="center")
                    for view in views
                ],
                gap=1,
            )
            for topic, views in words.topics(opened).items()
        }
    )
    return


@app.cell
def _(opened, operator, said):
    said()
    standing = looked(operator.setting_views)[0] or opened
    keys = looked(operator.credentials)[0] or []
    return keys, standing


@app.cell
def _(keys, standing, typed):
    wanted = changes(standing, typed.value)
    save = mo.ui.run_button(
        kind="success", label=f"Change {len(wanted)} setting{'' if len(wanted) == 1 else 's'}", disabled=not wanted
    )
    mo.vstack(
        [
            mo.md(f"**To be changed:**\n\n{words.told(standing, wanted)}" if wanted else "*Nothing is to be changed.*"),
            mo.md(words.may_cost(standing, wanted, keys)),
            save,
        ]
    )
    return save, wanted


@app.cell
def _(operator, save, standing, tell, wanted):
    mo.stop(not save.value)
    _lines = words.told(standing, wanted)
    tell(act(operator.change_settings, wanted, says=lambda _: f"Changed:\n\n{_lines}"))
    return


@app.cell
def _(said):
    _done = said()
    mo.callout(
        mo.md(_done.says if _done.ok else plain(_done.says)), kind="success" if _done.ok else "danger"
    ) if _done else None
    return


@app.cell
def _(again, operator, said):
    again.value, said()
    _settings, _problem = looked(operator.settings)
    _times, _why = due(_settings) if _settings else ([], _problem)
    mo.vstack(
        [
            mo.hstack([mo.md("### Next readings of the boards"), again], justify="space-between", align="center"),
            mo.md(
                words.next_times(
                    _times,
                    _why,
                    enabled=_settings is None or _settings.scheduling_enabled,
                    zone=_settings.schedule_zone if _settings else "",
                )
            ),
        ]
    )
    return


@app.cell
def _(keys):
    mo.vstack(
        [
            mo.md(
                "### Keys of the model providers\n\nA key is kept in the system's keyring, never in the workspace, and "
                "is never shown whole. One in the environment goes before it."
            ),
            *(
                mo.hstack(
                    [
                        mo.md(f"**{key.provider}**"),
                        mo.md(
                            f"`{key.masked}` from the {key.source}"
                            if key.source != "absent"
                            else f"no key. {plain(key.problem)}"
                        ),
                    ],
                    widths=[1, 4],
                )
                for key in keys
            ),
        ]
    )
    return


@app.cell
def _(keys, said):
    said()
    # Made anew after every action, so that no key stays in it.
    provider = mo.ui.dropdown(
        [key.provider for key in keys], value=keys[0].provider if keys else None, label="Provider"
    )
    secret = mo.ui.text(kind="password", label="Key", placeholder="paste it here", full_width=True)
    store = mo.ui.run_button(kind="success", label="Store the key")
    forget = mo.ui.run_button(kind="danger", label="Forget the key in the keyring")
    mo.hstack([provider, secret, store, forget], justify="start", align="end", widths=[1, 3, 1, 2])
    return forget, provider, secret, store


@app.cell
def _(operator, provider, secret, store, tell):
    mo.stop(not store.value)
    _done = act(
        operator.set_credential,
        provider.value,
        secret.value,
        says=lambda key: f"The key of {key.provider} is stored: {plain(key.masked)}.",
    )
    tell(_done) if _done.ok else None
    None if _done.ok else mo.callout(mo.md(plain(_done.says)), kind="danger")
    return


@app.cell
def _(forget, operator, provider, tell):
    mo.stop(not forget.value)
    tell(
        act(
            operator.forget_credential,
            provider.value,
            says=lambda key: (
                f"The keyring holds no key of {key.provider}."
                + (f" One in the {key.source} stays." if key.source != "absent" else "")
            ),
        )
    )
    return


if __name__ == "__main__":
    app.run()
