from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest

from jobctrl.errors import LlmTransient, MissingInput
from jobctrl.llm.model import Answer, Usage
from jobctrl.llm.openai import OpenAIModel
from jobctrl.postings.model import LanguageReading, PostingFacts
from jobctrl.scoring.answers import FitAssessmentAnswer, PostingAnalysisAnswer, RowAnswer
from jobctrl.scoring.evidence import index_profile
from jobctrl.scoring.local import LOCAL_SKILLS
from jobctrl.scoring.model import Confidence, EligibilityStatus, Fit, FitBand, ScoringPolicy, Strength
from jobctrl.scoring.score import score_posting
from tests.llm.provider import openai_completion, serving
from tests.scoring.conftest import NOW, profile

GOOD = """Riverbank moves freight by water and measures it.

Requirements
- 3+ years of experience with Python and SQL
- Experience with Airflow or Dagster
- Snowflake and dbt
- Bachelor's degree
- Fluent English

Nice to have
- Terraform
"""


def scored(model, *, text: str = GOOD, title: str = "Data Engineer", person=None, **more):
    return score_posting(
        job_id="j1",
        title=title,
        text=text,
        facts=more.pop("facts", PostingFacts(language=LanguageReading("en", 0.99))),
        profile=person or profile(),
        policy=ScoringPolicy(version=3),
        model=model,
        now=NOW,
        **more,
    )


@dataclass
class Scripted:
    """Answers the analysis by the local rules, and the assessment as it is told."""

    rows: list[RowAnswer]
    asked: list = field(default_factory=list)
    provider: str = "anthropic"
    name: str = "claude-test"

    def ask(self, ask):
        self.asked.append(ask)
        if ask.answer is PostingAnalysisAnswer:
            value = LOCAL_SKILLS[ask.prompt.name]({**ask.inputs, **ask.echo})
        else:
            value = FitAssessmentAnswer(
                job_id="j1",
                rows=self.rows,
                score=10,
                technical_fit=9,
                experience_fit=8,
                role_fit=7,
                confidence=Confidence.HIGH,
            )
        return Answer(value, Usage(1, 1), self.provider, self.name)


def claim(requirement: str, fit: Fit, *evidence: str, strength=None) -> RowAnswer:
    return RowAnswer(requirement_id=requirement, fit=fit, strength=strength, evidence_ids=list(evidence), rationale="")


def test_a_posting_that_fits_scores_high_with_evidence_for_every_row(local, index):
    card = scored(local, index=index)

    assert card.score >= 9
    assert card.band is FitBand.EXCELLENT
    assert card.eligibility.status is EligibilityStatus.ELIGIBLE
    known = {item.id for item in index.items}
    assert all(set(row.evidence_ids) <= known for row in card.ledger.items)
    assert (card.policy_version, card.formula_version) == (3, "requirement-fit-v1")
    assert (card.provider, card.model, card.analysis.language) == ("local", "local-1", "en")


def test_a_posting_of_another_trade_scores_low(local):
    text = GOOD.replace("Python and SQL", "patient care").replace("Airflow or Dagster", "wound dressing")
    text = text.replace("Snowflake and dbt", "Electronic health records").replace("Terraform", "Night shifts")

    assert scored(local, text=text, title="Registered Nurse").score <= 4


def test_scoring_twice_gives_the_same_card(local):
    assert scored(local) == scored(local)


def test_a_prepared_index_and_an_earlier_analysis_change_nothing(local, mira):
    first = scored(local)

    assert scored(local, index=index_profile(mira, now=NOW), analysis=first.analysis) == first


def test_a_language_that_is_not_spoken_blocks_a_row_and_caps_the_score(local):
    card = scored(local, text=GOOD.replace("Fluent English", "Fluent Polish"))

    assert card.score == 4
    assert card.eligibility.status is EligibilityStatus.BLOCKED
    assert [r.fit for r in card.ledger.items].count(Fit.BLOCKED) == 1


