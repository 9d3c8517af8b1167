"""The desks `runs` and `operations`, opened on the workspace that the environment names; what they show, as JSON."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

NOTEBOOKS = Path(__file__).resolve().parents[3] / "notebooks"


def shown(name: str) -> Any:
    """What the cells of a desk have defined after it ran."""
    spec = importlib.util.spec_from_file_location(f"desk_{name}", NOTEBOOKS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    desk = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(desk)
    _, defined = desk.app.run()
    return defined


def main() -> None:
    from jobctrl.cli.output import plain

    runs = shown("runs")["ran"].select("workflow_id", "run_id", "status").rows()
    print(json.dumps({"runs": runs, "operations": plain(shown("operations")["now"].seen)}))


if __name__ == "__main__":
    main()
