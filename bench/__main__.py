"""`python -m bench [--quick] [--only NAME] [--write PAGE]`: measure, print the table, and write it into a page."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

from bench.measure import Row, Scale
from bench.table import table, write
from jobctrl.errors import JobCtrlError

TASKS = ("log", "identity", "reading", "boards", "command_line", "pdf", "analytics", "questions", "search")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller sizes, in a minute and a half")
    parser.add_argument("--only", choices=TASKS, action="append", help="measure this task alone")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into this page")
    chosen = parser.parse_args()
    began = time.monotonic()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="jobctrl-bench-") as scratch:
        for task in chosen.only or TASKS:
            print(f"{time.monotonic() - began:5.0f} s  {task} …", file=sys.stderr)
            try:
                rows += import_module(f"bench.{task}").rows(Scale(chosen.quick), Path(scratch))
            except (JobCtrlError, subprocess.CalledProcessError) as error:
                # One task that fails leaves a line that says so; the others are measured.
                rows.append(Row(task, f"failed: {error}", met=False))
    took = time.monotonic() - began
    print(table(rows))
    print(f"{took:5.0f} s  done", file=sys.stderr)
    if chosen.write:
        write(chosen.write, rows, quick=chosen.quick, took=took)


if __name__ == "__main__":
    main()
