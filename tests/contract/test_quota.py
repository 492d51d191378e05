"""A project of its own, with room for almost nothing."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.contract import templates
from tests.contract.conftest import Yard
from vnfm.clouds.errors import QuotaExceeded
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.clouds.openstack.cloud import OpenStackCloud
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Connection, StackInput

GROUPS = {"server_groups": 1, "server_group_members": 4}


@pytest.fixture(scope="module")
def narrow(
    provider: OpenStackProvider, connection: Connection, admin: OpenStackCloud, prefix: str
) -> Iterator[OpenStackCloud]:
    """Its project may have one network, one server group and no server. Our port makes no projects, so Keystone is
    asked itself.
    """
    session, keystone = admin.session, admin.account.url(admin.session, "identity")
    ours = provider.connect(connection)
    token = ours.account.access(ours.session)
    made = session.post(f"{keystone}/projects", json={"project": {"name": f"{prefix}-narrow", "domain_id": "default"}})
    project_id = made.json()["project"]["id"]
    for role_id in token.role_ids:
        session.put(f"{keystone}/projects/{project_id}/users/{token.user_id}/roles/{role_id}")
    nova, neutron = admin.account.url(session, "compute"), admin.account.url(session, "network")
    session.put(f"{nova}/os-quota-sets/{project_id}", json={"quota_set": {"instances": 0, **GROUPS}})
    session.put(f"{neutron}/quotas/{project_id}", json={"quota": {"network": 1}})
    cloud = provider.connect(replace(connection, project_name=f"{prefix}-narrow"))
    yield cloud
    for network in cloud.networks.list():
        if not network.shared and not network.external:
            session.delete(f"{neutron}/networks/{network.id}")
    session.delete(f"{keystone}/projects/{project_id}")


def test_limits_are_read(narrow: Cloud) -> None:
    quotas = {quota.resource: quota for quota in narrow.quotas()}
    assert (quotas["instances"].limit, quotas["instances"].used) == (0, 0)
    assert (quotas["networks"].limit, quotas["networks"].used) == (1, 0)
    assert (quotas["server_groups"].limit, quotas["server_groups"].used) == (1, 0)
    assert narrow.server_group_size() == 4


def test_an_exceeded_quota_is_reported_by_the_stack(narrow: Cloud, image: str, flavor: str, prefix: str) -> None:
    yard = Yard(narrow, prefix)
    try:
        given = StackInput(templates.SERVER, {}, {"image": image, "flavor": flavor}, {}, tags=(prefix,))
        stack = yard.settled(yard.create("over", given), "CREATE_FAILED")
        assert "quota exceeded" in stack.status_reason.lower()
        assert narrow.servers.list() == []
    finally:
        yard.clear()


def test_server_groups_beyond_the_quota_fail_in_the_middle_of_a_stack(narrow: Cloud, prefix: str) -> None:
    """A plan must count them. The first one counts as used while it is there."""
    group = "{type: 'OS::Nova::ServerGroup', properties: {policies: [anti-affinity]}}"
    text = f"heat_template_version: 2013-05-23\nresources:\n  one: {group}\n  two: {group}\n"
    yard = Yard(narrow, prefix)
    try:
        stack = yard.settled(yard.create("groups", StackInput(text, {}, {}, {}, tags=(prefix,))), "CREATE_FAILED")
        assert "too many server groups" in stack.status_reason
        assert {quota.resource: quota.used for quota in narrow.quotas()}["server_groups"] == 1
    finally:
        yard.clear()


def test_an_exceeded_quota_is_reported_by_the_service(narrow: OpenStackCloud, prefix: str) -> None:
    from vnfm.clouds.openstack.errors import translate_errors

    neutron = narrow.account.url(narrow.session, "network")

    @translate_errors("neutron")
    def make(name: str) -> None:
        narrow.session.post(f"{neutron}/networks", json={"network": {"name": name}})

    make(f"{prefix}-first")
    with pytest.raises(QuotaExceeded) as caught:
        make(f"{prefix}-second")
    assert caught.value.source == "neutron"
    assert caught.value.http_status in {403, 409}
    assert caught.value.request_id
