"""What the gates let pass and what they do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.materials.grounding import Ground, check_resume, check_rewording, check_text, ground_of, leftover_tokens
from jobctrl.materials.tailor import tailor
from tests.materials.people import NEEDS, NOW, person

GROUND = Ground(
    (
        "Cut costs by 30% and €18k a month; 3x faster; 2M events; 1,250 users; 12 services",
        "2021-03",
        "2015",
        "Worked with Kafka, PostgreSQL, C++ and Spring Boot",
        "Secured TrustSec gateways",
    ),
    ("Senior Data Engineer", "Acme Widgets GmbH"),
    ("sec", "synergy"),
)


def codes(text: str, ground: Ground = GROUND) -> list[str]:
    return [finding.code for finding in check_text(text, ground)]


@pytest.mark.parametrize(
    "text",
    [
        "Cut costs by 30 percent",
        "Saved 18,000 € a month",
        "Saved €18k",
        "Three times: 3x",
        "Handled 2 million events",
        "Handled 2M+ events",
        "Served 1.250 users",
        "Moved twelve services",
        "On call 24/7, 365 days",
        "Since March 2021",
        "Until 2015",
        "Senior data engineer",
        "Data engineers",
        "Joined Acme Widgets GmbH",
        "C++ and PostgreSQL",
        "Took part in trustsec work",
        "Keeps the rest of the team informed",
        "Express delivery of goods",
        "Worked with designers",
    ],
)
def test_what_the_profile_says_passes_however_it_is_written(text):
    assert codes(text) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Cut costs by 31%", "unknown_number"),
        ("Cut costs by 30x", "unknown_number"),
        ("Cut costs by €30", "unknown_number"),
        ("Saved €18M", "unknown_number"),
        ("Saved $18k", None),
        ("Handled 3M events", "unknown_number"),
        ("Doubled the output", "unknown_number"),
        ("Led fifteen people", "unknown_number"),
        ("Since April 2021", "unknown_date"),
        ("In 2019", "unknown_date"),
        ("As a Principal Data Engineer", "unknown_title"),
        ("Head of Data at the firm", "unknown_title"),
        ("Reported to the CTO", "unknown_title"),
        ("Joined Initech LLC", "unknown_employer"),
        ("Wrote Kubernetes operators", "unknown_skill"),
        ("Exposed it over REST", "unknown_skill"),
        ("We use Spark daily", "unknown_skill"),
        ("Wrote C# services", "unknown_skill"),
        ("Dear {{company}}", "template_token"),
        ("Dear [Your Name]", "template_token"),
        ("I admire ${company}", "template_token"),
        ("TODO: say more", "template_token"),
        ("Found synergy in teams", "banned_word"),
    ],
)
def test_what_the_profile_does_not_say_is_named(text, code):
    assert codes(text) == ([code] if code else [])


def test_a_banned_word_inside_another_word_does_not_match():
    assert codes("Hardened TrustSec and secured sectors") == []
    assert codes("The sec team") == ["banned_word"]


def test_a_finding_points_at_its_words():
    text = "Cut costs by 31% with Kafka"

    (finding,) = check_text(text, GROUND)

    assert text[finding.start : finding.end] == "31%"


@pytest.mark.parametrize(
    ("source", "proposed", "passes"),
    [
        ("Contributed to the migration", "Led the migration", False),
        ("Contributed to the migration", "Built the migration", False),
        ("Helped build the service", "Built the service", True),
        ("Built the service", "Led the service", False),
        ("Co-led the team", "Led the team", False),
        ("Led the team", "Managed the team", True),
        ("Built the service", "Built the service, which led to fewer calls", True),
        ("Wrote the reports", "Drove reporting", False),
        ("Built a store", "Built my own store", True),
    ],
)
def test_a_rewording_may_not_claim_more_than_the_persons_own_words(source, proposed, passes):
    stronger = [f for f in check_rewording(proposed, source, Ground(())) if f.code == "stronger_verb"]

    assert (stronger == []) is passes


def test_a_dollar_before_a_number_is_money_and_not_a_template():
    assert [f.text for f in leftover_tokens("Raised $18M, cut {cost}")] == ["{cost}"]
    assert leftover_tokens("Raised $18M in a [2019] round, C{") == ()


def test_the_title_and_company_of_the_posting_may_be_named_in_a_letter():
    text = "As Staff Platform Engineer at Initech LLC"

    assert check_text(text, ground_of(person()))
    assert check_text(text, ground_of(person(), title="Staff Platform Engineer", company="Initech LLC")) == ()


def test_a_resume_made_of_own_words_passes_every_gate():
    assert check_resume(tailor(person(), NEEDS, now=NOW), person()) == ()


@given(st.text(max_size=200))
def test_a_gate_never_raises_and_its_spans_lie_in_the_text(text):
    for finding in check_rewording(text, "Built 3 things in 2020", GROUND):
        assert finding.start >= 0
        assert finding.start <= finding.end <= len(text)


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=200))
def test_a_text_is_always_supported_by_itself(text):
    own = Ground((text,))

    assert [f.code for f in check_text(text, own) if f.code not in ("template_token",)] == []
