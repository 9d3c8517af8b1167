"""The policy in force, version by version: a new threshold or a person's correction makes the next one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection

import msgspec

from jobctrl.scoring.events import ScoringPolicyAdopted
from jobctrl.scoring.model import CorrectionAnchor, ScoringPolicy
from jobctrl.scoring.rules import next_policy
from jobctrl.scoring.state import SCORING_POLICIES
from jobctrl.store import Store, Transaction


class Policies:
    """`min_score` is the threshold the settings name now."""

    def __init__(self, store: Store, min_score: Callable[[], int]) -> None:
        self._store = store
        self._min_score = min_score

    def in_force(self) -> ScoringPolicy:
        """The policy that decides now; a changed threshold is adopted as a new version first."""
        threshold = self._min_score()
        with self._store.reader() as connection:
            policy = self._newest(connection)
        if policy.min_fit_score == threshold:
            return policy
        with self._store.writer() as tx:
            policy = self._newest(tx.connection)
            if policy.min_fit_score != threshold:
                policy = next_policy(policy, min_fit_score=threshold)
                _adopt(tx, policy, "threshold_changed")
        return policy

    def learn(self, tx: Transaction, learned: CorrectionAnchor) -> None:
        """Keep what a correction says about scores like it. It is recorded, and moves no score by itself."""
        policy = self._newest(tx.connection)
        if learned not in policy.anchors:
            _adopt(tx, next_policy(policy, learned=learned), "score_corrected")

    def forget(self, tx: Transaction, taught: Collection[CorrectionAnchor]) -> None:
        """Drop what corrections taught that were taken back."""
        policy = self._newest(tx.connection)
        if any(each in policy.anchors for each in taught):
            _adopt(tx, next_policy(policy, forgotten=taught), "correction_taken_back")

    def _newest(self, connection: sqlite3.Connection) -> ScoringPolicy:
        rows = SCORING_POLICIES.all(connection, "1 ORDER BY version DESC LIMIT 1")
        if not rows:
            return ScoringPolicy()
        row = rows[0]
        anchors = msgspec.json.decode(self._store.content(row.anchors_ref), type=tuple[CorrectionAnchor, ...])
        return ScoringPolicy(row.version, row.min_fit_score, row.material_floor, anchors)


def _adopt(tx: Transaction, policy: ScoringPolicy, reason: str) -> None:
    tx.append(
        "policy/scoring",
        ScoringPolicyAdopted(
            version=policy.version,
            min_fit_score=policy.min_fit_score,
            material_floor=policy.material_floor,
            reason=reason,
            anchors_ref=tx.put(msgspec.json.encode(policy.anchors), "application/json"),
        ),
    )
