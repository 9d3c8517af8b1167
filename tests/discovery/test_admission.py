"""Every row a source returned ends once, with a reason; one posting is one job, and a merge can be undone."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobctrl.discovery.admission import Admission
from jobctrl.discovery.events import JobUpdated
from jobctrl.discovery.model import Listing, LocationText, Outcome, RowProblem, SearchPolicy, StatedPay
from jobctrl.discovery.state import JOB_CONTENTS, JOB_IDENTITIES
from jobctrl.errors import NotFound
from jobctrl.operations.jobs import JOBS, Job
from jobctrl.runtime.tables import TABLES, open_store
from jobctrl.runtime.workspace import Workspace
from jobctrl.store import Execution, Store
from tests.discovery.admitting import admit_together, stand_at
from tests.runtime.searching import ALL_WANTED, BOARD, OTHER_BOARD, RUN, TEXT, admit, listing
from tests.store.workspace import tables_of

AGAIN = Execution("discover-local", "run-2")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(Workspace(tmp_path / "ws"), create=True)
    yield store
    store.close()


def jobs(store: Store) -> dict[str, Job]:
    with store.reader() as connection:
        return {job.job_id: job for job in JOBS.all(connection)}


def ends(receipts: list) -> list[tuple[str, str]]:
    return [(receipt.outcome.value, receipt.reason) for receipt in receipts]


def names(store: Store, job_id: str) -> list[str]:
    return [fact.event_type for fact in store.stream(f"job/{job_id}") if "Stage" not in fact.event_type]


def on_the_other_board(number: int | str, **changes: object) -> Listing:
    """The same posting as `listing(number)`, shown by another vendor under its own id and address."""
    elsewhere = f"https://jobs.lever.co/northmill/00000000-0000-4000-8000-{int(number):012d}"
    return listing(number, native_id=f"00000000-0000-4000-8000-{int(number):012d}", url=elsewhere, **changes)


def test_a_new_posting_is_one_job_with_its_identity(store: Store) -> None:
    [receipt] = admit(store, [listing(1)])

    assert (receipt.outcome, receipt.reason) == (Outcome.ADMITTED, "new")
    assert receipt.job_id is not None
    assert names(store, receipt.job_id) == ["JobDiscovered", "JobSourceObserved", "CanonicalJobIdentityResolved"]
    job = jobs(store)[receipt.job_id]
    assert (job.title, job.employer, job.places, job.observations, job.merges) == (
        "Data Engineer", "Northmill", "Kraków, PL", 1, 0,
    ) or job.places.startswith("Kraków")  # fmt: skip


rows = st.lists(
    st.builds(
        listing,
        st.integers(1, 4),
        st.sampled_from(["Data Engineer", "Welder", "Data Engineer II", "データエンジニア", ""]),
        company=st.sampled_from(["Northmill", "Otter & Sons", None]),
        description_text=st.sampled_from([None, "", "Short.", TEXT.format(place="A"), TEXT.format(place="B")]),
        locations=st.sampled_from([(), (LocationText("Remote", "location.name"),)]),
    ),
    max_size=8,
)
problems = st.lists(st.sampled_from(["missing_id", "not_an_object", "unlisted"]), max_size=3).map(
    lambda reasons: tuple(RowProblem(index, reason) for index, reason in enumerate(reasons))
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(rows, problems, st.sampled_from([BOARD, OTHER_BOARD])), max_size=4), st.booleans())
def test_counts_add_up_for_any_batches_and_a_repeat_adds_nothing(
    tmp_path_factory: pytest.TempPathFactory, batches: list, choosy: bool
) -> None:
    store = open_store(Workspace(tmp_path_factory.mktemp("any") / "ws"), create=True)
    policy = SearchPolicy(titles=("Data Engineer",)) if choosy else ALL_WANTED
    for number, (listings, broken, board) in enumerate(batches):
        run = Execution("discover-local", f"run-{number}")

        receipts = admit(store, listings, source=board, run=run, problems=broken, policy=policy)
        before = store.position()
        repeat = admit(store, listings, source=board, run=run, problems=broken, policy=policy)

        assert len(receipts) == len(listings) + len(broken)
        assert sum(Admission(store).counts(run, board.id).values()) == len(receipts)
        assert all(receipt.reason for receipt in receipts)
        assert {receipt.job_id for receipt in receipts if receipt.outcome in (Outcome.ADMITTED, Outcome.MERGED)} <= set(
            jobs(store)
        )
        assert repeat == []
        assert store.position() == before
    admitted = sum(1 for fact in store.since(0, 100_000) if fact.event_type == "JobDiscovered")
    assert admitted == len(jobs(store))
    live = tables_of(store, TABLES)
    store.rebuild()
    assert tables_of(store, TABLES) == live
    store.close()


def test_a_batch_that_died_half_way_goes_on_where_it_stopped(store: Store) -> None:
    admit(store, [listing(1), listing(2)])

    receipts = admit(store, [listing(1), listing(2), listing(3)])

    assert [receipt.item_key for receipt in receipts] == ["3"]
    assert len(jobs(store)) == 3


def test_the_next_run_finds_what_it_knows_and_says_nothing_of_it(store: Store) -> None:
    admit(store, [listing(1)])
    before = store.position()

    assert ends(admit(store, [listing(1)], run=AGAIN)) == [("merged", "seen_before")]
    assert store.position() == before


def test_one_posting_twice_in_one_answer_is_one_job(store: Store) -> None:
    receipts = admit(store, [listing(1), listing(1)])

    assert ends(receipts) == [("admitted", "new"), ("merged", "seen_before")]
    assert [receipt.item_key for receipt in receipts] == ["1", "1#2"]
    assert len(jobs(store)) == 1


def test_a_board_that_shows_a_posting_twice_in_two_ways_does_not_change_it_for_ever(store: Store) -> None:
    both = [listing(1), listing(1, department="Mills")]
    for number in range(3):
        admit(store, both, run=Execution("discover-local", f"run-{number}"))

    [job_id] = jobs(store)
    assert names(store, job_id).count("JobUpdated") == 0


def test_the_same_words_under_one_title_of_one_employer_are_merged(store: Store) -> None:
    [first] = admit(store, [listing(1)])

    receipts = admit(store, [on_the_other_board(1)], source=OTHER_BOARD)

    assert ends(receipts) == [("merged", "content_fingerprint_match")]
    assert receipts[0].job_id == first.job_id
    job = jobs(store)[first.job_id or ""]
    assert (job.observations, job.merges) == (2, 1)


def test_the_same_words_in_one_batch_are_merged_too(store: Store) -> None:
    one = listing(1)
    again = listing(2, title=one.title, description_text=one.description_text)

    receipts = admit(store, [one, again, listing(3)])

    assert ends(receipts) == [("admitted", "new"), ("merged", "content_fingerprint_match"), ("admitted", "new")]


def test_words_that_a_job_has_since_a_row_of_the_same_batch_are_merged(store: Store) -> None:
    admit(store, [listing(1)], run=Execution("discover-local", "first"))
    changed = listing(1, title="Head Miller", description_text=listing(9).description_text)
    same = listing(2, title=changed.title, description_text=changed.description_text)

    receipts = admit(store, [changed, same], run=Execution("discover-local", "second"))

    assert ends(receipts) == [("merged", "seen_before"), ("merged", "content_fingerprint_match")]


def test_nearly_the_same_words_are_merged_by_their_shingles(store: Store) -> None:
    long = "".join(TEXT.format(place=f"mill {number}") for number in range(3))
    [first] = admit(store, [listing(1, description_text=long)])
    nearly = on_the_other_board(1, description_text=f"{long}\nApply today.")

    receipts = admit(store, [nearly], source=OTHER_BOARD)

    assert ends(receipts) == [("merged", "content_shingle_match")]
    assert receipts[0].job_id == first.job_id


def test_the_address_of_a_board_names_its_posting_wherever_it_is_shown(store: Store) -> None:
    [first] = admit(store, [listing(7)])
    elsewhere = listing(7, url="https://boards.greenhouse.io/northmill/jobs/7?utm_source=x")

    receipts = admit(store, [elsewhere], run=AGAIN)

    assert ends(receipts) == [("merged", "seen_before")]
    assert receipts[0].job_id == first.job_id


@pytest.mark.parametrize(
    "changes",
    [
        {"company": "Southmill"},
        {"title": "Data Analyst"},
        {"company": None, "description_text": None},
        {"description_text": "Quite another text about bread, ovens, and the hours before dawn. " * 8},
        {"requisition_id": "R-2"},
    ],
)
def test_what_differs_where_it_counts_stays_two_jobs(store: Store, changes: dict) -> None:
    admit(store, [listing(1, requisition_id="R-1")])

    [receipt] = admit(store, [on_the_other_board(1, **{"requisition_id": "R-1", **changes})], source=OTHER_BOARD)

    assert receipt.outcome is Outcome.ADMITTED
    assert len(jobs(store)) == 2


def test_a_merge_is_undone_by_a_split(store: Store) -> None:
    [first] = admit(store, [listing(1)])
    admit(store, [on_the_other_board(1)], source=OTHER_BOARD)
    with store.reader() as connection:
        [merged] = JOB_IDENTITIES.all(connection, "link_id IS NOT NULL")

    new_id = Admission(store).split(merged.link_id or "", "another office")

    old, new = jobs(store)[first.job_id or ""], jobs(store)[new_id]
    assert new_id != first.job_id
    assert (old.observations, old.merges) == (1, 0)
    assert (new.observations, new.title, new.source_id) == (1, "Data Engineer", OTHER_BOARD.id)
    with store.reader() as connection:
        identity = JOB_IDENTITIES.get(connection, merged.identity_key)
        assert JOB_CONTENTS.get(connection, new_id) is not None
    assert identity is not None
    assert (identity.job_id, identity.link_id) == (new_id, None)


def test_splitting_twice_is_splitting_once(store: Store) -> None:
    admit(store, [listing(1)])
    admit(store, [on_the_other_board(1)], source=OTHER_BOARD)
    link = f"link:{_other_key(store)}"
    first = Admission(store).split(link, "another office")
    before = store.position()

    assert Admission(store).split(link, "said again") == first
    assert store.position() == before


def test_what_was_split_stays_split_in_the_next_runs(store: Store) -> None:
    admit(store, [listing(1)])
    admit(store, [on_the_other_board(1)], source=OTHER_BOARD)
    new_id = Admission(store).split(f"link:{_other_key(store)}", "another office")

    [receipt] = admit(store, [on_the_other_board(1)], source=OTHER_BOARD, run=AGAIN)

    assert (receipt.reason, receipt.job_id) == ("seen_before", new_id)
    assert len(jobs(store)) == 2


def _other_key(store: Store) -> str:
    with store.reader() as connection:
        [merged] = JOB_IDENTITIES.all(connection, "link_id IS NOT NULL")
    return merged.identity_key


def test_a_split_of_no_merge_says_where_merges_are_listed(store: Store) -> None:
    with pytest.raises(NotFound, match="no merge link:nothing") as caught:
        Admission(store).split("link:nothing", "why")

    assert "jobctrl show" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("changes", "policy", "reason"),
    [
        ({}, SearchPolicy(titles=("Welder",)), "title_mismatch"),
        ({}, SearchPolicy(exclude_titles=("Engineer",)), "title_excluded"),
        ({"title": "Junior Data Engineer"}, SearchPolicy(seniority_floor="senior"), "seniority_below_floor"),
        ({}, SearchPolicy(exclude_companies=("northmill",)), "employer_excluded"),
        ({}, SearchPolicy(countries=frozenset({"PT"})), "location_mismatch"),
        ({"workplace_type": "on-site"}, SearchPolicy(work_modes=frozenset({"remote"})), "work_mode_mismatch"),
        ({"published": "2024-01-01"}, SearchPolicy(max_age_days=365), "posting_too_old"),
        ({"closes": "2026-03-01"}, SearchPolicy(), "posting_expired"),
    ],
)
def test_what_is_not_wanted_is_filtered_with_its_reason(
    store: Store, changes: dict, policy: SearchPolicy, reason: str
) -> None:
    receipts = admit(store, [listing(1, **changes)], policy=policy)

    assert ends(receipts) == [("filtered", reason)]
    assert jobs(store) == {}


def test_what_was_filtered_once_is_admitted_when_the_search_widens(store: Store) -> None:
    admit(store, [listing(1)], policy=SearchPolicy(titles=("Welder",)))

    assert ends(admit(store, [listing(1)], run=AGAIN)) == [("admitted", "new")]


def test_rows_that_are_no_postings_are_rejected_with_the_reason_of_their_board(store: Store) -> None:
    broken = (RowProblem(0, "missing_title", "9"), RowProblem(3, "not_an_object"))

    receipts = admit(store, [listing(1)], problems=broken)

    assert ends(receipts) == [("rejected", "missing_title"), ("rejected", "not_an_object"), ("admitted", "new")]
    assert Admission(store).counts(RUN, BOARD.id) == {
        ("rejected", "missing_title"): 1, ("rejected", "not_an_object"): 1, ("admitted", "new"): 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"title": "Senior Data Engineer"}, "title"),
        ({"description_text": TEXT.format(place="the new mill")}, "description_hash"),
        ({"locations": (LocationText("Lisbon, Portugal", "location.name"),)}, "places"),
        ({"department": "Mills"}, "department"),
        ({"pay": (StatedPay(text="20,000 PLN per month", field="pay"),)}, "pay"),
    ],
)
def test_a_posting_that_says_something_else_is_updated_once(store: Store, changes: dict, field: str) -> None:
    [first] = admit(store, [listing(1)])
    changed = listing(1, **changes)

    for number in range(2, 5):
        admit(store, [changed], run=Execution("discover-local", f"run-{number}"))

    updates = [fact.event for fact in store.stream(f"job/{first.job_id}") if isinstance(fact.event, JobUpdated)]
    assert len(updates) == 1
    assert field in updates[0].changed_fields
    assert jobs(store)[first.job_id or ""].title == changed.title


def test_another_board_that_says_it_otherwise_does_not_change_the_job(store: Store) -> None:
    [first] = admit(store, [listing(1)])
    admit(store, [on_the_other_board(1)], source=OTHER_BOARD)

    admit(store, [on_the_other_board(1, department="Mills")], source=OTHER_BOARD, run=AGAIN)

    assert names(store, first.job_id or "").count("JobUpdated") == 0


def test_text_that_cannot_be_written_is_mended_not_lost(store: Store) -> None:
    odd = replace(listing(1), title="Data Engineer \ud83d", description_text="Half a character \udc00. " * 20)

    receipts = admit(store, [odd])

    assert receipts[0].outcome is Outcome.ADMITTED
    assert "\ud83d" not in jobs(store)[receipts[0].job_id or ""].title


@pytest.mark.slow
def test_two_processes_that_admit_the_same_postings_at_once_make_one_job_each(tmp_path: Path) -> None:
    workspace, postings = tmp_path / "ws", 24
    open_store(Workspace(workspace), create=True).close()
    context = multiprocessing.get_context("spawn")
    gate = context.Barrier(2)
    with ProcessPoolExecutor(2, mp_context=context, initializer=stand_at, initargs=(gate,)) as pool:
        ended = list(pool.map(admit_together, [workspace] * 2, ["a", "b"], [postings] * 2))

    store = open_store(Workspace(workspace))
    total = sum(ended, Counter())
    assert len(jobs(store)) == postings == total["admitted"]
    assert total["merged"] == postings
    assert {job.observations for job in jobs(store).values()} == {1}
    store.close()
