"""Which web: live, recorded, or live and recording."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path

from jobctrl.errors import ConfigurationError
from jobctrl.network.model import Web, WebSettings
from jobctrl.network.pacing import Pacer


def open_web(mode: str, settings: WebSettings | None = None) -> Web:
    """The web that *mode* names: `live`, `recorded:DIR` or `record:DIR`."""
    kind, _, folder = mode.strip().partition(":")
    if kind == "live" and not folder:
        return _live(settings)
    if kind == "recorded" and folder:
        from jobctrl.network.recorded import RecordedWeb

        return RecordedWeb(Path(folder).expanduser())
    if kind == "record" and folder:
        from jobctrl.network.record import RecordingWeb

        return RecordingWeb(_live(settings), Path(folder).expanduser())
    raise ConfigurationError(
        f"{mode!r} names no web",
        hint="use live, recorded:DIR to answer from a folder, or record:DIR to keep what is fetched",
    )


def absolute_web(mode: str) -> str:
    """*mode* with its folder in full: the run may be done by a worker that stands in another folder."""
    kind, _, folder = mode.partition(":")
    return f"{kind}:{Path(folder).expanduser().resolve()}" if folder and kind in ("recorded", "record") else mode


def _live(settings: WebSettings | None) -> Web:
    from jobctrl.network.live import LiveWeb

    chosen = settings or WebSettings()
    return LiveWeb(chosen, pacer=_pacer(chosen.host_concurrency))


@cache
def _pacer(concurrency: int) -> Pacer:
    """One pace towards a host for the whole process, however many runs are under way."""
    return Pacer(concurrency=concurrency, clock=time.monotonic, sleep=time.sleep)
