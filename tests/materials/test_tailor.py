"""What a tailored resume keeps, chooses and refuses."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from jobctrl.errors import MissingInput
from jobctrl.materials.model import (
    CoverageState,
    ProposedEntry,
    ProposedLine,
    ProposedSkills,
    ResumeProposal,
    TailoredResume,
    Transform,
)
from jobctrl.materials.provenance import provenance
from jobctrl.materials.tailor import assemble, tailor
from jobctrl.profile.model import TailoringRules
from tests.materials.people import COBOL, KAFKA, KUBERNETES, NEEDS, NOW, person


def shown(resume: TailoredResume) -> dict[str, list[str]]:
    return {entry.experience_id: [line.source_id for line in entry.lines] for entry in resume.experience}


def proposal(text: str, **changes: object) -> ResumeProposal:
    """A model's answer that rewords one bullet."""
    entry = ProposedEntry(experience_id="gok", lines=[ProposedLine(source_id="gok-3", text=text)])
    return ResumeProposal(job_id="j", summary=[], experience=[entry], skills=[]).model_copy(update=changes)


def test_must_haves_come_first_and_the_least_relevant_bullet_gives_way():
    resume = tailor(person(), NEEDS, now=NOW)

    assert shown(resume)["gok"][:2] == ["gok-4", "gok-3"]
    assert len(shown(resume)["gok"]) == 4


def test_only_confirmed_bullets_are_printed():
    assert "gok-6" not in shown(tailor(person(), NEEDS, now=NOW))["gok"]


def test_a_pinned_bullet_is_kept_whatever_the_posting_asks():
    rules = TailoringRules(pinned_bullet_ids=["gok-5"], max_experience_bullets=1)

    assert shown(tailor(person(), NEEDS, rules=rules, now=NOW))["gok"] == ["gok-5"]


def test_titles_employers_dates_and_education_are_the_profiles():
    profile = person()

    resume = tailor(profile, NEEDS, now=NOW)

    for entry, own in zip(resume.experience, profile.resume.experience, strict=True):
        assert (entry.title, entry.company, entry.start, entry.end) == (own.title, own.company, own.start, own.end)
    assert [item.degree for item in resume.education] == ["M.Sc. Computer Science"]


def test_skills_are_reordered_and_never_invented():
    resume = tailor(person(), NEEDS, now=NOW)

    assert resume.skills[0].items == ("Kafka", "Airflow", "Spark")
    assert {item for group in resume.skills for item in group.items} == {"SQL", "Python", "Airflow", "Spark", "Kafka"}


def test_the_summary_is_chosen_from_the_persons_own_sentences():
    resume = tailor(person(), [KAFKA], now=NOW)

    assert "Kafka and PostgreSQL are home." in [line.text for line in resume.summary]
    assert {line.text for line in resume.summary} <= set(person().resume.summary_sentences)


def test_each_line_names_its_source_and_the_needs_it_answers():
    rows = {row.source_id: row for row in provenance(tailor(person(), NEEDS, now=NOW))}

    assert rows["gok-4"].requirement_ids == ("r-kafka",)
    assert rows["gok-4"].matched_keywords == ("Kafka",)
    assert rows["gok-2"].evidence_ids == ("ev-spark",)
    assert {row.transform_type for row in rows.values()} == {"verbatim"}


@pytest.mark.parametrize("evidence", ["achievement:ev-spark", "bullet:gok-2"])
def test_evidence_named_by_the_score_counts_without_a_keyword(evidence):
    need = replace(KUBERNETES, keywords=("Nomad",), evidence_ids=(evidence,))

    resume = tailor(person(), [need], now=NOW)

    assert resume.coverage.needs[0].state is CoverageState.COVERED
    assert shown(resume)["gok"][0] == "gok-2"


def test_coverage_tells_what_is_shown_declared_left_out_and_unknown():
    coverage = {row.requirement_id: row for row in tailor(person(), NEEDS, now=NOW).coverage.needs}

    assert {key: (row.state, row.declared_only) for key, row in coverage.items()} == {
        "r-kafka": (CoverageState.COVERED, False),
        "r-k8s": (CoverageState.COVERED, False),
        "r-air": (CoverageState.COVERED, True),
        "r-tf": (CoverageState.MISSING_FROM_RESUME, False),
        "r-cobol": (CoverageState.MISSING_FROM_PROFILE, False),
    }
    assert coverage["r-tf"].source_ids == ("gok-6",)


@pytest.mark.parametrize("evidence", ["role:kow", "education:agh", "language:pl"])
def test_a_position_a_school_or_a_language_on_the_page_answers_a_need(evidence):
    need = replace(KUBERNETES, keywords=("Nomad",), evidence_ids=(evidence,))

    (row,) = tailor(person(), [need], now=NOW).coverage.needs

    assert (row.state, row.source_ids, row.declared_only) == (CoverageState.COVERED, (evidence,), False)


def test_a_position_that_is_not_required_is_shown_only_when_it_answers_something():
    rules = TailoringRules(required_experience_ids=["gok"])

    assert list(shown(tailor(person(), [KAFKA], rules=rules, now=NOW))) == ["gok"]


