"""What a model is asked for a resume and a letter. The person's name, address and contact details are never sent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from jobctrl.llm.model import Ask, Lane
from jobctrl.llm.prompts import load_prompt
from jobctrl.materials.model import LetterProposal, Need, ResumeProposal
from jobctrl.profile.model import Resume

PACKAGE = "jobctrl.materials"


def resume_ask(
    resume: Resume, needs: Sequence[Need], *, job_id: str, posting: str, now: datetime
) -> Ask[ResumeProposal]:
    """The question whose answer `assemble` turns into a resume."""
    inputs = {
        "resume": resume.model_dump_json(exclude={"letter_sentences"}),
        "needs": msgspec.json.encode(needs).decode(),
        "posting": posting,
        "today": now.date().isoformat(),
    }
    prompt = load_prompt(PACKAGE, "tailor-resume")
    return Ask(prompt, inputs, ResumeProposal, Lane.TAILOR, job_id=job_id, echo={"job_id": job_id})


def letter_ask(resume: Resume, needs: Sequence[Need], *, job_id: str, posting: str) -> Ask[LetterProposal]:
    """The question whose answer `assemble_letter` turns into a letter."""
    inputs = {
        "resume": resume.model_dump_json(),
        "needs": msgspec.json.encode(needs).decode(),
        "posting": posting,
    }
    prompt = load_prompt(PACKAGE, "cover-letter")
    return Ask(prompt, inputs, LetterProposal, Lane.COVER, job_id=job_id, echo={"job_id": job_id})
