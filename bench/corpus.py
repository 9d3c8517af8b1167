"""The recorded boards beside the repository, where they are."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jobctrl.discovery.locate import locate
from jobctrl.discovery.model import BoardListing, Source
from jobctrl.discovery.sources import adapter_for
from jobctrl.errors import JobCtrlError
from jobctrl.network.recorded import RecordedWeb, read_index

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "corpus"
ABSENT = "recorded corpus not present"


@cache
def sources() -> tuple[tuple[Source, tuple[Path, ...]], ...]:
    """Every recorded board that an adapter reads, with the files of its recording; empty without the corpus."""
    if not FOLDER.exists():
        return ()
    files: dict[str, tuple[Source, list[Path]]] = {}
    for recording in read_index(FOLDER):
        try:
            source = locate(recording.url)
        except JobCtrlError:
            continue
        files.setdefault(source.id, (source, []))[1].append(FOLDER / recording.file)
    web = RecordedWeb(FOLDER)
    return tuple((source, tuple(of)) for source, of in files.values() if _listed(source, web) is not None)


def board(source: Source) -> BoardListing:
    listed = _listed(source, RecordedWeb(FOLDER))
    assert listed is not None
    return listed


def _listed(source: Source, web: RecordedWeb) -> BoardListing | None:
    try:
        listed = adapter_for(source.kind).list(source, web)
    except JobCtrlError:
        return None
    return listed if isinstance(listed, BoardListing) else None
