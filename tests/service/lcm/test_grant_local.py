"""We grant by ourselves: what an administrator's rights show of the cloud decides, what is hidden does not."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.service.lcm.lifecycle import Lifecycle
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.operations import op_story
from vnfm.vims import services as vims
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def hosts(cloudsim: CloudsimProcess) -> Iterator[list[str]]:
    """Names of the simulated compute hosts; those that a test kills live again afterwards."""
    names = [host["id"] for host in cloudsim.control("GET", "/hosts")["hosts"]]
    yield names
    for name in names:
        cloudsim.control("POST", f"/hosts/{name}/revive", {})


@pytest.fixture
def admin(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> Lifecycle:
    """Operations in a VIM whose user may see the hosts."""
    vims.vim_register_from_clouds_yaml(path=Path(cloudsim.clouds_yaml), name="cloudsim-admin")
    return Lifecycle(Vim.objects.get(name="cloudsim-admin"), lifecycle.package)


def kill(cloudsim: CloudsimProcess, names: list[str]) -> None:
    for name in names:
        cloudsim.control("POST", f"/hosts/{name}/kill", {})


def planned(life: Lifecycle, **params: Any) -> LcmOpOcc:
    return life.run(life.start(life.create(), Operation.INSTANTIATE, life.instantiate_request(**params)).id)


def grounds(op: LcmOpOcc) -> dict[str, str]:
    return {check["name"]: check["status"] for check in op.grant["checks"]}


def test_with_a_members_rights_the_hosts_stay_unknown(lifecycle: Lifecycle) -> None:
    op = planned(lifecycle)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert grounds(op) == {"Quota": "True", "Capacity": "Unknown", "AntiAffinity": "Unknown"}
    assert any("Capacity was Unknown: Host capacity: not visible" in sentence.text for sentence in op_story(op))


def test_with_administrator_rights_all_checks_are_known(admin: Lifecycle) -> None:
    op = planned(admin)
    assert op.state == "COMPLETED", admin.story(op)
    assert grounds(op) == {"Quota": "True", "Capacity": "True", "AntiAffinity": "True"}


def test_different_hosts_that_are_not_there_are_not_granted(
    admin: Lifecycle, cloudsim: CloudsimProcess, hosts: list[str]
) -> None:
    kill(cloudsim, hosts[1:])
    op = planned(admin)
    assert (op.state, op.problem["code"]) == ("ROLLED_BACK", "GRANT_DENIED"), admin.story(op)
    assert "2 VNFCs shall be on different hosts, and 1 compute hosts are up." in op.problem["detail"]
    assert admin.stacks_of(op.instance) == []


def test_one_host_is_enough_where_nothing_is_to_be_apart(
    admin: Lifecycle, cloudsim: CloudsimProcess, hosts: list[str]
) -> None:
    kill(cloudsim, hosts[1:])
    op = planned(admin, anti_affinity=False)
    assert op.state == "COMPLETED", admin.story(op)
    assert grounds(op) == {"Quota": "True", "Capacity": "True"}


def test_an_unknown_quota_does_not_deny(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    limits: dict[str, Any] = {"limits": {"absolute": {}, "rate": []}}
    rule = {"service": "compute", "path": "/limits", "effect": "lie200", "body": limits, "times": 1000}
    cloudsim.control("POST", "/failures", rule)
    try:
        op = planned(lifecycle)
    finally:
        cloudsim.control("DELETE", "/failures")
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert grounds(op)["Quota"] == "Unknown"
    assert any("does not report its quota of instances, cores, ram_mib" in sentence.text for sentence in op_story(op))


def test_server_groups_beyond_novas_quota_are_refused_before_the_start(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess
) -> None:
    """Nova's default is ten, and its API alone says how many there are: Heat would fail in the middle."""
    cloudsim.control("PUT", f"/quotas/{lifecycle.vim.project_name}", {"compute": {"server_groups": 1}})
    first = planned(lifecycle)
    assert first.state == "COMPLETED", lifecycle.story(first)
    assert first.plan["quota"][-1] == {"resource": "server_groups", "needed": 1, "released": 0, "used": 0, "limit": 1}
    second = planned(lifecycle)
    assert (second.state, second.problem["code"]) == ("ROLLED_BACK", "QUOTA_EXCEEDED"), lifecycle.story(second)
    assert second.problem["detail"] == "Quota server_groups: 1 more needed, 1 of 1 in use."
    assert not second.steps.exists()
    scaled = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}
    lifecycle.done(first.instance, Operation.SCALE, scaled)
    members = {"server_groups": -1, "server_group_members": 1}
    cloudsim.control("PUT", f"/quotas/{lifecycle.vim.project_name}", {"compute": members})
    third = planned(lifecycle)
    assert third.problem["detail"] == "Quota server_group_members: 2 servers would be in one group, 1 may be."
