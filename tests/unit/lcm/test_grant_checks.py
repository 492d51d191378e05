"""The grounds of a local grant: what the cloud does not show is Unknown, and does not forbid."""

from dataclasses import replace

import pytest

from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.clouds.types import CloudHost
from vnfm.lcm.domain.grant import GrantCheck, local_checks
from vnfm.lcm.domain.plan import Plan, PlannedQuota

QUOTA = (PlannedQuota("cores", 12, 0, 100), PlannedQuota("ram_mib", 24_576, 0, 100_000))
SETTINGS = {"anti_affinity": True}


@pytest.fixture
def vsr(vsr: Vnfd) -> Vnfd:
    """With control VMs that the setting keeps apart, and nothing else."""
    vdus = (replace(vdu, anti_affinity="anti_affinity" if vdu.id == "control" else "") for vdu in vsr.vdus)
    return replace(vsr, vdus=tuple(vdus))


def host(name: str, *, up: bool = True, enabled: bool = True, vcpus: int = 16) -> CloudHost:
    return CloudHost(name, up, enabled, vcpus, 0, 65_536, 0)


def checks(vnfd: Vnfd, plan: Plan, hosts: list[CloudHost] | None, **changes: object) -> dict[str, GrantCheck]:
    plan = replace(plan, **{"quota": QUOTA, **changes})  # type: ignore[arg-type]
    return {check.name: check for check in local_checks(plan, vnfd, SETTINGS, hosts)}


def test_everything_fits(vsr: Vnfd, plan: Plan) -> None:
    found = checks(vsr, plan, [host("one"), host("two")])
    assert {name: check.status for name, check in found.items()} == {
        "Quota": "True",
        "Capacity": "True",
        "AntiAffinity": "True",
    }


@pytest.mark.parametrize("row", [PlannedQuota("cores", 12, None, 100), PlannedQuota("cores", 12, 0, None)])
def test_a_quota_that_the_cloud_does_not_report_is_unknown(vsr: Vnfd, plan: Plan, row: PlannedQuota) -> None:
    found = checks(vsr, plan, None, quota=(row, QUOTA[1]))["Quota"]
    assert (found.status, found.message) == ("Unknown", "The cloud does not report its quota of cores.")


def test_a_quota_of_which_nothing_is_needed_may_be_unknown(vsr: Vnfd, plan: Plan) -> None:
    assert checks(vsr, plan, None, quota=(PlannedQuota("networks", 0, None, None),))["Quota"].status == "True"


def test_hosts_that_we_may_not_see_leave_both_unknown(vsr: Vnfd, plan: Plan) -> None:
    found = checks(vsr, plan, None)
    assert {found["Capacity"].status, found["AntiAffinity"].status} == {"Unknown"}


def test_too_little_room_does_not_bind_since_nova_overcommits(vsr: Vnfd, plan: Plan) -> None:
    found = checks(vsr, plan, [host("one", vcpus=4), host("two", vcpus=4)])["Capacity"]
    assert (found.status, found.binding) == ("False", False)
    assert "12 vCPUs and 24576 MiB are needed; the 2 compute hosts that are up report 8 vCPUs" in found.message


@pytest.mark.parametrize("second", [host("two", up=False), host("two", enabled=False)])
def test_different_hosts_need_as_many_that_are_up_and_enabled(vsr: Vnfd, plan: Plan, second: CloudHost) -> None:
    found = checks(vsr, plan, [host("one"), second])["AntiAffinity"]
    assert (found.status, found.binding) == ("False", True)
    assert found.message == "Control VM: 2 VNFCs shall be on different hosts, and 1 compute hosts are up."


def test_without_anti_affinity_no_hosts_are_needed(vsr: Vnfd, plan: Plan) -> None:
    found = local_checks(replace(plan, quota=QUOTA), vsr, {"anti_affinity": False}, [host("one")])
    assert [check.name for check in found] == ["Quota", "Capacity"]


def test_operations_that_add_nothing_check_only_the_quota(vsr: Vnfd, plan: Plan) -> None:
    assert list(checks(vsr, plan, [], added={})) == ["Quota"]
