"""Every exported notebook, run again by `pytest --nbval` with the network cut: each cell says what it said here."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import nbformat
import pytest

from jobctrl.analytics.report import write_report
from jobctrl.analytics.reports import REPORTS
from jobctrl.analytics.warehouse import Warehouse
from tests.analytics.searches import Search
from tests.notebooks.demo_like import tell_demo

pytestmark = pytest.mark.slow
NAMED = ("weekly", "calibration")
CUT_OFF = """
import socket

connect = socket.socket.connect

def within(self, address):
    host = address[0] if isinstance(address, tuple) else "127.0.0.1"
    if host not in ("127.0.0.1", "::1", "localhost"):
        raise OSError(f"cut off from {host}")
    return connect(self, address)

socket.socket.connect = within
"""
"""Python's own start-up file, in the kernels too: nobody gets further than this machine."""


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each report on a workspace like the demo's, and on an empty one; some of them with names."""
    folder = tmp_path_factory.mktemp("exported")
    tell_demo(folder / "demo").close()
    Search(folder / "empty").close()
    for name in REPORTS:
        for workspace in ("demo", "empty"):
            write_report(Warehouse(folder / workspace), name, folder / f"{name}-{workspace}", ["ipynb"])
    for name in NAMED:
        write_report(Warehouse(folder / "demo"), name, folder / f"{name}-named", ["ipynb"], personal=True)
    (folder / "sitecustomize.py").write_text(CUT_OFF)
    return folder


def checked(exported: Path, *notebooks: Path) -> subprocess.CompletedProcess[str]:
    """What nbval says of them, comparing every output: not the lax way."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "--nbval", "-q", "-p", "no:cacheprovider", "--rootdir", exported, *notebooks],
        cwd=exported,
        env={**os.environ, "PYTHONPATH": str(exported)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize(("kind", "names"), [("demo", REPORTS), ("empty", REPORTS), ("named", NAMED)])
def test_every_report_passes_nbval_without_a_network(exported: Path, kind: str, names: Iterable[str]) -> None:
    notebooks = [exported / f"{name}-{kind}" / f"{name}.ipynb" for name in names]
    cells = sum(
        cell.cell_type == "code"
        for each in notebooks
        for cell in nbformat.read(each, as_version=nbformat.NO_CONVERT).cells
    )

    said = checked(exported, *notebooks)

    assert said.returncode == 0, said.stdout[-3000:]
    assert f"{cells} passed" in said.stdout


def test_a_table_that_says_something_else_does_not_pass(exported: Path) -> None:
    notebook = nbformat.read(exported / "funnel-demo" / "funnel.ipynb", as_version=nbformat.NO_CONVERT)
    cell = next(cell for cell in notebook.cells if cell.get("outputs"))
    said = cell.outputs[0].data["text/plain"]
    cell.outputs[0].data["text/plain"] = said.replace("found", "lost!", 1)
    assert said != cell.outputs[0].data["text/plain"]
    changed = exported / "funnel-demo" / "changed.ipynb"
    nbformat.write(notebook, changed)

    assert checked(exported, changed).returncode == 1


def test_a_notebook_that_asks_the_network_does_not_pass(exported: Path) -> None:
    ask = "import socket\nsocket.create_connection(('192.0.2.1', 80), timeout=5)"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(ask, execution_count=1)])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    asking = exported / "asking.ipynb"
    nbformat.write(notebook, asking)

    said = checked(exported, asking)

    assert said.returncode == 1
    assert "cut off from 192.0.2.1" in said.stdout
