"""How a made-up posting is found: what it says, who shows it, and what each board's reading came to."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from jobctrl.discovery.events import (
    CanonicalJobIdentityResolved,
    DiscoveryRunCompleted,
    DiscoveryRunFailed,
    DuplicateJobLinked,
    JobDiscovered,
    JobSourceObserved,
    Posting,
    StatedPlace,
    StatedSalary,
)
from jobctrl.ids import job_id_for, sha256
from jobctrl.runtime.made_up.contents import Contents
from jobctrl.runtime.made_up.told import Told
from jobctrl.runtime.made_up.trades import (
    BOARDS,
    CURRENCIES,
    EMPLOYERS,
    GONE_QUIET,
    LEVELS,
    MODES,
    PLACES,
    TRADES,
    Trade,
)
from jobctrl.stages.events import StageCompleted, StageStarted
from jobctrl.store import Execution

SOURCES = tuple(f"{kind}:{token}" for kind, token, _ in BOARDS)
_SHARES = tuple(share for _, _, share in BOARDS)
_STATES_PAY, _SHOWN_TWICE, _SHOWN_THRICE = 0.42, 0.22, 0.04


@dataclass(frozen=True)
class Find:
    """A posting that nobody had seen."""

    job_id: str
    native_id: str
    source_id: str
    also: tuple[str, ...]
    """Boards that show it too."""
    trade: Trade
    suits: float
    posting: Posting
    at: datetime


def find(dice: random.Random, number: int, at: datetime, contents: dict[str, Contents], *, quiet: bool) -> Find:
    """The *number*th posting. With *quiet* one of the boards states no pay any more."""
    trade, (level, factor, shift) = dice.choice(TRADES), dice.choice(LEVELS)
    source_id = dice.choices(SOURCES, _SHARES)[0]
    chance = dice.random()
    twins = 2 if chance < _SHOWN_THRICE else int(chance < _SHOWN_TWICE)
    also = tuple(dict.fromkeys(each for each in dice.choices(SOURCES, _SHARES, k=twins) if each != source_id))
    native_id, (city, country) = f"{4_000_000 + number}", dice.choice(PLACES)
    stated = dice.random() < _STATES_PAY and not (quiet and source_id == GONE_QUIET)
    title, employer = f"{level}{trade.title}", dice.choice(EMPLOYERS)
    kept = contents[trade.title]
    posting = Posting(
        title=title,
        employer=employer,
        url=f"https://{source_id.replace(':', '.')}.example/jobs/{native_id}",
        apply_url=f"https://{source_id.replace(':', '.')}.example/jobs/{native_id}/apply",
        department=trade.department,
        employment_type=dice.choice(("full_time", "full_time", "full_time", "contract", "part_time")),
        places=[StatedPlace(city=city, country=country)],
        mode=dice.choices(MODES, (30, 35, 20, 15))[0],
        pay=_pay(dice, trade.pay * factor, country) if stated else None,
        published=(at - timedelta(days=dice.expovariate(0.25))).date() if dice.random() < 0.9 else None,
        language="en",
        description_hash=kept.text,
        description_chars=kept.chars,
        facts_hash=kept.facts,
        content_key=f"{employer.lower()}|{title.lower()}",
        fingerprint=sha256(f"{employer}|{title}|{number}"),
    )
    suits = min(1.0, max(0.0, dice.gauss(trade.suits + shift, 0.18)))
    return Find(job_id_for(f"{source_id}:{native_id}"), native_id, source_id, also, trade, suits, posting, at)


def _pay(dice: random.Random, middle: float, country: str) -> StatedSalary:
    currency, rate = CURRENCIES.get(country, ("EUR", 1.0))
    low = round(middle * rate * dice.uniform(0.8, 1.05), -3)
    high = round(low * dice.uniform(1.1, 1.4), -3)
    monthly = country == "PL" and dice.random() < 0.7
    share = 12 if monthly else 1
    return StatedSalary(
        state="stated",
        currency=currency,
        period="month" if monthly else "year",
        low=Decimal(round(low / share)),
        high=Decimal(round(high / share)),
        component="base",
    )


def found(find: Find, execution: Execution, *, briefly: bool) -> Iterator[Told]:
    """The facts of a find; *briefly*, without the stage and the address it is known by."""
    stream, job_id, at = f"job/{find.job_id}", find.job_id, find.at
    key = f"{find.source_id}:{find.native_id}"
    yield Told(
        at,
        stream,
        JobDiscovered(
            job_id=job_id,
            source_id=find.source_id,
            source_native_id=find.native_id,
            identity_key=key,
            posting=find.posting,
        ),
        execution=execution,
    )
    if not briefly:
        yield Told(at, stream, StageStarted(job_id=job_id, stage="discover", attempt_number=1), execution=execution)
        yield Told(at, stream, StageCompleted(job_id=job_id, stage="discover"), execution=execution)
    yield Told(at, stream, _shown(find, find.source_id, key, execution, first=True), execution=execution)
    if not briefly:
        resolved = CanonicalJobIdentityResolved(
            job_id=job_id,
            canonical_url=find.posting.url,
            ats_kind=find.source_id.split(":")[0],
            source_native_id=find.native_id,
            confidence=1.0,
        )
        yield Told(at, stream, resolved, execution=execution)
    for number, source_id in enumerate(find.also, 1):
        twin, later = f"{source_id}:{find.native_id}", at + timedelta(minutes=7 * number)
        yield Told(later, stream, _shown(find, source_id, twin, execution, first=False), execution=execution)
        merged = DuplicateJobLinked(
            duplicate_link_id=f"link:{twin}",
            surviving_job_id=job_id,
            superseded_job_or_observation_id=f"observation:{twin}",
            source_id=source_id,
            reason="content_shingle_match",
            confidence=0.9,
        )
        yield Told(later, stream, merged, execution=execution)


def _shown(find: Find, source_id: str, key: str, execution: Execution, *, first: bool) -> JobSourceObserved:
    return JobSourceObserved(
        job_id=find.job_id,
        source_observation_id=f"observation:{key}",
        source_id=source_id,
        source_native_id=find.native_id,
        identity_key=key,
        observed_url=find.posting.url,
        run_id=execution.run_id,
        first_finder=first,
        posting=find.posting,
    )


def reading(
    dice: random.Random, source_id: str, finds: list[Find], run_id: str, standing: int, *, quiet: bool
) -> DiscoveryRunCompleted:
    """What a board's reading came to, when *standing* postings of earlier readings were still on it."""
    new = [each for each in finds if each.source_id == source_id]
    merged = sum(source_id in each.also for each in finds)
    unwanted = round(len(new) * dice.uniform(0.5, 1.5)) + dice.randint(0, 3)
    other_place = dice.randint(0, unwanted)
    reasons = {"filtered:title_mismatch": unwanted - other_place, "filtered:location_mismatch": other_place}
    returned = len(new) + merged + standing + unwanted
    silent = 1.0 if quiet and source_id == GONE_QUIET else 1 - _STATES_PAY
    return DiscoveryRunCompleted(
        run_id=run_id,
        source_id=source_id,
        returned=returned,
        admitted=len(new),
        merged=merged + standing,
        filtered=unwanted,
        rejected=0,
        seen_before=standing,
        reasons={name: count for name, count in reasons.items() if count},
        reported_total=returned,
        field_nulls={"pay": round(returned * silent), "published": round(returned * 0.1)},
        duration_ms=dice.randint(400, 9000),
    )


def no_answer(source_id: str, run_id: str) -> DiscoveryRunFailed:
    return DiscoveryRunFailed(
        run_id=run_id,
        source_id=source_id,
        error_class="source_unavailable",
        error_message="The board answered 503.",
        retryable=True,
    )
