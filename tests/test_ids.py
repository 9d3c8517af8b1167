"""Ids are the same for the same thing, everywhere."""

from __future__ import annotations

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.ids import digest_of, job_id_for, new_event_id, sha256


def test_event_ids_are_unique_and_sorted_by_time() -> None:
    ids = [new_event_id() for _ in range(1000)]

    assert len(set(ids)) == 1000
    assert sorted(ids) == ids
    assert {uuid.UUID(one).version for one in ids} == {7}


def test_the_id_of_a_job_never_changes_between_versions() -> None:
    assert job_id_for("greenhouse:acme:4001") == "722ce9dd-5ceb-5f50-b495-64dcb4276b0d"


@given(st.text(), st.text())
def test_two_identities_are_two_jobs_and_one_is_one(a: str, b: str) -> None:
    assert (job_id_for(a) == job_id_for(b)) == (a == b)
    assert job_id_for(a) == job_id_for(a).lower()


@pytest.mark.parametrize(
    ("content", "digest"),
    [
        (b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ],
)
def test_contents_are_named_by_sha256(content: bytes | str, digest: str) -> None:
    assert sha256(content) == digest


def test_half_of_a_surrogate_pair_can_be_hashed() -> None:
    assert sha256("\ud83d") != sha256("\ud83e")


def test_a_digest_does_not_depend_on_the_order_of_keys() -> None:
    assert digest_of({"a": 1, "b": [2, 3]}) == digest_of({"b": [2, 3], "a": 1})
    assert digest_of({"a": [1, 2]}) != digest_of({"a": [2, 1]})
