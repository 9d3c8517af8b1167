"""The words of a text, whichever way they were found."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.postings.tokens import tokens

TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("C++ and C#, don’t — “stop”", ("c", "and", "c", "don", "t", "stop")),
        ("Größe: GRÖSSE", ("grösse", "grösse")),
        ("データ engineer", ("デ", "ー", "タ", "engineer")),
        ("• snake_case · v2.0", ("snake_case", "v2", "0")),
        ("", ()),
    ],
)
def test_words_are_folded_and_parted_by_all_signs(text, words):
    assert tokens(text) == words


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("ab ’“”–—•·«»'-_ 9"))))
def test_the_fast_way_finds_what_the_pattern_finds(text):
    assert list(tokens(text)) == TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())
