"""Facts as hypothesis draws them: of every type that any read table folds, over few ids, so that they meet."""

from __future__ import annotations

import base64
from datetime import date
from decimal import Decimal
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from hypothesis import strategies as st
from pydantic import BaseModel

from jobctrl.discovery.intake import name_all
from jobctrl.events import Event
from jobctrl.ids import job_id_for
from jobctrl.runtime.tables import TABLES
from tests.runtime.searching import BOARD, OTHER_BOARD, listing

KEYS = [named.identity_key for named in name_all([listing(number) for number in range(1, 4)], BOARD)]
JOB_IDS = [job_id_for(key) for key in KEYS]
EVENTS = sorted({event for table in TABLES for event in table.handles}, key=lambda event: event.__name__)
MOMENTS = ["2026-03-01T12:00:00.000Z", "2026-03-02T12:00:00.000Z", "2026-02-01T00:00:00.000Z"]

_job_ids = st.sampled_from([*JOB_IDS, "stranger"])
_keys = st.sampled_from([*KEYS, "elsewhere:1"])
NAMED: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("job_id", "surviving_job_id", "new_job_id"), _job_ids),
    "identity_key": _keys,
    "superseded_job_or_observation_id": _keys.map(lambda key: f"observation:{key}"),
    "source_observation_id": _keys.map(lambda key: f"observation:{key}"),
    "duplicate_link_id": _keys.map(lambda key: f"link:{key}"),
    "source_id": st.sampled_from([BOARD.id, OTHER_BOARD.id, "lever:stranger"]),
    "kind": st.sampled_from(["greenhouse", "lever"]),
    "state": st.sampled_from(["active", "quarantined", "disabled"]),
    "to_state": st.sampled_from(["active", "quarantined", "disabled"]),
    "workflow_id": st.sampled_from(["w1", "w2"]),
    "temporal_run_id": st.sampled_from(["r1", "r2"]),
    "error_code": st.sampled_from(["reconciled_not_found", "MIN_SCORE", "SCORE_ELIGIBILITY_BLOCKED", "FETCH_ERROR"]),
    "reason": st.sampled_from(["MIN_SCORE", "retry"]),
    "item_key": st.sampled_from(["plan", "terminal"]),
    "call_id": st.sampled_from(["c1", "c2"]),
    "day": st.sampled_from(["2026-03-01", "2026-03-02"]),
    "artifact_id": st.sampled_from(["a1", "a2"]),
    "artifact_type": st.sampled_from(["resume_pdf", "cover_letter_pdf"]),
    "active_state": st.sampled_from(["active", "closed", "unknown"]),
    "applied_at": st.sampled_from(MOMENTS),
    "happened_at": st.sampled_from(MOMENTS),
    "started_at": st.sampled_from([None, *MOMENTS]),
    "signature": st.sampled_from([None, base64.b64encode(b"1234").decode()]),
    "input_summary": st.sampled_from([{}, {"jobId": JOB_IDS[0]}, {"limit": 3}, {"jobId": "stranger", "limit": 1}]),
}
_PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    int: st.integers(0, 4),
    str: st.text(max_size=3),
    bool: st.booleans(),
    float: st.floats(0, 1),
    Decimal: st.decimals(0, 9, places=2),
    date: st.dates(date(2026, 1, 1), date(2026, 3, 1)),
    Any: st.none(),
    type(None): st.none(),
}


def _values(name: str, annotation: Any) -> st.SearchStrategy[Any]:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return st.sampled_from(parts)
    if name in NAMED:
        return NAMED[name]
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if origin is list:
        return st.lists(_values("", parts[0]), max_size=2)
    if origin is dict:
        return st.dictionaries(st.text(max_size=3), _values("", parts[1]), max_size=2)
    if origin in (Union, UnionType):
        return st.one_of([_values("", part) for part in parts])
    return _instances(annotation)


def _instances(model: type[BaseModel]) -> st.SearchStrategy[Any]:
    # A dictionary rather than `builds`, which would draw a second value for the alias of each field.
    values = {name: _values(name, field.annotation) for name, field in model.model_fields.items()}
    return st.fixed_dictionaries(values).map(lambda drawn: model(**drawn))


any_fact: st.SearchStrategy[Event] = st.sampled_from(EVENTS).flatmap(_instances)
