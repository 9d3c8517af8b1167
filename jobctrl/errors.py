"""Every error a person or a retry rule can meet, as one tree.

JobCtrlError                code                     retryable
├── Permanent                                        no
│   ├── ConfigurationError  configuration
│   ├── AuthenticationError authentication
│   ├── MissingInput        missing_input
│   ├── BudgetExceeded      budget_exceeded
│   ├── MaterialRejected    material_rejected
│   ├── ModelRefused        model_refused
│   ├── NotFound            not_found
│   ├── InvalidRequest      invalid_request
│   ├── UnsafeUrl           unsafe_url
│   ├── WorkspaceError      workspace                (newer, damaged, read-only, disk full)
│   ├── RuntimeMismatch     RuntimeIdentityMismatch
│   └── OwnershipLost       ownership_lost
└── Transient                                        yes
    ├── Conflict            conflict
    ├── TransientNetwork    transient_network
    ├── BrowserTransient    browser_transient
    ├── LlmTransient        llm_transient
    ├── SourceUnavailable   source_unavailable
    └── WorkspaceBusy       workspace_busy

The class says whether trying again can help. The worker turns it into Temporal's retry rule in one place
(`workflows/interceptor.py`), the API into a status and the CLI into an exit code in one place each.
"""

from __future__ import annotations

import traceback
from typing import ClassVar


class JobCtrlError(Exception):
    """Something went wrong."""

    code: ClassVar[str] = "unknown"
    retryable: ClassVar[bool] = True
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str | None = None, *, hint: str | None = None) -> None:
        self.message = message or (self.__doc__ or type(self).__name__).strip().splitlines()[0]
        self.hint = hint
        super().__init__(self.message)


class Permanent(JobCtrlError):
    """Trying again will not help."""

    retryable = False


class Transient(JobCtrlError):
    """Trying again may help."""

    retryable = True


class ConfigurationError(Permanent):
    """A setting is missing or wrong."""

    code = "configuration"
    exit_code = 2


class AuthenticationError(Permanent):
    """The provider did not accept the credential."""

    code = "authentication"
    exit_code = 2


class MissingInput(Permanent):
    """Something that is needed is not there."""

    code = "missing_input"
    exit_code = 2


class BudgetExceeded(Permanent):
    """The spending ceiling is reached."""

    code = "budget_exceeded"
    exit_code = 3


class MaterialRejected(Permanent):
    """The material did not pass its gates."""

    code = "material_rejected"


class ModelRefused(Permanent):
    """The model declined to answer."""

    code = "model_refused"


class NotFound(Permanent):
    """There is no such thing in this workspace."""

    code = "not_found"
    exit_code = 4


class InvalidRequest(Permanent):
    """The request cannot be carried out as it was written."""

    code = "invalid_request"
    exit_code = 2


class UnsafeUrl(Permanent):
    """The address does not lead to a public web page."""

    code = "unsafe_url"


class WorkspaceError(Permanent):
    """The workspace cannot be used."""

    code = "workspace"
    exit_code = 5


class RuntimeMismatch(Permanent):
    """The work was meant for another workspace."""

    code = "RuntimeIdentityMismatch"


class OwnershipLost(Permanent):
    """Another owner has taken this work over."""

    code = "ownership_lost"


class Conflict(Transient):
    """Somebody else wrote first."""

    code = "conflict"


class TransientNetwork(Transient):
    """The network did not carry the request."""

    code = "transient_network"


class BrowserTransient(Transient):
    """The browser did not finish."""

    code = "browser_transient"


class LlmTransient(Transient):
    """The model did not give a usable answer."""

    code = "llm_transient"

    def __init__(
        self, message: str | None = None, *, hint: str | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


class SourceUnavailable(Transient):
    """The job board did not answer."""

    code = "source_unavailable"


class WorkspaceBusy(Transient):
    """Another process holds the workspace."""

    code = "workspace_busy"
    exit_code = 6


NON_RETRYABLE_CODES: tuple[str, ...] = (
    "configuration",
    "authentication",
    "missing_input",
    "budget_exceeded",
    "material_rejected",
    "model_refused",
    "not_found",
    "invalid_request",
    "unsafe_url",
    "workspace",
    "RuntimeIdentityMismatch",
    "ownership_lost",
)


def where(error: BaseException) -> str:
    """The type of an unexpected error and the lines it passed, without its words, which may quote a posting."""
    return "".join([*traceback.format_tb(error.__traceback__), type(error).__name__])
