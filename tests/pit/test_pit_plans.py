"""Floor plans in a database: one for each person, and no screen overwrites what another has changed."""

import pytest

from controller.engine.outcomes import JournalUnreadable
from controller.pit.plans import Plan, StoredPlans
from tests.pit.conftest import opened

FIRST, SECOND = {"macau-1/t-1": (3, 0)}, {"macau-1/t-1": (5, 1), "macau-1/t-2": (3, 0)}


@pytest.fixture
async def plans(database: str) -> StoredPlans:
    archive = await opened(database)
    await archive.close()
    return StoredPlans(database)


async def test_each_person_has_a_plan(plans: StoredPlans) -> None:
    assert await plans.of("rui") == Plan()
    assert await plans.replace("rui", Plan(0, FIRST)) == Plan(1, FIRST)
    assert await plans.replace("rui", Plan(1, SECOND)) == Plan(2, SECOND)
    assert await plans.of("rui") == Plan(2, SECOND)
    assert await plans.of("ana") == Plan()


@pytest.mark.parametrize("revision", [0, 2])
async def test_a_change_of_another_revision_is_not_kept_and_gets_the_plan_that_is_there(
    plans: StoredPlans, revision: int
) -> None:
    await plans.replace("rui", Plan(0, FIRST))
    assert await plans.replace("rui", Plan(revision, SECOND)) == Plan(1, FIRST)
    assert await plans.of("rui") == Plan(1, FIRST)


async def test_a_database_that_is_away_is_reported() -> None:
    plans = StoredPlans("host=127.0.0.1 port=1")
    assert isinstance(await plans.of("rui"), JournalUnreadable)
    assert isinstance(await plans.replace("rui", Plan(0, FIRST)), JournalUnreadable)
