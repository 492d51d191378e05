"""Each fault of the EANTC report of February 2016, which found its manager "always in sync with the actual state".

What our API tells and shows is compared with what OpenStack's own client and SNMP say. Everything polls quickly here;
how soon at the intervals of an installation, by polling and with push, is measured by `tests/bench/test_in_sync.py`.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.service.insync.drill import drill
from tests.service.insync.faults import FAULTS, Fault
from tests.service.insync.testbed import SyncTestbed, on_the_database, running_testbed

if TYPE_CHECKING:
    from pytest_django.plugin import DjangoDbBlocker

pytestmark = [pytest.mark.django_db, pytest.mark.essential]
"""This makes a database. What the testbed's processes write is not rolled back, and lasts from test to test."""
QUICK = {"VNFM_POLL_SECONDS": "0.5", "VNFM_ELEMENT_POLL_SECONDS": "0.4"}


@pytest.fixture(scope="module")
def testbed(
    tmp_path_factory: pytest.TempPathFactory, product_env: dict[str, str], django_db_blocker: "DjangoDbBlocker"
) -> Iterator[SyncTestbed]:
    with (
        on_the_database(django_db_blocker),
        running_testbed(tmp_path_factory.mktemp("testbed"), product_env, settings=QUICK) as made,
    ):
        yield made


@pytest.mark.matrix(2)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_fault_has_exactly_its_alarms(
    testbed: SyncTestbed, fault: Fault, record_property: Callable[[str, object], None]
) -> None:
    times = drill(testbed, lambda: fault.inject(testbed))
    record_property("seconds_to_raise", round(times.raised, 2))
    record_property("seconds_to_clear", round(times.cleared, 2))
