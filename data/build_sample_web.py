"""Writes the sample web, its list of boards and the simulated outcomes from the word lists in `world/`.

Run `python data/build_sample_web.py`; the same words always give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

DATA = Path(__file__).resolve().parent
sys.path.insert(0, str(DATA))

from world.boards import board  # noqa: E402
from world.compose import Employer, employers  # noqa: E402
from world.faults import FAULTY, faulty_boards  # noqa: E402
from world.outcomes import outcomes  # noqa: E402
from world.pages import bare_details, pages  # noqa: E402
from world.wire import Recording  # noqa: E402


def recordings(world: list[Employer]) -> list[Recording]:
    """All that the sample web answers."""
    found = [recording for employer in world for recording in (*board(employer), *bare_details(employer))]
    found += [recording for employer in world for recording in pages(employer)]
    return found + faulty_boards()


def write(out: Path) -> None:
    """The sample web and the files beside it, into *out*."""
    world = employers()
    profile = json.loads((DATA / "sample_profile.json").read_text(encoding="utf-8"))
    web = out / "sample_web"
    shutil.rmtree(web, ignore_errors=True)
    index: list[str] = []
    for recording in recordings(world):
        path = web / recording.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(recording.body)
        index += recording.index_lines()
    (web / "index.jsonl").write_text("\n".join(index) + "\n", encoding="utf-8")
    sources = [employer.source_id for employer in world] + list(FAULTY)
    (out / "sample_sources.txt").write_text("\n".join(sources) + "\n", encoding="utf-8")
    lines = [json.dumps(line, ensure_ascii=False) for line in outcomes(world, profile)]
    (out / "sample_outcomes.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--out", type=Path, default=DATA, help="folder to write into (default: the folder of this script)"
    )
    write(parser.parse_args().out)


if __name__ == "__main__":
    main()
