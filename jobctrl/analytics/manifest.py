"""Which files make up the warehouse, and how far into the log they reach."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from jobctrl.analytics.tables import data_dictionary, tables
from jobctrl.ids import digest_of
from jobctrl.store import script

_FACTS = [script("jobctrl.analytics", f"sql/facts/{table.name}.sql") for table in tables() if table.kept == "facts"]
LAYOUT = digest_of([2, data_dictionary(), _FACTS])[:16]
"""Changes with any table or column, and with how facts are read: a warehouse of another layout is built anew."""


class Keyed(msgspec.Struct, frozen=True):
    """A table whose rows change: a base, and beside it the rows that changed since with the keys they go by."""

    base: str
    base_rows: int
    delta: str | None = None
    touched: str | None = None

    @property
    def files(self) -> list[str]:
        return [name for name in (self.base, self.delta, self.touched) if name]


class Part(msgspec.Struct, frozen=True):
    file: str
    rows: int


class Manifest(msgspec.Struct, frozen=True):
    """Swapped in last and in whole: what it names is there."""

    layout: str
    position: int
    event_id: str | None
    """Of the fact at `position`: another one means another log."""
    versions: dict[str, int]
    """Of the read tables that the rows were read from."""
    keyed: dict[str, Keyed]
    facts: dict[str, list[Part]]

    @property
    def files(self) -> set[str]:
        names = {name for table in self.keyed.values() for name in table.files}
        return names | {part.file for parts in self.facts.values() for part in parts}


def load(folder: Path) -> Manifest | None:
    """The manifest that stands, or None when there is none that this version can use."""
    try:
        manifest = msgspec.json.decode((folder / "manifest.json").read_bytes(), type=Manifest)
    except (FileNotFoundError, msgspec.DecodeError):
        return None
    whole = manifest.layout == LAYOUT and all((folder / name).exists() for name in manifest.files)
    return manifest if whole else None


def swap(folder: Path, manifest: Manifest) -> None:
    """Make *manifest* the one that stands, once the files that it names are sure to be there."""
    settle(folder)
    put(folder, "manifest.json", msgspec.json.format(msgspec.json.encode(manifest), indent=1))
    settle(folder)


def put(folder: Path, name: str, content: bytes) -> None:
    """Write a file so that it is there in whole or not at all, also after a power cut once *folder* has settled."""
    partial = folder / f".{name}.{os.getpid()}.partial"
    with partial.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(partial, folder / name)


def settle(folder: Path) -> None:
    """Wait until the names of the files in *folder* are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
