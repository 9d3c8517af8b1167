"""Whether two postings are one, judged by what they say."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.postings.model import Place
from jobctrl.postings.similarity import (
    Content,
    Sameness,
    bands,
    fingerprint,
    jaccard,
    shingles,
    signature,
    verdict,
)
from tests.conformance.duplicates import TABLE
from tests.conformance.harness import CASES, Verdict

WORDS = [f"word{number}" for number in range(3_000)]


def text(seed: int, length: int = 300) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=length))


def changed(original: str, words: int) -> str:
    parts = original.split()
    parts[50 : 50 + words] = [f"new{number}" for number in range(words)]
    return " ".join(parts)


def posting(**other: object) -> Content:
    stated: dict[str, object] = {
        "title": "Data Engineer",
        "company": "Acme",
        "text": text(1),
        "places": (Place("Oslo", None, "NO"),),
    }
    return Content(**{**stated, **other})  # type: ignore[arg-type]


def test_one_native_id_is_one_posting_whatever_changed():
    a = posting(key="greenhouse::1")
    b = posting(key="greenhouse::1", title="Senior Data Engineer", text=text(2), places=())

    assert verdict(a, b).sameness is Sameness.SAME


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"company": "ACME, Inc."},
        {"title": "Data Engineer (m/f/d)"},
        {"text": text(1).upper()},
        {"text": changed(text(1), 5)},
        {"places": (Place("Oslo", "03", "NO"), Place("Bergen", None, "NO"))},
        {"key": "indeed::1"},
        {"language": "en", "requisition": "R1"},
    ],
)
def test_the_same_advert_on_two_boards_is_one(other):
    assert verdict(posting(key="linkedin::7"), posting(**other)).sameness is Sameness.SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {"title": "Senior Data Engineer"}),
        ({}, {"title": "Data Engineer II"}),
        ({}, {"company": "Bolt"}),
        ({"company": None}, {"company": None}),
        ({"requisition": "R1"}, {"requisition": "R2"}),
        ({"language": "en"}, {"language": "de"}),
        ({"employment_type": "full_time"}, {"employment_type": "part_time"}),
        ({}, {"text": text(2)}),
        ({}, {"text": changed(text(1), 60)}),
        ({"text": "Apply now"}, {"text": "Apply now"}),
        ({"text": f"{text(1)} level II"}, {"text": f"{text(1)} level III"}),
        ({"key": "lever::a"}, {"key": "lever::b", "text": changed(text(1), 15)}),
        ({"team": "Payments"}, {"team": "Risk", "text": changed(text(1), 5)}),
    ],
)
def test_whatever_could_make_it_another_job_keeps_them_apart(one, other):
    assert verdict(posting(**one), posting(**other)).sameness is Sameness.DIFFERENT


@pytest.mark.parametrize(
    "other",
    [
        {"places": (Place("Rome", None, "IT"),)},
        {"title": "Data Engineer - Rome, Italy", "places": (Place("Rome", None, "IT"),)},
    ],
)
def test_the_same_text_for_another_place_is_no_merge(other):
    assert verdict(posting(), posting(**other)).sameness is Sameness.SAME_REQUISITION_OTHER_PLACE


def test_two_languages_of_one_city_are_one_place():
    a = posting(places=(Place("Munich", None, "DE"),))
    b = posting(places=(Place("München", "Bayern", "DE"),))

    assert verdict(a, b).sameness is Sameness.SAME


def test_a_verdict_is_the_same_from_both_sides():
    a, b = posting(), posting(text=changed(text(1), 8), places=(Place("Rome", None, "IT"),))

    assert verdict(a, b).sameness is verdict(b, a).sameness


def test_a_fingerprint_needs_an_employer_a_title_and_a_text():
    assert fingerprint("Data Engineer", "Acme", text(1)) == fingerprint("DATA ENGINEER", "Acme, Inc.", text(1).title())
    assert fingerprint("Data Engineer", "Acme", "too short") is None
    assert fingerprint("Data Engineer", None, text(1)) is None
    assert fingerprint("", "Acme", text(1)) is None


def test_six_employers_of_another_script_have_six_fingerprints():
    names = ["青空商事", "桜電機", "山本工業", "海洋通信", "白雪食品", "緑野農園"]

    assert len({fingerprint("エンジニア", name, text(1)) for name in names}) == len(names)


def test_a_short_text_has_no_shingles_and_no_bands():
    assert shingles("only a few words") == frozenset()
    assert bands(signature(frozenset())) == ()


@pytest.mark.parametrize("seed", range(20))
def test_texts_at_the_threshold_share_a_band(seed):
    a = text(seed, 600)
    one, other = shingles(a), shingles(changed(a, 45))

    assert jaccard(one, other) >= 0.83
    assert set(bands(signature(one))) & set(bands(signature(other)))


def test_unlike_texts_share_no_band():
    shared = [
        set(bands(signature(shingles(text(seed))))) & set(bands(signature(shingles(text(seed + 1_000)))))
        for seed in range(50)
    ]

    assert not any(shared)


def test_signatures_never_change():
    # They are stored: another value would part every posting from its earlier copies.
    assert bands(signature(shingles(text(7))))[:2] == ("0:908faeeab95298d6", "1:f1f4866eee8092d6")


@given(st.frozensets(st.integers(0, 2**64 - 1), max_size=40), st.frozensets(st.integers(0, 2**64 - 1), max_size=40))
def test_jaccard_is_a_share_and_symmetric(one, other):
    assert 0.0 <= jaccard(one, other) <= 1.0
    assert jaccard(one, other) == jaccard(other, one)
    assert len(signature(one)) in (0, 512)


@given(st.text(max_size=400))
def test_any_text_can_be_compared(words):
    assert fingerprint("Engineer", "Acme", words) in (None, fingerprint("Engineer", "Acme", words))
    assert bands(signature(shingles(words))) == bands(signature(shingles(words)))


def test_every_own_pair_is_judged_right():
    faults = [line for line in TABLE.lines(CASES, Path()) if line.verdict is not Verdict.RIGHT]

    assert faults == []


def test_recorded_pairs_are_never_merged_wrongly(corpus):
    lines = [line for line in TABLE.lines(corpus / "truth", corpus) if line.sure]
    seen_twice = [line for line in lines if line.want == "yes"]

    assert [line.where for line in lines if line.verdict is Verdict.WRONG] == []
    assert sum(line.verdict is Verdict.RIGHT for line in seen_twice) / len(seen_twice) >= 0.85
