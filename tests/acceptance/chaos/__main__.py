"""`python -m tests.acceptance.chaos`: every scenario, and a table of what came of it. Exit 1 when one does not hold."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path

from tests.acceptance.chaos.bench import HEAD, Outcome, line, run_all
from tests.acceptance.chaos.manifest import end_everything
from tests.acceptance.chaos.scenarios import SCENARIOS


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.acceptance.chaos", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=sorted(SCENARIOS), metavar="NAME", help="these scenarios alone")
    parser.add_argument(
        "--seed", type=int, default=1, help="of the postings and of the orders in which parts are killed"
    )
    parser.add_argument("--at-once", type=int, default=2, help="how many scenarios go on side by side")
    parser.add_argument("--keep", type=Path, help="an empty folder where workspaces and logs stay")
    parser.add_argument("--list", action="store_true", help="name the scenarios, and run none")
    given = parser.parse_args()
    if given.list:
        print("\n".join(SCENARIOS))
        return 0
    chosen = {name: SCENARIOS[name] for name in given.only or SCENARIOS}

    def tell(outcome: Outcome) -> None:
        print(" | ".join(line(outcome)), file=sys.stderr, flush=True)
        for wrong in outcome.found.wrong:
            print(f"    {wrong}", file=sys.stderr, flush=True)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stopped)
    outcomes = run_all(chosen, seed=given.seed, at_once=given.at_once, keep=given.keep, tell=tell)
    print(_table(outcomes))
    return 0 if all(outcome.holds for outcome in outcomes) else 1


def _stopped(number: int, frame: object) -> None:
    """Leave no server and no worker behind when the bench itself is stopped."""
    end_everything()
    os._exit(128 + number)


def _table(outcomes: list[Outcome]) -> str:
    rows = [HEAD, *map(line, outcomes)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "-|-".join("-" * width for width in widths), *lines[1:]])


if __name__ == "__main__":
    sys.exit(main())
