"""Which web: live, recorded, or live and recording."""

from __future__ import annotations

from pathlib import Path

from jobctrl.errors import ConfigurationError
from jobctrl.network.model import Web, WebSettings


def open_web(mode: str, settings: WebSettings | None = None) -> Web:
    """The web that *mode* names: `live`, `recorded:DIR` or `record:DIR`."""
    kind, _, folder = mode.strip().partition(":")
    if kind == "live" and not folder:
        from jobctrl.network.live import LiveWeb

        return LiveWeb(settings)
    if kind == "recorded" and folder:
        from jobctrl.network.recorded import RecordedWeb

        return RecordedWeb(Path(folder).expanduser())
    if kind == "record" and folder:
        from jobctrl.network.live import LiveWeb
        from jobctrl.network.record import RecordingWeb

        return RecordingWeb(LiveWeb(settings), Path(folder).expanduser())
    raise ConfigurationError(
        f"{mode!r} names no web",
        hint="use live, recorded:DIR to answer from a folder, or record:DIR to keep what is fetched",
    )
