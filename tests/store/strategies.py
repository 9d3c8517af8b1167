"""Facts as hypothesis draws them: of every type the read tables fold, legal or not, in any order."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

from hypothesis import strategies as st

from jobctrl.events import Event
from jobctrl.spend.events import SPEND_EVENTS
from jobctrl.stages.events import STAGE_EVENTS
from tests.store.parcels import PARCEL_EVENTS

_NAMED: dict[str, st.SearchStrategy[Any]] = {
    "job_id": st.sampled_from(["j1", "j2"]),
    "call_id": st.sampled_from(["c1", "c2", "c3"]),
    "parcel": st.sampled_from(["a", "b", "c"]),
    "town": st.sampled_from(["Lublin", "Šiauliai", ""]),
    "day": st.sampled_from(["2026-03-01", "2026-03-02"]),
    "stage": st.sampled_from(["enrich", "score"]),
}


def _values(name: str, annotation: Any) -> st.SearchStrategy[Any]:
    if name in _NAMED:
        return _NAMED[name]
    if annotation is int:
        return st.integers(0, 9)
    if annotation is str:
        return st.text(max_size=4)
    if annotation is bool:
        return st.booleans()
    if get_origin(annotation) is Literal:
        return st.sampled_from(get_args(annotation))
    if get_origin(annotation) is list:
        return st.lists(_values("", get_args(annotation)[0]), max_size=2)
    if annotation is type(None):
        return st.none()
    return st.one_of([_values("", part) for part in get_args(annotation)])


def facts_of(event: type[Event]) -> st.SearchStrategy[Event]:
    """Any instance of *event*, over few ids, so that facts meet."""
    # A dictionary rather than `builds`, which would draw a second value for the alias of each field.
    values = {name: _values(name, field.annotation) for name, field in event.model_fields.items()}
    return st.fixed_dictionaries(values).map(lambda drawn: event(**drawn))


stage_facts = st.sampled_from(STAGE_EVENTS).flatmap(facts_of)
spend_facts = st.sampled_from(SPEND_EVENTS).flatmap(facts_of)
parcel_facts = st.sampled_from(PARCEL_EVENTS).flatmap(facts_of)
any_facts = st.one_of(stage_facts, spend_facts, parcel_facts)

foreign_rows = st.sampled_from(
    [
        ("NobodyKnowsThis", 1, {"jobId": "j1", "stage": "score", "parcel": "a"}),
        ("ParcelSent", 7, {"parcel": "a", "town": "Later"}),
        ("ParcelSent", 1, {"parcel": "a"}),
        ("ParcelSent", 1, ["no", "object"]),
        ("ParcelSent", 1, None),
        ("ParcelWeighed", 1, {"parcel": "a", "pounds": 2}),
        ("ParcelWeighed", 1, {"parcel": "a", "pounds": None}),
        ("ParcelWeighed", 1, ["no", "object"]),
        ("ParcelWeighed", 0, {"parcel": "a", "grams": 1}),
        ("StageStarted", 1, {"jobId": "j1", "stage": "no such stage", "attemptNumber": 1}),
        ("ModelCallSettled", 1, {"callId": "c1", "inputTokens": "many"}),
    ]
)
"""Rows of the log that this version does not know, or knows in an older form."""
