"""The cost of a look grows with what changed, not with what there is."""

from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from tests.support.cloudsim_process import CloudsimProcess

if TYPE_CHECKING:
    from vnfm.clouds.ports import Cloud
    from vnfm.vims.models import Vim

pytestmark = [pytest.mark.bench, pytest.mark.django_db]

LOOKS = 20
BUDGET = 2.0
"""A quiet look at 1000 VMs may take this many times as long as one at 10: the fixed calls dominate both."""


def quiet_look_seconds(vim: "Vim", cloud: "Cloud") -> float:
    """Median time of a poll, evaluation of alarms included, at a cloud where nothing has changed for a while."""
    from datetime import timedelta

    from tests.service.watching import poll
    from vnfm.faults.reconcilers.evaluation import evaluate_vim
    from vnfm.inventory.models import VimPollState
    from vnfm.inventory.reconcilers.vim_snapshot import OVERLAP
    from vnfm.kit import clock

    assert poll(vim, cloud).full
    VimPollState.objects.filter(vim=vim).update(changes_until=clock.now() + OVERLAP + timedelta(seconds=2))
    taken = []
    for _ in range(LOOKS):
        start = perf_counter()
        seen = poll(vim, cloud)
        evaluate_vim(vim_id=vim.id, changed=seen.changed, now=clock.now())
        taken.append(perf_counter() - start)
        assert not seen.full
        assert not seen.changed
    return median(taken)


def test_a_quiet_poll_of_1000_vms_costs_as_much_as_of_10(
    cloudsim: CloudsimProcess, record_property: "pytest.RecordProperty"
) -> None:
    from tests.service.watching import fleet, vim_of
    from vnfm.clouds.openstack import OpenStackProvider
    from vnfm.vims.domain.clouds_yaml import connection_named

    cloud = OpenStackProvider().connect(connection_named(cloudsim.clouds_yaml.read_text(), "cloudsim"))
    seconds = {}
    for vms in (10, 1000):
        cloudsim.control("POST", "/reset")
        vim = vim_of(cloudsim, name=f"sim-{vms}")
        fleet(cloudsim, cloud, vim, instances=vms // 5, each=5, name=f"fleet-{vms}")
        seconds[vms] = quiet_look_seconds(vim, cloud)
    record_property("look_seconds", seconds)
    assert seconds[1000] / seconds[10] <= BUDGET
