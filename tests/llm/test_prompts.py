from __future__ import annotations

import sys

import pytest

from jobctrl.errors import ConfigurationError
from jobctrl.llm.prompts import load_prompt


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with one folder of prompts."""
    folder = tmp_path / "shelf_of_prompts" / "prompts"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "shelf_of_prompts", raising=False)
    load_prompt.cache_clear()
    yield folder
    load_prompt.cache_clear()


def test_a_prompt_has_its_words_and_a_version_that_follows_them(package):
    (package / "greet.md").write_text("---\nversion: 3\n---\nSay hello.\n")
    first = load_prompt("shelf_of_prompts", "greet")
    load_prompt.cache_clear()
    (package / "greet.md").write_text("---\nversion: 3\n---\nSay good day.\n")

    second = load_prompt("shelf_of_prompts", "greet")

    assert (first.name, first.text) == ("greet", "Say hello.")
    assert first.version.startswith("3-")
    assert second.version.startswith("3-")
    assert first.version != second.version


@pytest.mark.parametrize("content", ["Say hello.", "---\nauthor: me\n---\nSay hello.", ""])
def test_a_prompt_without_a_version_is_refused(package, content):
    (package / "greet.md").write_text(content)

    with pytest.raises(ConfigurationError, match="version"):
        load_prompt("shelf_of_prompts", "greet")


def test_a_missing_prompt_is_named(package):
    with pytest.raises(ConfigurationError, match="no prompt 'absent' in shelf_of_prompts"):
        load_prompt("shelf_of_prompts", "absent")
