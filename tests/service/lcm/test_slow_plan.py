"""A plan in a cloud that answers late goes on with what the last probe found, and says so."""

import pytest

from tests.service.lcm.lifecycle import SCALE_OUT, Lifecycle
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.clouds import registry
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.vims.models import Vim
from vnfm.vims.reconcilers.probe import probe_vim

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 1.0
"""Seconds that we wait for an answer here, instead of half a minute."""


def delay(sim: CloudsimProcess, service: str, path: str) -> None:
    rule = {"service": service, "method": "GET", "path": path, "effect": "delay", "seconds": 3.0, "times": 1000}
    sim.control("POST", "/failures", rule)


def late_lists(sim: CloudsimProcess) -> None:
    """Flavors and networks come after three seconds, the rest at once."""
    delay(sim, "compute", "/flavors/detail$")
    delay(sim, "network", "/(networks|subnets)$")


def test_a_scale_out_goes_on_with_the_lists_of_the_last_probe(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = lifecycle.instantiated()
    probe_vim(lifecycle.vim.id, registry.provider(), clock.now())
    monkeypatch.setattr("vnfm.clouds.openstack.session.READ_SECONDS", PATIENCE)
    late_lists(cloudsim)
    cloudsim.control("DELETE", "/stats")
    op = lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    assert op.plan is not None
    assert any("answers late: flavors, networks and quotas are those of" in words for words in op.plan["warnings"])
    requests = cloudsim.control("GET", "/stats")["routes"]
    assert sum(row["count"] for row in requests if "/networks" in row["route"]) <= 1, requests
    vim = Vim.objects.get(id=lifecycle.vim.id)
    assert vim.late["resources"]["timeouts"] == 1
    cloudsim.control("DELETE", "/failures")


def test_without_a_probe_it_waits_and_says_since_when(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = lifecycle.instantiated()
    Vim.objects.filter(id=lifecycle.vim.id).update(probed_at=None)
    monkeypatch.setattr("vnfm.clouds.openstack.session.READ_SECONDS", PATIENCE)
    late_lists(cloudsim)
    op = lifecycle.look(lifecycle.start(instance, Operation.SCALE, SCALE_OUT).id)
    assert (op.state, bool(op.waiting_since)) == ("STARTING", True)
    cloudsim.control("DELETE", "/failures")
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
    assert lifecycle.run(op.id).state == "COMPLETED"
