"""Compute hosts, and servers that move or should be apart, as looks find them on the simulated cloud."""

import pytest
from rest_framework.test import APIClient

from tests.service.watching import deploy, poll, vnfc
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.waiting import until
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.clouds.ports import Cloud
from vnfm.inventory.models import Host, ServerGroup, VimPollState, VnfInstance
from vnfm.inventory.selectors import hosts_known, stale_after
from vnfm.kit import clock
from vnfm.vims.domain.clouds_yaml import connection_named
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(fresh_cloud: CloudsimProcess) -> Cloud:
    return OpenStackProvider().connect(connection_named(fresh_cloud.clouds_yaml.read_text(), "cloudsim-admin"))


@pytest.fixture
def instance(admin: Cloud, vim: Vim) -> VnfInstance:
    """On a VIM whose probe has found that we may list hosts."""
    Vim.objects.filter(id=vim.id).update(capabilities={"hosts": True})
    made = deploy(admin, vim, "iom-1", "iom-2")
    poll(vim, admin)
    return made


def recorded_hosts(name: str) -> tuple[str, str, str, bool | None, str]:
    row = Host.objects.get(name=name)
    return row.state, row.service, row.status, row.forced_down, row.reason


def test_a_host_that_dies_is_recorded_and_its_servers_stay_as_nova_shows_them(
    instance: VnfInstance, vim: Vim, admin: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    host = vnfc("iom-1").host
    assert Host.objects.count() == len(admin.hosts())
    assert recorded_hosts(host) == ("up", "up", "enabled", False, "")
    before = Host.objects.get(name=host).since
    fresh_cloud.control("POST", f"/hosts/{host}/kill")
    again = poll(vim, admin)
    assert not again.full
    assert again.changed == {instance.id}
    assert recorded_hosts(host) == ("down", "down", "enabled", False, "")
    assert Host.objects.get(name=host).since > before
    assert vnfc("iom-1").status == "ACTIVE"
    assert poll(vim, admin).changed == frozenset()
    fresh_cloud.control("POST", f"/hosts/{host}/revive", {"keep_guests": True})
    assert poll(vim, admin).changed == {instance.id}
    assert recorded_hosts(host) == ("up", "up", "enabled", False, "")


def test_forced_down_and_disabled_hosts_are_recorded(
    instance: VnfInstance, vim: Vim, admin: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    host = vnfc("iom-1").host
    fresh_cloud.control("POST", f"/hosts/{host}/force_down")
    fresh_cloud.control("POST", f"/hosts/{host}/disable", {"reason": "fan"})
    poll(vim, admin)
    assert recorded_hosts(host) == ("down", "down", "disabled", True, "fan")
    since = Host.objects.get(name=host).since
    fresh_cloud.control("POST", f"/hosts/{host}/disable", {"reason": "fan ordered"})
    poll(vim, admin)
    assert recorded_hosts(host)[-1] == "fan ordered"
    assert Host.objects.get(name=host).since == since
    fresh_cloud.control("POST", f"/hosts/{host}/unforce")
    fresh_cloud.control("POST", f"/hosts/{host}/enable")
    poll(vim, admin)
    assert recorded_hosts(host) == ("up", "up", "enabled", False, "")


def test_without_the_rights_nothing_is_stored_and_no_poll_fails(
    instance: VnfInstance, vim: Vim, cloud: Cloud, api: APIClient
) -> None:
    refused = poll(vim, cloud)  # as a member of the project; the probe has not found out yet
    assert refused.failures == 0
    assert Host.objects.exists()
    Vim.objects.filter(id=vim.id).update(capabilities={"hosts": False})
    VimPollState.objects.update(full_at=None)
    poll(vim, cloud)
    assert not Host.objects.exists()
    assert api.get(f"/api/v1/vims/{vim.id}/watch").json()["mayListHosts"] is False
    assert api.get(f"/api/v1/vims/{vim.id}/hosts").json() == []


def test_hosts_in_the_api_are_unknown_without_a_recent_poll(
    instance: VnfInstance, vim: Vim, viewer_api: APIClient
) -> None:
    url, name = f"/api/v1/vims/{vim.id}/hosts", vnfc("iom-1").host
    shown = viewer_api.get(f"{url}?filter=(eq,name,{name})").json()
    assert [(row["state"], row["service"], row["status"], row["forcedDown"]) for row in shown] == [
        ("up", "up", "enabled", False)
    ]
    long_ago = clock.now() - 2 * stale_after()
    VimPollState.objects.update(hosts_at=long_ago)
    (row,) = viewer_api.get(f"{url}?filter=(eq,name,{name})").json()
    assert (row["state"], row["service"], row["status"], row["forcedDown"]) == ("UNKNOWN", "UNKNOWN", "UNKNOWN", None)
    assert not hosts_known(VimPollState.objects.get(), clock.now())


def test_a_server_that_moves_differs_from_one_whose_host_becomes_known(
    vim: Vim, cloud: Cloud, admin: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    """Hosts are known by the hash that every role sees: a member of the project sees no host."""
    deploy(cloud, vim, "iom-1")
    poll(vim, cloud)
    before = vnfc("iom-1")
    assert (before.host, before.host_since) == ("", None)
    assert before.host_hash
    host = fresh_cloud.control("GET", f"/servers/{before.server_id}")["server"]["host"]
    fresh_cloud.control("POST", f"/hosts/{host}/kill")
    admin.servers.evacuate(before.server_id, on_shared_storage=True)

    def moved() -> bool:
        poll(vim, cloud)
        return vnfc("iom-1").host_hash != before.host_hash

    until(moved, "the move to be seen")
    assert vnfc("iom-1").host_since is not None


def test_groups_are_stored_with_their_members(vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess) -> None:
    poll(vim, cloud)
    assert not ServerGroup.objects.exists()
    made = cloud.session.post(  # type: ignore[attr-defined]  # our port makes groups by stacks only
        "/os-server-groups",
        json={"server_group": {"name": "apart", "policies": ["anti-affinity"]}},
        endpoint_filter={"service_type": "compute", "interface": "public"},
    ).json()["server_group"]
    VimPollState.objects.update(full_at=None)
    poll(vim, cloud)
    row = ServerGroup.objects.get()
    assert (row.group_id, row.name, row.policies, row.members) == (made["id"], "apart", ["anti-affinity"], [])
    VimPollState.objects.update(full_at=None)
    poll(vim, cloud)
    assert ServerGroup.objects.get().id == row.id
