"""What a fact is: the Event base, the catalog of its types, and how an old fact is read today."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar, Literal

import msgspec
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

Level = Literal["info", "warn", "error"]
Upcast = Callable[[dict[str, Any]], dict[str, Any]]


class Event(BaseModel):
    """A fact: past tense, frozen, complete enough to be read alone years later. Its type is the name of its class."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        alias_generator=to_camel,
        populate_by_name=True,
        ser_json_inf_nan="null",
        # A command that only looks builds the few classes it meets, not all eighty.
        defer_build=True,
    )
    schema_version: ClassVar[int] = 1
    level: ClassVar[Level] = "info"
    upcasts: ClassVar[dict[int, Upcast]] = {}
    """From a schema version to the payload of the next one."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        known = CATALOG.get(cls.__name__)
        if known is not None and known.__module__ != cls.__module__:
            raise TypeError(f"two events are called {cls.__name__}: {known.__module__} and {cls.__module__}")
        CATALOG[cls.__name__] = cls

    @property
    def event_type(self) -> str:
        return type(self).__name__


CATALOG: dict[str, type[Event]] = {}


class UnknownEvent:
    """A fact whose type this version does not know: kept, counted, and skipped by every fold."""

    __slots__ = ()


UNKNOWN = UnknownEvent()


class Recorded(msgspec.Struct, frozen=True, dict=True):
    """One row of the log. `payload` is JSON text; `event` reads it, once."""

    position: int
    event_id: str
    stream: str
    stream_version: int
    event_type: str
    schema_version: int
    job_id: str | None
    stage: str | None
    workflow_id: str | None
    run_id: str | None
    occurred_at: str
    """UTC, ISO 8601 with milliseconds."""
    payload: str

    @cached_property
    def event(self) -> Event | UnknownEvent:
        """The fact itself. A type, a newer schema or a shape that this version does not know gives `UNKNOWN`."""
        return read(self.event_type, self.schema_version, self.payload)


def read(event_type: str, schema_version: int, payload: str) -> Event | UnknownEvent:
    """The event a stored payload stands for, brought up to today's schema."""
    cls = CATALOG.get(event_type)
    if cls is None or schema_version > cls.schema_version:
        return UNKNOWN
    try:
        if schema_version == cls.schema_version:
            # `model_validate_json` looks at options first that are not given here, for a third of a small fact's time.
            event: Event = cls.__pydantic_validator__.validate_json(payload)
            return event
        raw = msgspec.json.decode(payload, type=dict[str, Any])
        for version in range(schema_version, cls.schema_version):
            raw = cls.upcasts[version](raw)
        return cls.model_validate(raw)
    except (ValueError, LookupError, TypeError, AttributeError, msgspec.DecodeError):
        # pydantic's refusal is a ValueError; an upcast that meets a shape it was not written for fails in any of these.
        return UNKNOWN
