"""What a stored payload stands for today."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from jobctrl.events import CATALOG, UNKNOWN, Event, Recorded, read
from jobctrl.spend.events import SPEND_EVENTS
from jobctrl.stages.events import STAGE_EVENTS
from tests.store.parcels import PARCEL_EVENTS, ParcelSent, ParcelWeighed
from tests.store.strategies import any_facts

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(any_facts)
def test_a_fact_comes_back_from_its_payload_as_it_went_in(event: Event) -> None:
    payload = event.model_dump_json(by_alias=True)

    assert read(event.event_type, event.schema_version, payload) == event


@pytest.mark.parametrize("event", [*STAGE_EVENTS, *SPEND_EVENTS, *PARCEL_EVENTS])
def test_payload_keys_are_camel_case(event: type[Event]) -> None:
    for name, field in event.model_fields.items():
        assert field.alias is not None
        assert "_" not in field.alias
        assert field.alias.lower() == name.replace("_", "")


def test_a_fact_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        ParcelSent(parcel="a", town="X").town = "Y"  # type: ignore[misc]


def test_a_field_that_a_later_version_added_is_ignored() -> None:
    event = read("ParcelSent", 1, '{"parcel":"a","town":"X","courier":"Z"}')

    assert event == ParcelSent(parcel="a", town="X")


def test_a_field_that_an_earlier_version_lacked_has_its_default() -> None:
    event = read("ParcelSent", 1, '{"parcel":"a","town":"X"}')

    assert isinstance(event, ParcelSent)
    assert event.job_id is None


def test_an_old_payload_is_brought_up_to_date() -> None:
    assert read("ParcelWeighed", 1, '{"parcel":"a","pounds":2}') == ParcelWeighed(parcel="a", grams=907)


@pytest.mark.parametrize(
    ("event_type", "version", "payload"),
    [
        ("NoSuchEvent", 1, "{}"),
        ("ParcelSent", 2, '{"parcel":"a","town":"X"}'),
        ("ParcelSent", 1, '{"parcel":"a"}'),
        ("ParcelSent", 1, '{"parcel":"a","town":5}'),
        ("ParcelSent", 1, "[]"),
        ("ParcelSent", 1, "not json"),
        ("ParcelSent", 0, '{"parcel":"a","town":"X"}'),
        ("ParcelWeighed", 1, '{"parcel":"a"}'),
        ("ParcelWeighed", 1, '{"parcel":"a","pounds":null}'),
        ("ParcelWeighed", 1, '{"parcel":"a","pounds":"two"}'),
        ("ParcelWeighed", 1, "[1]"),
        ("ParcelWeighed", 1, "null"),
        ("ParcelWeighed", 1, "not json"),
        ("ParcelWeighed", -3, '{"parcel":"a","grams":1}'),
    ],
)
def test_what_this_version_does_not_know_is_unknown_and_no_error(event_type: str, version: int, payload: str) -> None:
    assert read(event_type, version, payload) is UNKNOWN


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["ParcelSent", "ParcelWeighed", "StageFailed"]), st.integers(-1, 3), ANY_JSON)
def test_reading_never_fails(event_type: str, version: int, payload: Any) -> None:
    assert isinstance(read(event_type, version, json.dumps(payload)), Event | type(UNKNOWN))


def test_a_recorded_row_reads_itself() -> None:
    row = Recorded(1, "e", "parcel/a", 1, "ParcelSent", 1, None, None, None, None, "t", '{"parcel":"a","town":"X"}')

    assert row.event == ParcelSent(parcel="a", town="X")


def test_two_events_of_one_name_are_refused() -> None:
    with pytest.raises(TypeError, match="ParcelSent"):
        type("ParcelSent", (Event,), {"__module__": "elsewhere"})

    assert CATALOG["ParcelSent"] is ParcelSent
