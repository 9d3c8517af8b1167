"""What the environment decides."""

from __future__ import annotations

import pytest

from jobctrl.errors import ConfigurationError
from jobctrl.settings.environment import Environment

VARIABLES = ["JOBCTRL_WEB", "TEMPORAL_ADDRESS", "TEMPORAL_NAMESPACE", "JOBCTRL_TASK_QUEUE"]


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*VARIABLES, "JOBCTRL_API_HOST", "JOBCTRL_API_PORT"]:
        monkeypatch.delenv(name, raising=False)


def test_nothing_needs_to_be_set() -> None:
    found = Environment()

    assert (found.web, found.temporal_address, found.task_queue) == ("live", None, "jobctrl-default")
    assert (found.api_host, found.api_port) == ("127.0.0.1", 8766)


def test_the_environment_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOBCTRL_WEB", "recorded:web")
    monkeypatch.setenv("JOBCTRL_API_PORT", "9000")

    found = Environment()

    assert (found.web, found.api_port) == ("recorded:web", 9000)


@pytest.mark.parametrize("port", ["many", "70000", "-1", ""])
def test_a_bad_variable_is_named(monkeypatch: pytest.MonkeyPatch, port: str) -> None:
    monkeypatch.setenv("JOBCTRL_API_PORT", port)

    with pytest.raises(ConfigurationError, match="JOBCTRL_API_PORT") as caught:
        Environment()

    assert caught.value.hint
