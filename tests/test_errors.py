"""The error tree says once whether trying again can help."""

from __future__ import annotations

import pickle

import pytest

from jobctrl import errors
from jobctrl.errors import NON_RETRYABLE_CODES, JobCtrlError, LlmTransient, Permanent, Transient, WorkspaceError

LEAVES = [
    found
    for found in vars(errors).values()
    if isinstance(found, type) and issubclass(found, JobCtrlError) and found not in (JobCtrlError, Permanent, Transient)
]


def test_every_error_has_a_code_of_its_own() -> None:
    codes = [leaf.code for leaf in LEAVES]

    assert len(set(codes)) == len(codes)
    assert "unknown" not in codes


def test_the_codes_that_never_retry_are_those_of_the_permanent_errors() -> None:
    assert set(NON_RETRYABLE_CODES) == {leaf.code for leaf in LEAVES if not leaf.retryable}


@pytest.mark.parametrize("leaf", LEAVES)
def test_an_error_without_a_message_says_its_docstring(leaf: type[JobCtrlError]) -> None:
    assert str(leaf()) == (leaf.__doc__ or "").splitlines()[0]
    assert f"── {leaf.__name__}" in (errors.__doc__ or "")
    assert leaf.code in (errors.__doc__ or "")
    assert leaf.retryable is issubclass(leaf, Transient)


def test_an_error_without_a_docstring_says_its_name() -> None:
    class Nameless(WorkspaceError):
        pass

    assert str(Nameless()) == "Nameless"


def test_an_error_crosses_a_process_whole() -> None:
    kept = pickle.loads(pickle.dumps(LlmTransient("slow down", hint="wait", retry_after=3.5)))

    assert (kept.message, kept.hint, kept.retry_after) == ("slow down", "wait", 3.5)
