"""Secrets: from the environment, else from the system's keyring; never kept anywhere else, masked when shown."""

from __future__ import annotations

import os
from dataclasses import dataclass

from jobctrl.errors import AuthenticationError, ConfigurationError

SERVICE = "jobctrl"
VARIABLES = {"anthropic": "JOBCTRL_ANTHROPIC_API_KEY", "openai": "JOBCTRL_OPENAI_API_KEY"}
_NO_SUCH_BACKEND = (ImportError, AttributeError, ValueError)
"""What keyring lets through when PYTHON_KEYRING_BACKEND names nothing it can load."""


@dataclass(frozen=True)
class Credential:
    """Where a provider's key comes from, and its masked form. `source` is environment, keyring or absent."""

    provider: str
    source: str
    masked: str = ""
    problem: str = ""


def secret(provider: str) -> str:
    """The key for *provider*. Raises AuthenticationError, naming both places it can be put, when there is none."""
    value = os.environ.get(_variable(provider)) or _from_keyring(provider)
    if not value:
        raise AuthenticationError(
            f"There is no key for {provider}.",
            hint=f"Run `jobctrl credentials set {provider}`, or set {_variable(provider)}.",
        )
    return value


def describe(provider: str) -> Credential:
    """Whether there is a key and from where, without giving it away."""
    value = os.environ.get(_variable(provider))
    if value:
        return Credential(provider, "environment", mask(value))
    try:
        value = _from_keyring(provider)
    except ConfigurationError as error:
        return Credential(provider, "absent", problem=error.message)
    return Credential(provider, "keyring", mask(value)) if value else Credential(provider, "absent")


def store_secret(provider: str, value: str) -> None:
    """Put the key into the keyring and read it back. Raises ConfigurationError when no real keyring takes it."""
    import keyring
    from keyring.errors import KeyringError

    _variable(provider)
    if not value.strip():
        raise ConfigurationError(f"The key for {provider} is empty.")
    value = value.strip()
    try:
        keyring.set_password(SERVICE, provider, value)
        kept = keyring.get_password(SERVICE, provider) == value
    except (KeyringError, *_NO_SUCH_BACKEND) as error:
        raise _no_keyring(provider, error) from error
    if not kept:
        raise _no_keyring(provider, "it forgot the key at once")


def forget_secret(provider: str) -> None:
    """Take the key out of the keyring; nothing happens when it holds none."""
    import keyring
    from keyring.errors import KeyringError, PasswordDeleteError

    _variable(provider)
    try:
        keyring.delete_password(SERVICE, provider)
    except PasswordDeleteError:
        return
    except (KeyringError, *_NO_SUCH_BACKEND) as error:
        raise _no_keyring(provider, error) from error


def mask(value: str) -> str:
    """The last four characters of a long key; stars alone for a short one."""
    return f"…{value[-4:]}" if len(value) >= 12 else "****"


def _variable(provider: str) -> str:
    if provider not in VARIABLES:
        raise ConfigurationError(f"{provider} is no provider that takes a key; these do: {', '.join(VARIABLES)}.")
    return VARIABLES[provider]


def _from_keyring(provider: str) -> str | None:
    import keyring
    from keyring.errors import KeyringError, NoKeyringError

    try:
        return keyring.get_password(SERVICE, provider)
    except NoKeyringError:
        return None
    except (KeyringError, *_NO_SUCH_BACKEND) as error:
        raise _no_keyring(provider, error) from error


def _no_keyring(provider: str, why: object) -> ConfigurationError:
    return ConfigurationError(
        f"The system's keyring does not work ({why}).",
        hint=f"Unlock or install a Secret Service, or set {_variable(provider)} in the environment.",
    )
