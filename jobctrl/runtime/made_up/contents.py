"""The texts, analyses, ledgers and materials that made-up facts name by hash; jobs of one trade share them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import product

import msgspec

from jobctrl.materials.model import Letter, Line, Section
from jobctrl.materials.provenance import provenance
from jobctrl.postings.model import PostingFacts, Span
from jobctrl.runtime.made_up.trades import TRADES, Trade, asked_lines, posting_text
from jobctrl.scoring.model import Dimensions, Fit, FitLedger, Keyword, PostingAnalysis, Requirement, Strength, Tier
from jobctrl.scoring.rules import fit_ledger, row
from jobctrl.store import Transaction

_ANSWERS = ((Fit.MATCHED, Strength.DIRECT), (Fit.TRANSFERABLE, None), (Fit.MISSING, None))


@dataclass(frozen=True)
class Ledger:
    ref: str
    ledger: FitLedger


@dataclass(frozen=True)
class Contents:
    """Of one trade, by hash."""

    text: str
    chars: int
    facts: str
    analysis: str
    requirements: int
    must_haves: int
    ledgers: tuple[Ledger, ...]
    """From the worst fit to the best."""
    lines: str
    """Both the resume's and its provenance."""
    letter: str

    def ledger(self, fit: float) -> Ledger:
        """The one nearest to a fit between 0 and 1."""
        return min(self.ledgers, key=lambda each: abs(each.ledger.weighted_fit - fit))


def keep_contents(tx: Transaction) -> dict[str, Contents]:
    """Keep what every trade needs, and say under which hashes."""
    return {trade.title: _kept(tx, trade) for trade in TRADES}


def _kept(tx: Transaction, trade: Trade) -> Contents:
    text = posting_text(trade)
    analysis = _analysis(trade, text)
    lines = tuple(
        Line(Section.EXPERIENCE, f"bullet-{place}", f"Worked with {skill} for years.", requirement_ids=(f"r{place}",))
        for place, skill in enumerate(trade.skills)
    )
    paragraph = tuple(Line(Section.LETTER, each.source_id, each.text) for each in lines[:2])
    letter = Letter("2 March 2026", trade.title, "Dear hiring team,", (paragraph,), "Kind regards,", "The applicant")
    return Contents(
        text=tx.put(text),
        chars=len(text),
        facts=_put(tx, PostingFacts()),
        analysis=_put(tx, asdict(analysis)),
        requirements=len(analysis.requirements),
        must_haves=sum(each.tier is Tier.MUST_HAVE for each in analysis.requirements),
        ledgers=_ledgers(tx, analysis),
        lines=_put(tx, provenance(Letter("", "", "", (lines,), "", ""))),
        letter=_put(tx, letter),
    )


def _analysis(trade: Trade, text: str) -> PostingAnalysis:
    requirements, keywords = [], []
    for place, (line, skill) in enumerate(zip(asked_lines(trade), trade.skills, strict=True)):
        tier = Tier.MUST_HAVE if place < len(trade.skills) // 2 else Tier.NICE_TO_HAVE
        start = text.index(line)
        at = start + line.index(skill)
        weight = round(1.0 - 0.1 * place, 2)
        requirements.append(Requirement(f"r{place}", line, tier, weight, Span(start, start + len(line), line)))
        keywords.append(Keyword(skill, Span(at, at + len(skill), skill), f"r{place}"))
    return PostingAnalysis(tuple(requirements), tuple(keywords), None, "en", trade.title, 1, f"made-up:{trade.title}")


def _ledgers(tx: Transaction, analysis: PostingAnalysis) -> tuple[Ledger, ...]:
    """One for each score that some way of meeting the requirements comes to, and a few between."""
    found: dict[float, FitLedger] = {}
    for answers in product(_ANSWERS, repeat=len(analysis.requirements)):
        pairs = zip(analysis.requirements, answers, strict=True)
        ledger = fit_ledger([row(each, fit, strength) for each, (fit, strength) in pairs])
        found.setdefault(round(ledger.weighted_fit, 1), ledger)
    return tuple(
        Ledger(
            _put(
                tx,
                {
                    "ledger": asdict(ledger),
                    "eligibility": {"status": "eligible", "blockers": [], "warnings": []},
                    "dimensions": Dimensions(5.0, 5.0, 5.0)._asdict(),
                    "warnings": [],
                    "modelScore": ledger.score,
                },
            ),
            ledger,
        )
        for _, ledger in sorted(found.items())
    )


def _put(tx: Transaction, value: object) -> str:
    return tx.put(msgspec.json.encode(value), "application/json")
