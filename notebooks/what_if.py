# What if: another threshold, a source less, a gate open or shut; and a policy held against history before it is adopted.
# /// script
# [tool.marimo.display]
# theme = "system"
# ///
import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="JobCtrl: what if")

with app.setup:
    import marimo as mo

    from jobctrl.analytics import calibration, charts, charts_what_if, gating, source_quality, what_if, what_if_policy
    from jobctrl.analytics.desk import act, look, open_desk, tidy
    from jobctrl.analytics.spelled import spelled
    from jobctrl.runtime import open_operator, workspace_path


@app.cell
def _():
    # What the last action came to. A state, since the threshold in force is read again after it.
    said, tell = mo.state(None)
    reload = mo.ui.run_button(label="Reload", tooltip="Read what is new")
    outcome = mo.ui.dropdown(["reply", "interview", "offer"], value="interview", label="What counts as success")
    measure = mo.ui.dropdown(
        {"jobs prepared": "prepared", "spending": "usd", "what is expected": "expected"},
        value="jobs prepared",
        label="Show",
    )
    return measure, outcome, reload, said, tell


@app.cell
def _(reload):
    reload.value
    desk = open_desk(workspace_path())
    mo.stop(desk.db is None, mo.callout(mo.md(f"**The workspace cannot be read.** {desk.says}"), kind="danger"))
    return (desk,)


@app.cell
def _(desk, reload):
    mo.vstack(
        [
            mo.hstack([mo.md("# What if"), reload], justify="space-between", align="center"),
            mo.md(
                "Each change is counted as if it had been in force from the first job on. Stored scores and ledgers are "
                f"gated again: no model is asked, nothing is recorded. {desk.says}"
            ),
        ]
    )
    return


@app.cell
def _(desk, said):
    said(), desk
    in_force = open_operator(workspace_path()).settings().min_fit_score
    return (in_force,)


@app.cell
def _(desk):
    _gates = what_if.gates(desk.db)
    _named = {
        kind: [row["gate"] for row in _gates.iter_rows(named=True) if row["kind"] == kind]
        for kind in ("blocks", "warns")
    }
    _sources = source_quality.source_quality(desk.db)["source_id"].sort().to_list()
    sources_off = mo.ui.multiselect(_sources, label="Without these boards")
    gates_off = mo.ui.multiselect(_named["blocks"], label="Blockers that would not block")
    gates_on = mo.ui.multiselect(_named["warns"], label="Warnings that would block")
    return gates_off, gates_on, sources_off


@app.cell
def _(in_force):
    least = mo.ui.slider(1, 10, value=max(1, in_force), show_value=True, debounce=True, label="Prepare from a score of")
    floor = mo.ui.slider(
        1, 10, value=gating.FLOOR, show_value=True, debounce=True, label="and never below the floor of"
    )
    return floor, least


@app.cell
def _(floor, gates_off, gates_on, least, outcome, sources_off):
    mo.vstack(
        [
            mo.hstack([least, floor, outcome], justify="start", align="center", gap=2, wrap=True),
            mo.hstack([sources_off, gates_off, gates_on], widths="equal", align="start", gap=2),
        ]
    )
    return


@app.cell
def _(floor, gates_off, gates_on, least):
    policy = {
        "min_score": least.value,
        "material_floor": floor.value,
        "gates_off": gates_off.value,
        "gates_on": gates_on.value,
    }
    return (policy,)


@app.cell
def _(desk, outcome):
    _enough = calibration.enough(desk.db, outcome=outcome.value)
    mo.vstack(
        [
            *([mo.callout(mo.md(f"**{charts.MADE_UP}.**"), kind="warn")] if _enough.simulated else []),
            *(
                [mo.callout(mo.md(f"What is expected stays empty. {_enough.says}"), kind="neutral")]
                if _enough.need_more
                else []
            ),
        ]
    )
    return


@app.cell
def _(desk, in_force, outcome, policy, sources_off):
    scenarios = what_if.what_if(
        desk.db, now_min_score=in_force, sources_off=sources_off.value, outcome=outcome.value, **policy
    )
    mo.stop(
        not scenarios["n"].sum(),
        mo.callout(
            mo.md("**No job has a score yet.** Prepare some first; then a change can be tried."), kind="neutral"
        ),
    )
    return (scenarios,)


@app.cell
def _(scenarios):
    charts_what_if.scenario_bars(scenarios)
    return


