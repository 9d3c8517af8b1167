"""Posting text made readable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.postings.text import fold, html_to_text, repair, unescape_html


def test_blocks_are_lines_and_inline_tags_are_not():
    assert html_to_text("<div><p>A <b>bold</b>\n word</p><p>Next<br>line</p></div>") == "A bold word\nNext\nline"


def test_list_items_are_marked_also_when_they_hold_paragraphs():
    assert html_to_text("<ul><li>one</li><li><p>two</p><ul><li>three</li></ul></li></ul>") == "- one\n- two\n- three"


def test_table_cells_do_not_run_together():
    assert html_to_text("<table><tr><td>Pay</td><td>£20</td></tr></table>") == "Pay\n£20"


def test_scripts_and_styles_are_not_words():
    assert html_to_text("<p>Hi</p><script>var x = '<p>no</p>'</script><style>p{}</style>") == "Hi"


@pytest.mark.parametrize(
    "markup",
    [
        "<p>Salt &amp; pepper</p>",
        "&lt;p&gt;Salt &amp;amp; pepper&lt;/p&gt;",
        "&amp;lt;p&amp;gt;Salt &amp;amp;amp; pepper&amp;lt;/p&amp;gt;",
    ],
)
def test_bodies_escaped_once_twice_or_not_at_all_read_the_same(markup):
    assert html_to_text(markup) == "Salt & pepper"


def test_plain_text_keeps_its_lines():
    assert html_to_text("one\n\n two &amp; more\n3 < 4") == "one\ntwo & more\n3 < 4"


def test_real_markup_is_not_unescaped():
    assert unescape_html("<p>&lt;b&gt;</p>") == "<p>&lt;b&gt;</p>"


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("Â£50", "£50"),
        ("naÃ¯ve", "naïve"),
        ("we\u00a0are\u200b here", "we are here"),
        ("e\u0301te\u0301", "été"),
        ("São Paulo, Ñandú", "São Paulo, Ñandú"),
        ("«\u00a0un poste publié\u00a0», à pourvoir", "« un poste publié », à pourvoir"),
        ("it isnâ€™t far", "it isn’t far"),
    ],
)
def test_broken_encodings_are_repaired_and_good_text_is_left_alone(text, repaired):
    assert repair(text) == repaired


def test_folding_makes_quotes_case_and_width_one():
    assert fold("L’ANNONCE “Ｆｕｌｌ”") == 'l\'annonce "full"'


@given(
    st.one_of(
        st.text(max_size=200),
        st.lists(st.sampled_from(["<p>", "</li>", "<li>", "&amp;", "&lt;", "x", "\n", "<", ">"])).map("".join),
    )
)
def test_no_markup_makes_the_reader_fail(markup):
    text = html_to_text(markup)

    assert "\n\n" not in text
    assert text == text.strip()


@pytest.mark.parametrize(
    ("markup", "lines"),
    [
        ("<p>One</p><P class='a'>Two<br/>three</P>four", ["One", "Two", "three", "four"]),
        (
            "<ul><li><p>One</p></li>\n<LI>  two\t three</LI><li></li></ul><p>last</p>",
            ["- One", "- two three", "- last"],
        ),
        ("<table><tr><td>Pay</td><td>plenty</td></tr></table>", ["Pay", "plenty"]),
        ("<b>B</b>old <i>and</i>\u2009thin<link rel='x'>", ["Bold and thin"]),
        ("<style>p {}</style><p>seen</p><script>no()</script>", ["seen"]),
        ("marks \x1e of \x1f<b>our own</b>", ["marks of our own"]),
    ],
)
def test_each_block_is_a_line_and_each_item_has_its_dash(markup, lines):
    assert html_to_text(markup).split("\n") == lines
