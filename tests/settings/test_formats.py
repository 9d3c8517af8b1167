"""The formats of reports, as a person lists them in a setting."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobctrl.errors import ConfigurationError
from jobctrl.settings.config import change_settings, load_settings
from jobctrl.settings.formats import FORMATS, checked_formats


@pytest.mark.parametrize(
    ("text", "taken"),
    [("html", "html"), ("html, md", "html,md"), (" csv ,,csv,parquet", "csv,parquet"), (",".join(FORMATS),) * 2],
)
def test_a_list_is_taken_with_single_commas(text: str, taken: str) -> None:
    assert checked_formats(text) == taken


@pytest.mark.parametrize("text", ["", " , ", "docx", "html,pdf", "HTML"])
def test_what_is_no_format_is_refused_with_what_is(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"weekly_report_formats.*ipynb"):
        change_settings(tmp_path / "config.json", {"weekly_report_formats": text})

    assert load_settings(tmp_path / "config.json").weekly_report_formats == ",".join(FORMATS)
