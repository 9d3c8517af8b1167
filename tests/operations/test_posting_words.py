"""Words of a posting's own text find it, whatever their letters' size; dismissed jobs stay away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jobctrl.runtime.house import House
from tests.runtime.searching import job_with_text, new_house, operator_in


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    yield house
    house.close()


async def test_all_words_must_be_said_somewhere_in_the_text(house: House) -> None:
    first = await job_with_text(house, 1, description_text="We run Kafka in ŁÓDŹ and pay on time. " * 10)
    second = await job_with_text(house, 2, description_text="We run Kafka in Porto and like cats. " * 10)
    operator = operator_in(house)

    assert operator.jobs_saying("kafka") == {first, second}
    assert operator.jobs_saying("KAFKA łódź") == {first}
    assert operator.jobs_saying("kafka cats łódź") == frozenset()
    assert operator.jobs_saying("  ") == frozenset()


async def test_a_dismissed_job_is_not_found(house: House) -> None:
    job_id = await job_with_text(house, 1, description_text="We run Kafka in Łódź and pay on time. " * 10)
    operator = operator_in(house)
    operator.dismiss_job(job_id, "too far")

    assert operator.jobs_saying("kafka") == frozenset()
