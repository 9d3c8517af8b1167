"""Every scenario by its name."""

from __future__ import annotations

from tests.acceptance.chaos.bench import Scenario
from tests.acceptance.chaos.crowd import thousand_postings
from tests.acceptance.chaos.dying import killed, killed_reserving, killed_tailoring_again, worker_absent
from tests.acceptance.chaos.outages import (
    database_locked,
    history_lost,
    own_server_killed,
    own_server_orphaned,
    server_restarted,
    shuffled_restarts,
)
from tests.acceptance.chaos.paying import budget_exhausted, model_killed, model_misbehaves
from tests.acceptance.chaos.stopping import cancellation_ignored, cohort_canceled

SHORT: dict[str, Scenario] = {
    "killed_scoring_before_commit": killed("JobScored:before:kill"),
    "killed_scoring_after_commit": killed("JobScored:after:kill"),
    "killed_in_source": killed("JobDiscovered:before:kill"),
    "server_restarted": server_restarted,
}
"""Those that the test run has time for."""
SCENARIOS: dict[str, Scenario] = {
    **SHORT,
    "killed_after_source": killed("DiscoveryRunCompleted:after:kill"),
    "killed_in_enrichment": killed("JobEnriched:before:kill"),
    "killed_after_enrichment": killed("JobEnriched:after:kill"),
    "killed_scoring_unacknowledged": killed("score_job:end:kill"),
    "killed_tailoring": killed("ResumeApproved:before:kill"),
    "killed_tailoring_again": killed_tailoring_again,
    "killed_letter": killed("CoverLetterGenerated:after:kill"),
    "killed_pdf": killed("render_pdf:writer1:kill"),
    "killed_before_a_mark": killed("WorkflowCompleted:before:kill"),
    "killed_after_a_mark": killed("WorkflowCompleted:after:kill"),
    "killed_before_a_reservation": killed_reserving("StageQueued:before:kill"),
    "killed_after_a_reservation": killed_reserving("StageQueued:after:kill"),
    "own_server_orphaned": own_server_orphaned,
    "own_server_killed": own_server_killed,
    "history_lost": history_lost,
    "worker_absent_before_a_claim": worker_absent("score_job:begin:killx3"),
    "worker_absent_after_a_claim": worker_absent("score_job:writer2:killx3"),
    "database_locked": database_locked,
    "model_misbehaves": model_misbehaves,
    "model_killed": model_killed,
    "budget_exhausted": budget_exhausted,
    "cohort_canceled": cohort_canceled,
    "cancellation_ignored": cancellation_ignored,
    "shuffled_restarts": shuffled_restarts,
    "thousand_postings": thousand_postings,
}
