"""Measures the readers against labels: the corpus beside the repository when it is there, and the project's own cases.

`python -m tests.conformance [--corpus DIR] [--table NAME] [--markdown FILE]`
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.conformance.harness import CASES, Line, Score, Table, Verdict, score

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "corpus"
LONGEST = 160


@dataclass(frozen=True)
class Goal:
    right: float
    wrong: float

    def met(self, reached: Score) -> bool:
        return reached.share(Verdict.RIGHT) >= self.right and reached.share(Verdict.WRONG) <= self.wrong


GOALS = {
    "pay_text": Goal(0.85, 0.03),
    "place_text": Goal(0.85, 0.03),
    "pages": Goal(0.85, 0.03),
    "postings": Goal(0.85, 0.03),
    "duplicates": Goal(0.80, 0.0),
}


@dataclass(frozen=True)
class Result:
    """One table measured on one set of labels."""

    name: str
    labels: str
    sure: Score
    unsure: Score
    faults: tuple[Line, ...]

    @property
    def met(self) -> bool:
        return GOALS[self.name].met(self.sure)


def measure(table: Table, labels: Path, root: Path, *, called: str) -> Result:
    lines = list(table.lines(labels, root))
    return Result(
        table.name,
        called,
        score(line for line in lines if line.sure),
        score(line for line in lines if not line.sure),
        tuple(line for line in lines if line.verdict is Verdict.WRONG),
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="folder of recordings with truth/ in it")
    parser.add_argument("--table", choices=sorted(GOALS), help="measure this table alone")
    parser.add_argument("--markdown", type=Path, help="also write the table to this file")
    chosen = parser.parse_args(arguments)

    truth = chosen.corpus / "truth"
    if not truth.is_dir():
        print("recorded corpus not present: only the project's own cases are measured")
    results: list[Result] = []
    for name in [chosen.table] if chosen.table else GOALS:
        table = load(name)
        if table is None:
            print(f"{name}: no reader is measured here yet")
            continue
        for labels, root, called in ((truth, chosen.corpus, "corpus"), (CASES, CASES, "own cases")):
            if (labels / f"{name}.jsonl").is_file():
                results.append(measure(table, labels, root, called=called))
                show(results[-1])
    if chosen.markdown:
        chosen.markdown.write_text(markdown(results), encoding="utf-8")
    broken = [result for result in results if not result.met]
    for result in broken:
        print(f"goal not met: {result.name} ({result.labels})", file=sys.stderr)
    return 1 if broken else 0


def load(name: str) -> Table | None:
    module = f"tests.conformance.{name}"
    if importlib.util.find_spec(module) is None:
        return None
    table: Table = importlib.import_module(module).TABLE
    return table


def show(result: Result) -> None:
    print(f"{result.name} ({result.labels}): {_shares(result.sure)}; not counted, unsure: {_shares(result.unsure)}")
    for line in result.faults:
        unsure = "" if line.sure else " (unsure)"
        named = f" [{line.field}]" if line.field else ""
        print(f"  wrong{unsure}{named} {_short(line.where)}\n    want {_short(line.want)}\n    got  {_short(line.got)}")


PREFACE = Path(__file__).parent / "preface.md"


def markdown(results: list[Result]) -> str:
    """docs/conformance.md."""
    rows = [
        "| table | labels | counted | right | missed | wrong | goal | unsure: right / missed / wrong |",
        "|---|---|---:|---:|---:|---:|---|---|",
    ]
    for result in results:
        sure, unsure, goal = result.sure, result.unsure, GOALS[result.name]
        rows.append(
            f"| {result.name} | {result.labels} | {sure.total} | {_share(sure, Verdict.RIGHT)} |"
            f" {_share(sure, Verdict.MISSED)} "
            f"| {_share(sure, Verdict.WRONG)} | right ≥ {goal.right:.0%}, wrong ≤ {goal.wrong:.0%}:"
            f" {'met' if result.met else 'not met'} "
            f"| {unsure.right} / {unsure.missed} / {unsure.wrong} |"
        )
    return PREFACE.read_text(encoding="utf-8") + "\n".join(rows) + "\n"


def _shares(reached: Score) -> str:
    return ", ".join(
        f"{verdict.value} {getattr(reached, verdict.value)} ({_share(reached, verdict)})" for verdict in Verdict
    )


def _share(reached: Score, verdict: Verdict) -> str:
    return f"{reached.share(verdict):.1%}"


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


if __name__ == "__main__":
    sys.exit(main())