@app.cell
def _(scenarios):
    _shown = spelled(scenarios, {"usd": "${:,.2f}", "expected": "{:,.1f}"}).drop("simulated")
    mo.vstack(
        [
            mo.ui.table(_shown, **look(_shown)),
            mo.md(
                "*Expected: if each prepared job were applied to. Jobs without materials yet are counted at what one "
                "cost so far; that stays empty below five prepared jobs. 95% intervals in brackets.*"
            ),
        ]
    )
    return


@app.cell
def _(desk, in_force, least, measure, outcome, policy, scenarios, sources_off):
    mo.stop(scenarios.is_empty())
    curve = what_if.threshold_curve(
        desk.db,
        outcome=outcome.value,
        sources_off=sources_off.value,
        **{name: value for name, value in policy.items() if name != "min_score"},
    )
    _empty = measure.value != "prepared" and curve[measure.value].null_count() == len(curve)
    mo.vstack(
        [
            measure,
            mo.callout(mo.md("**Not enough data for this measure yet.**"), kind="neutral")
            if _empty
            else charts_what_if.by_threshold(
                curve, measure.value, now=in_force, then=least.value, outcome=outcome.value
            ),
        ]
    )
    return


@app.cell
def _(desk, floor, least, scenarios):
    mo.stop(scenarios.is_empty())
    _gates = what_if.gates(desk.db, min_score=least.value, material_floor=floor.value)
    _shown = spelled(_gates, {"rate": "{:.0%}"}).rename({"rate": "of scored jobs"})
    mo.accordion(
        {
            "What each gate does": mo.md("*No scored job has a blocker or a warning.*")
            if _shown.is_empty()
            else mo.ui.table(
                _shown, **look(_shown, page_size=15, label="Changes: jobs that would change side if it were switched.")
            )
        }
    )
    return


@app.cell
def _(desk, scenarios):
    mo.stop(scenarios.is_empty())
    versions = what_if_policy.policies(desk.db)
    _names = {
        f"version {row['version']}: from {row['min_fit_score']}, floor {row['material_floor']}": row["version"]
        for row in versions.iter_rows(named=True)
    }
    against = mo.ui.dropdown(_names, value=list(_names)[-1], label="Held against")
    mo.vstack(
        [
            mo.md("## The policy against history"),
            mo.md("The threshold, the floor and the gates above as a policy, over all scored jobs and all boards."),
            against,
        ]
    )
    return against, versions


@app.cell
def _(against, desk, outcome, policy):
    sides = what_if_policy.policy_backtest(desk.db, against=against.value, outcome=outcome.value, **policy)
    mo.stop(
        not sides["n"].sum(),
        mo.callout(
            mo.md("**Nobody has applied long enough ago** for history to say what came of each side."), kind="neutral"
        ),
    )
    charts_what_if.side_rates(sides, outcome=outcome.value)
    return (sides,)


@app.cell
def _(sides):
    _shown = spelled(sides, {"rate": "{:.0%}", "expected": "{:,.1f}"}).drop("simulated")
    mo.ui.table(_shown, **look(_shown))
    return


@app.cell
def _(against, desk, policy):
    changes = what_if_policy.policy_changes(desk.db, against=against.value, **policy)
    _shown = changes.drop("job_id")
    mo.vstack(
        [
            mo.md(f"### Jobs that change side: {len(changes)}"),
            mo.md("*None.*")
            if changes.is_empty()
            else mo.ui.table(
                tidy(_shown),
                **look(_shown, page_size=10, label="Margin: how far the score is from where materials begin."),
            ),
        ]
    )
    return


@app.cell
def _(versions):
    _shown = versions.drop("reason")
    mo.accordion({"Every version of the policy": mo.ui.table(tidy(_shown), **look(_shown))})
    return


@app.cell
def _(in_force, least, scenarios):
    mo.stop(scenarios.is_empty())
    _same = least.value == in_force
    adopt = mo.ui.run_button(
        kind="warn",
        disabled=_same,
        label="This threshold is in force" if _same else f"Adopt a threshold of {least.value}",
    )
    mo.vstack(
        [
            mo.md(
                "Adopting changes the setting `min_fit_score` for the next run and makes a new version of the policy "
                "then; jobs that it gains will be prepared, which costs what is shown above. Boards, gates and the floor "
                "stay as they are."
            ),
            adopt,
        ]
    )
    return (adopt,)


@app.cell
def _(adopt, least, tell):
    mo.stop(not adopt.value)
    tell(act(open_operator(workspace_path()).change_setting, "min_fit_score", least.value))
    return


@app.cell
def _(in_force, said):
    _done = said()
    mo.callout(
        f"{_done.says} Materials are prepared from a score of {in_force} on.", kind="success" if _done.ok else "danger"
    ) if _done else None
    return


if __name__ == "__main__":
    app.run()