def test_claims_without_evidence_are_taken_back():
    model = Scripted(
        [
            claim("r1", Fit.MATCHED, "role:e1", strength=Strength.DIRECT),
            claim("r2", Fit.MATCHED, "bullet:invented", strength=Strength.DIRECT),
            claim("r3", Fit.TRANSFERABLE),
            claim("r4", Fit.MATCHED, "bullet:b2", "bullet:invented"),
            claim("r4", Fit.MISSING),
            claim("r99", Fit.MATCHED, "role:e1"),
        ]
    )

    card = scored(model)

    fits = {row.requirement_id: (row.fit, row.evidence_ids) for row in card.ledger.items}
    assert fits["r1"] == (Fit.MATCHED, ("role:e1",))
    assert fits["r2"] == (Fit.NOT_ASSESSED, ())
    assert fits["r3"] == (Fit.MISSING, ())
    assert fits["r4"] == (Fit.MATCHED, ("bullet:b2",))
    assert fits["r5"] == (Fit.NOT_ASSESSED, ())
    assert {
        "requirement_fit_matched_without_evidence",
        "requirement_fit_transferable_without_evidence",
        "duplicate_requirement_assessment:r4",
        "invalid_requirement_assessment:r99",
        "missing_requirement_assessment:r5",
    } <= set(card.warnings)


def test_the_models_own_score_is_evidence_and_never_the_score():
    card = scored(Scripted([]))

    assert card.model_score == 10
    assert card.score <= 2  # the language that is spoken is all that stands
    assert card.confidence is Confidence.LOW


def test_a_title_alone_is_no_reading(local):
    text = "Riverbank moves freight by water. It has done so since the year of the great flood, and it likes it."

    card = scored(local, text=text)

    assert card.formula_version == "default-scoring-rubric-v1"
    assert card.score < ScoringPolicy().min_fit_score
    assert card.confidence is Confidence.LOW


def test_too_little_text_is_no_score(local):
    with pytest.raises(MissingInput):
        scored(local, text="Apply now")


def test_a_failed_call_is_never_a_score():
    class Failing:
        provider = name = "x"

        def ask(self, ask):
            raise LlmTransient("no answer")

    with pytest.raises(LlmTransient):
        scored(Failing())


def test_only_what_a_resume_can_answer_is_put_to_the_model_and_never_the_name():
    model = Scripted([])

    scored(model)

    assessment = model.asked[1]
    asked = json.loads(assessment.inputs["requirements"])
    assert "Fluent English" not in {r["words"] for r in asked}
    assert "Mira" not in "".join(assessment.inputs.values())
    assert assessment.echo == {"job_id": "j1"}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wir backen Brot seit vielen Jahren und gern.\n\nDein Profil\n- 3 Jahre Erfahrung mit Python\n- SQL", "de"),
        ("私たちはデータ基盤を作るエンジニアを探しています。PythonとSQLの経験が必要です。" * 3, "ja"),
        ("نبحث عن مهندس بيانات لديه خبرة في Python و SQL لمدة ثلاث سنوات على الأقل في شركة كبيرة جدا جدا", "ar"),
    ],
)
def test_postings_in_any_language_are_scored_and_say_their_language(text, language, local):
    card = scored(local, text=text, facts=PostingFacts(language=LanguageReading(language, 0.99)))

    assert 1 <= card.score <= 10
    assert card.analysis.language == language


def test_a_paid_provider_goes_through_the_same_gates():
    def script(body):
        schema = body["response_format"]["json_schema"]["name"]
        if schema == "PostingAnalysisAnswer":
            answer = {
                "job_id": "j1",
                "requirements": [
                    {
                        "text": "SQL",
                        "tier": "must_have",
                        "weight": 0.9,
                        "evidence_span": "python and sql",
                        "coverage_scope": "resume",
                    },
                    {
                        "text": "invented",
                        "tier": "must_have",
                        "weight": 1,
                        "evidence_span": "ten years of COBOL",
                        "coverage_scope": "resume",
                    },
                ],
                "keywords": [],
                "inferred_seniority": None,
                "role_framing": "x",
            }
        else:
            row = {
                "requirement_id": "r1",
                "fit": "matched",
                "strength": "direct",
                "evidence_ids": ["bullet:b1"],
                "rationale": "x",
            }
            answer = {
                "job_id": "j1", "rows": [row], "score": 3, "technical_fit": 5, "experience_fit": 5, "role_fit": 5,
                "confidence": "high",
            }  # fmt: skip
        return openai_completion(json.dumps(answer))

    with serving(script) as provider:
        card = scored(OpenAIModel("gpt-test", "key", base_url=f"{provider.url}/v1"))

    assert [r.span.text for r in card.analysis.requirements] == ["Python and SQL"]
    assert card.analysis.dropped_ungrounded == 1
    assert (card.score, card.model_score, card.provider) == (10, 3, "openai")
