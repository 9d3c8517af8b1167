"""Typed ids and the keys that are made from them."""

from __future__ import annotations

import hashlib
import uuid
from typing import NewType

import msgspec
import uuid_utils

JobId = NewType("JobId", str)
"""A lower-case UUID: the one identity of a posting inside a workspace."""
SourceId = NewType("SourceId", str)
"""`kind:token`, as in `greenhouse:acme`."""
ContentHash = NewType("ContentHash", str)
"""64 hex digits: the sha256 of a stored content."""
WorkflowId = NewType("WorkflowId", str)
RunId = NewType("RunId", str)
"""Temporal's own run id: with the workflow id it names one exact execution."""

TENANT = "local"
_JOB_NAMESPACE = uuid.UUID("6f1c2c70-5d0b-5d43-9d7e-2f5a4b1f7c11")


def new_event_id() -> str:
    """A UUIDv7: unique, and sorted by the moment it was made."""
    return str(uuid_utils.uuid7())


def job_id_for(identity: str) -> JobId:
    """The id of the job that *identity* names: the same posting gets the same id in every process and every retry."""
    return JobId(str(uuid.uuid5(_JOB_NAMESPACE, identity)))


def sha256(content: bytes | str) -> ContentHash:
    """The hash under which *content* is kept; text is hashed as UTF-8."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return ContentHash(hashlib.sha256(data).hexdigest())


def digest_of(value: object) -> str:
    """The sha256 of *value* as compact JSON with sorted keys."""
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()
