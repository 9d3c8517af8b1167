"""Which folder a workspace is, and who runs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobctrl.errors import WorkspaceBusy
from jobctrl.runtime.workspace import Workspace, hosting, is_hosted, named_workspace


def test_the_variable_names_the_workspace_and_the_home_folder_is_the_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("JOBCTRL_DIR", "~/search")
    named = named_workspace().path
    monkeypatch.delenv("JOBCTRL_DIR")

    assert (named, named_workspace().path) == (tmp_path / "search", tmp_path / ".jobctrl")


def test_one_process_hosts_a_workspace_at_a_time(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)

    with hosting(workspace):
        hosted = is_hosted(workspace)
        with pytest.raises(WorkspaceBusy), hosting(workspace):
            pass

    assert hosted
    assert not is_hosted(workspace)


def test_looking_at_a_workspace_that_is_not_there_makes_nothing(tmp_path: Path) -> None:
    assert not is_hosted(Workspace(tmp_path / "none"))
    assert not (tmp_path / "none").exists()
