"""What became of a call that gave no answer, and what that means for the money that was set aside.

Unsent, RateLimited     surely unspent             the reservation is released
OutcomeUnknown          nobody can tell            the reservation is held
UnusableAnswer          paid for, and of no use    settled from the usage the provider stated
Refused                 paid for, and declined     settled likewise

None of them carries a word of the prompt or of the reply.
"""

from __future__ import annotations

from typing import Any

from jobctrl.errors import AuthenticationError, InvalidRequest, JobCtrlError, LlmTransient, ModelRefused
from jobctrl.llm.model import Usage


class Unsent(LlmTransient):
    """The request did not reach the provider."""


class RateLimited(LlmTransient):
    """The provider asks to come back later."""


class OutcomeUnknown(LlmTransient):
    """The request was sent and no answer came back."""


class UnusableAnswer(LlmTransient):
    """The model answered, and the answer cannot be used."""

    def __init__(self, message: str, *, usage: Usage, request_id: str | None) -> None:
        super().__init__(message)
        self.usage = usage
        self.request_id = request_id


class Refused(ModelRefused):
    """The model declined to answer."""

    def __init__(self, message: str, *, usage: Usage, request_id: str | None) -> None:
        super().__init__(message)
        self.usage = usage
        self.request_id = request_id


_NEVER_SENT = frozenset({"ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol", "ProxyError"})
_RATE_LIMITS = frozenset({429, 503, 529})


def translated(error: Exception, sdk: Any, provider: str) -> JobCtrlError:
    """The error of our tree for one of *sdk*'s. Both SDKs are made by the same generator and name theirs alike."""
    if isinstance(error, sdk.APIStatusError):
        return _from_status(error, provider)
    if isinstance(error, sdk.APIConnectionError):
        if type(error.__cause__).__name__ in _NEVER_SENT:
            return Unsent(f"{provider} could not be reached", hint="Check the network and the provider's address.")
        if isinstance(error, sdk.APITimeoutError):
            return OutcomeUnknown(f"{provider} did not answer in time")
        return OutcomeUnknown(f"the connection to {provider} was lost after the request was sent")
    return unreadable(provider)


def unreadable(provider: str) -> OutcomeUnknown:
    """The failure for a response that is not what the provider's own client expects."""
    return OutcomeUnknown(f"{provider} sent a response that its own client cannot read")


def _from_status(error: Any, provider: str) -> JobCtrlError:
    status = int(error.status_code)
    if status in (401, 403):
        return AuthenticationError(
            f"{provider} did not accept the credential (HTTP {status})",
            hint=f"Store a valid key with `jobctrl credentials set {provider}`.",
        )
    if status in _RATE_LIMITS:
        return RateLimited(f"{provider} asks to wait (HTTP {status})", retry_after=retry_after(error.response.headers))
    if 400 <= status < 500 and status != 408:
        return InvalidRequest(
            f"{provider} refused the request as it was written (HTTP {status})",
            hint="Check the model's name and that the provider's address speaks this protocol.",
        )
    return OutcomeUnknown(f"{provider} failed while it worked on the request (HTTP {status})")


def retry_after(headers: Any) -> float | None:
    """Seconds to wait, from `Retry-After` as a number or as a date measured against the server's own clock."""
    from email.utils import parsedate_to_datetime

    stated = headers.get("retry-after")
    if not stated:
        return None
    try:
        return max(0.0, float(stated))
    except ValueError:
        pass
    try:
        wait = parsedate_to_datetime(stated) - parsedate_to_datetime(headers["date"])
    except (ValueError, TypeError, KeyError):
        return None
    return max(0.0, wait.total_seconds())