def test_the_same_input_gives_the_same_resume():
    assert msgspec.json.encode(tailor(person(), NEEDS, now=NOW)) == msgspec.json.encode(
        tailor(person(), NEEDS, now=NOW)
    )


def test_a_resume_survives_being_stored():
    resume = tailor(person(), NEEDS, now=NOW)

    assert msgspec.json.decode(msgspec.json.encode(resume), type=TailoredResume) == resume


def test_a_posting_without_needs_still_gets_a_resume():
    resume = tailor(person(), [], now=NOW)

    assert shown(resume)["gok"] == ["gok-1", "gok-2", "gok-3", "gok-4"]
    assert resume.coverage.must_have_coverage == 1.0


def test_a_profile_without_a_confirmed_bullet_is_refused_with_what_to_do():
    profile = person()
    for entry in profile.resume.experience:
        for bullet in entry.bullets:
            bullet.confirmed = False

    with pytest.raises(MissingInput) as refused:
        tailor(profile, [COBOL], now=NOW)

    assert "confirmed" in (refused.value.hint or "")


def test_a_bullet_with_a_leftover_placeholder_is_not_printed_and_is_named():
    profile = person()
    profile.resume.experience[0].bullets[3].text = "Built a Kafka ingestion for [number] events"

    resume = tailor(profile, NEEDS, now=NOW)

    assert "gok-4" not in shown(resume)["gok"]
    assert [r.source_id for r in resume.rejections] == ["gok-4"]


def test_a_faithful_rewording_is_printed_and_says_so():
    resume = assemble(person(), NEEDS, proposal("Contributed to moving 12 services to Kubernetes"), now=NOW)

    line = resume.experience[0].lines[0]
    assert (line.text, line.transform) == ("Contributed to moving 12 services to Kubernetes", Transform.REPHRASE)
    assert line.requirement_ids == ("r-k8s",)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Led the move of 12 services to Kubernetes.", "stronger_verb"),
        ("Contributed to the move of 20 services to Kubernetes.", "unknown_number"),
        ("Contributed to the move of 12 services to Kubernetes, cutting cost by 40 colleagues.", "unknown_number"),
        ("Contributed to the move of 12 services to Kubernetes and Terraform.", "unknown_skill"),
        ("Contributed to the move of 12 services as a Principal Engineer.", "unknown_title"),
    ],
)
def test_a_rewording_that_claims_more_gives_way_to_the_persons_words(text, code):
    resume = assemble(person(), NEEDS, proposal(text), now=NOW)

    line = resume.experience[0].lines[0]
    assert (line.text, line.transform) == (
        "Contributed to the move of 12 services to Kubernetes.",
        Transform.VERBATIM,
    )
    assert code in line.rationale
    assert [f.code for r in resume.rejections for f in r.findings] == [code]


def test_a_number_from_the_evidence_of_the_same_achievement_may_be_used():
    entry = ProposedEntry(
        experience_id="gok",
        lines=[
            ProposedLine(source_id="gok-2", text="Cut the nightly Spark load from 9 hours to 70 minutes (€18k a month)")
        ],
    )

    resume = assemble(person(), NEEDS, proposal("", experience=[entry]), now=NOW)

    assert resume.rejections == ()


def test_a_model_can_neither_rename_a_position_nor_add_one_nor_a_skill():
    entries = [
        ProposedEntry(experience_id="gok", title="VP Data", lines=[ProposedLine(source_id="gok-3", text="")]),
        ProposedEntry(experience_id="nasa", title="Astronaut", lines=[]),
    ]
    skills = [ProposedSkills(category_id="lang", items=["Rust", "Python"])]

    resume = assemble(person(), NEEDS, proposal("", experience=entries, skills=skills), now=NOW)

    assert [entry.title for entry in resume.experience] == ["Senior Data Engineer", "Data Analyst"]
    assert resume.skills[0].items == ("Python", "SQL")
    assert {f.code for r in resume.rejections for f in r.findings} == {
        "title_changed",
        "unknown_entry",
        "unknown_skill",
    }


def test_a_line_of_another_position_or_an_unconfirmed_one_is_not_accepted():
    entry = ProposedEntry(
        experience_id="gok",
        lines=[
            ProposedLine(source_id="kow-1", text="Reported sales to the board every month."),
            ProposedLine(source_id="gok-6", text="Ran Terraform for everything."),
        ],
    )

    resume = assemble(person(), NEEDS, proposal("", experience=[entry]), now=NOW)

    assert shown(resume)["gok"] == ["gok-1", "gok-2", "gok-3", "gok-4"]
    assert [r.source_id for r in resume.rejections] == ["kow-1", "gok-6"]


def test_a_rewording_may_not_use_a_word_the_person_avoids():
    rules = TailoringRules(avoid_words=["seamless"])

    resume = assemble(
        person(),
        NEEDS,
        proposal("Contributed to the seamless move of 12 services to Kubernetes."),
        rules=rules,
        now=NOW,
    )

    assert [f.code for r in resume.rejections for f in r.findings] == ["banned_word"]
