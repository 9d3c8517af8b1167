"""Secrets: the environment wins, the keyring keeps them, and nothing shows them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail, null
from keyring.errors import KeyringLocked, PasswordDeleteError

from jobctrl.errors import AuthenticationError, ConfigurationError
from jobctrl.settings.credentials import VARIABLES, describe, forget_secret, mask, secret, store_secret

ROOT = Path(__file__).resolve().parents[2]
KEY = "sk-a-long-enough-key-4321"


class Drawer(KeyringBackend):
    """A keyring that lives as long as a test, and that keyring would choose for nobody else."""

    priority = -1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError("not found")


class Locked(Drawer):
    """A keyring that nobody has unlocked."""

    def get_password(self, service: str, username: str, password: str = "") -> str | None:
        raise KeyringLocked("the collection is locked")

    set_password = delete_password = get_password  # type: ignore[assignment]


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in VARIABLES.values():
        monkeypatch.delenv(name, raising=False)
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


@pytest.fixture
def drawer() -> Drawer:
    drawer = Drawer()
    keyring.set_keyring(drawer)
    return drawer


def test_a_key_is_kept_found_and_forgotten(drawer: Drawer) -> None:
    store_secret("openai", f"{KEY}\n")

    assert secret("openai") == KEY
    assert drawer.kept == {("jobctrl", "openai"): KEY}
    assert (describe("openai").source, describe("openai").masked) == ("keyring", "…4321")

    forget_secret("openai")
    forget_secret("openai")
    assert describe("openai").source == "absent"


def test_the_environment_wins_over_the_keyring(drawer: Drawer, monkeypatch: pytest.MonkeyPatch) -> None:
    store_secret("anthropic", KEY)
    monkeypatch.setenv("JOBCTRL_ANTHROPIC_API_KEY", "sk-from-the-environment-8765")

    assert secret("anthropic") == "sk-from-the-environment-8765"
    assert (describe("anthropic").source, describe("anthropic").masked) == ("environment", "…8765")


def test_an_empty_variable_is_no_key(drawer: Drawer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOBCTRL_OPENAI_API_KEY", "")

    with pytest.raises(AuthenticationError):
        secret("openai")


@pytest.mark.parametrize("value", ["", "short", "eleven-char"])
def test_a_short_secret_shows_nothing(value: str) -> None:
    assert mask(value) == "****"


def test_a_long_secret_shows_its_end_alone() -> None:
    assert mask(KEY) == "…4321"


def test_a_missing_key_names_both_places_it_can_be_put(drawer: Drawer) -> None:
    with pytest.raises(AuthenticationError, match="openai") as caught:
        secret("openai")

    assert "jobctrl credentials set openai" in (caught.value.hint or "")
    assert "JOBCTRL_OPENAI_API_KEY" in (caught.value.hint or "")


def test_without_a_keyring_a_key_cannot_be_kept_and_the_variable_is_named() -> None:
    keyring.set_keyring(fail.Keyring())

    with pytest.raises(ConfigurationError, match="keyring") as caught:
        store_secret("openai", KEY)
    with pytest.raises(AuthenticationError):
        secret("openai")

    assert "JOBCTRL_OPENAI_API_KEY" in (caught.value.hint or "")
    assert KEY not in caught.value.message
    assert describe("openai").source == "absent"


def test_a_keyring_that_forgets_is_noticed() -> None:
    keyring.set_keyring(null.Keyring())

    with pytest.raises(ConfigurationError, match="forgot"):
        store_secret("openai", KEY)


def test_a_locked_keyring_is_said_and_never_waited_for() -> None:
    keyring.set_keyring(Locked())

    for attempt in (
        lambda: secret("openai"),
        lambda: store_secret("openai", KEY),
        lambda: forget_secret("openai"),
    ):
        with pytest.raises(ConfigurationError, match="locked") as caught:
            attempt()
        assert "JOBCTRL_OPENAI_API_KEY" in (caught.value.hint or "")
    assert (describe("openai").source, "locked" in describe("openai").problem) == ("absent", True)


TRY_ALL = """
from jobctrl.errors import ConfigurationError
from jobctrl.settings.credentials import describe, forget_secret, secret, store_secret
print(describe("openai").source)
for attempt in (lambda: secret("openai"), lambda: store_secret("openai", "key"), lambda: forget_secret("openai")):
    try:
        attempt()
    except ConfigurationError as error:
        print(error.hint)
"""


@pytest.mark.parametrize("backend", ["bogus", "no.such.Backend", "keyring.backends.null.Nothing"])
def test_a_keyring_that_cannot_be_loaded_is_said(backend: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TRY_ALL],
        cwd=ROOT,
        env={**os.environ, "PYTHON_KEYRING_BACKEND": backend},
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "absent"
    assert done.stdout.count("JOBCTRL_OPENAI_API_KEY") == 3


@pytest.mark.parametrize("value", ["", "  \n"])
def test_an_empty_key_is_refused(drawer: Drawer, value: str) -> None:
    with pytest.raises(ConfigurationError, match="empty"):
        store_secret("openai", value)

    assert drawer.kept == {}


def test_a_provider_that_takes_no_key_is_refused(drawer: Drawer) -> None:
    for attempt in (secret, describe, forget_secret):
        with pytest.raises(ConfigurationError, match="anthropic, openai"):
            attempt("local")


SESSION = """
mkdir -p -m 700 "$XDG_RUNTIME_DIR" "$XDG_DATA_HOME"
printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
exec "$PYTHON" -c "$SCRIPT"
"""


def in_a_session(home: Path, script: str) -> str:
    """What *script* prints in a desktop session of its own, with a real Secret Service."""
    done = subprocess.run(
        ["dbus-run-session", "--", "bash", "-c", SESSION],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "XDG_DATA_HOME": str(home / "share"),
            "XDG_RUNTIME_DIR": str(home / "run"),
            "PYTHON": sys.executable,
            "SCRIPT": "from jobctrl.settings.credentials import *\n" + script,
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.skipif(
    shutil.which("dbus-run-session") is None or shutil.which("gnome-keyring-daemon") is None,
    reason="a real Secret Service needs dbus-run-session and gnome-keyring-daemon",
)
def test_a_real_secret_service_keeps_a_key_over_sessions(tmp_path: Path) -> None:
    assert in_a_session(tmp_path, f"store_secret('openai', '{KEY}'); print(describe('openai').source)") == "keyring"
    assert in_a_session(tmp_path, "print(secret('openai'))") == KEY
    assert in_a_session(tmp_path, "forget_secret('openai'); print(describe('openai').source)") == "absent"
    assert KEY.encode() not in b"".join(file.read_bytes() for file in tmp_path.rglob("*.keyring"))
