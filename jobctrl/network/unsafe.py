"""Why an address is not fetched, in a form that a failure can keep without quoting the address."""

from __future__ import annotations

from typing import Literal

from jobctrl.errors import UnsafeUrl


class NotPublic(UnsafeUrl):
    """The host does not lead to the public web."""

    def __init__(self, message: str, *, host: str, cause: Literal["host_non_public", "dns_non_public"]) -> None:
        super().__init__(message)
        self.host = host
        self.cause = cause
        """`host_non_public`: by its own name or number. `dns_non_public`: by the addresses it has at the time."""
