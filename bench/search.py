"""A whole search on recorded boards: Discover and preparation on the real Temporal server, and where the time goes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench import corpus
from bench.measure import Row, Scale, peak_mib
from jobctrl.runtime.workspace import workspace_at

BOARDS = ("greenhouse:takealotgroup", "greenhouse:luno", "lever:moo")
PORT = 18_766
_PARTS = {
    "temporal": "Temporal's server, and all that has no clock below (SDK, workflow code, typst's own threads)",
    "store": "SQLite and folds",
    "reading": "reading boards and postings",
    "scoring": "scoring",
    "writing": "tailoring and letters",
    "pdf": "PDF",
}


def rows(scale: Scale, scratch: Path) -> Iterable[Row]:
    if not corpus.sources():
        yield Row("Discover + preparation", corpus.ABSENT)
        return
    folder = scratch / "search"
    told = _run_apart([str(folder), *(BOARDS[1:2] if scale.quick else BOARDS)])
    postings, scored, wall = told["postings"], told["scored"], told["wall"]
    yield Row(
        f"Discover + preparation, {postings} postings found and {scored} scored, with {told['pdfs']} PDFs",
        f"{postings / wall:.1f} postings/s",
    )
    whole = sum(told["shares"].values())
    for part, words in _PARTS.items():
        yield Row(f"its processor time: {words}", f"{told['shares'].get(part, 0) / whole:.0%}")
    yield Row("peak memory, worker with client", _mib(told["peak_mib"]))
    yield Row("peak memory, Temporal server", _mib(told["server_mib"]))
    yield Row("peak memory, API after listing the jobs", _api_memory(folder))


def _run_apart(arguments: list[str]) -> dict[str, Any]:
    """The search in a process of its own, so that its memory is its own."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.watched_search", *arguments], check=True, capture_output=True, text=True
    )
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def _api_memory(folder: Path) -> str:
    program = "from jobctrl.cli import main; main()"
    served = subprocess.Popen(
        [sys.executable, "-c", program, "--workspace", str(folder), "api", "--port", str(PORT)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=dict(os.environ),
    )
    try:
        _answer("/v1/health", None)
        token = workspace_at(folder).token.read_text(encoding="utf-8").strip()
        for _ in range(5):
            _answer("/v1/jobs", token)
        return _mib(peak_mib(str(served.pid)))
    finally:
        served.terminate()
        served.wait(timeout=20)


def _mib(memory: float | None) -> str:
    return "not measured on this system" if memory is None else f"{memory:.0f} MiB"


def _answer(path: str, token: str | None) -> bytes:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", headers=headers)
    until = time.monotonic() + 30
    while True:
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                body: bytes = answer.read()
                return body
        except urllib.error.HTTPError:
            raise
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
