"""On a real OpenStack: another flavor, other networks and another package under servers that stay; and the way back."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from uuid import uuid4

import openstack
import pytest
from openstack.connection import Connection

from tests.factories.catalog import onboarded
from tests.factories.networks import make_network
from tests.factories.packages import vsr_next
from tests.service.lcm.cloud_snapshot import assert_recorded, cloud_snapshot, ids, of
from tests.service.lcm.heals import took
from tests.service.lcm.lifecycle import Lifecycle, Saboteur
from tests.support.waiting import until
from vnfm.clouds import registry
from vnfm.clouds.errors import NotFound, Rejected
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.inventory.models import StackSnapshot, VnfInstance
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.services.instances import vnf_instance_delete

NO_SERVER = Rejected("sabotage", service="nova", http_status=400)

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.real_cloud,
    pytest.mark.long,
    pytest.mark.timeout(1500),
]


@pytest.fixture
def sdk(life: Lifecycle) -> Connection:
    config = openstack.config.OpenStackConfig(config_files=[os.environ["VNFM_TEST_CLOUDS_YAML"]])
    return Connection(config=config.get_one(os.environ["VNFM_TEST_CLOUD"]))


@pytest.fixture
def networks(sdk: Connection) -> Iterator[tuple[str, str]]:
    """Ids of two existing networks, each with the management subnet."""
    name = f"change-{uuid4().hex[:6]}"
    made = [make_network(sdk, f"{name}-{number}", "10.10.0.0/24") for number in (1, 2)]
    yield made[0], made[1]
    for network in made:
        sdk.network.delete_network(network)


@pytest.fixture
def instance(life: Lifecycle, networks: tuple[str, str]) -> Iterator[VnfInstance]:
    """Two control and one data path VM; whatever is left of them in the end goes."""
    images = life.images()
    instance = life.create()
    small = {"control_flavor": "m1.tiny", "data_path_flavor": "vnf.sriov"}
    request = life.instantiate_request(anti_affinity=False, data_vnic_type="normal", fabric_mtu=1500, **small)
    try:
        life.done(instance, Operation.INSTANTIATE, request)
        yield instance
    finally:
        for name in life.stacks_of(instance):
            left = life.cloud.stacks.find(name)
            if left is not None:
                life.cloud.stacks.delete(left.id)
                with suppress(NotFound):
                    until(lambda name=name: life.cloud.stacks.find(name) is None, "the stack to go", seconds=300)
        for image in life.cloud.images.list():
            if image.name in set(life.images()) - set(images):
                life.cloud.images.delete(image.id)


def to(network: str | None) -> dict[str, Any]:
    """The request that puts management on this network, or back on one of the stack's own."""
    if network is None:
        return {"extVirtualLinks": [], "additionalParams": {"management_network": None}}
    cps = [{"cpdId": "control-management"}]
    return {"extVirtualLinks": [{"id": "m", "resourceId": network, "extCps": cps}]}


def rolled_back(life: Lifecycle, instance: VnfInstance, operation: Operation, request: Any, nth: int) -> LcmOpOcc:
    """The operation fails at the nth `servers.show`, and is rolled back."""
    op = life.start(instance, operation, request)
    registry.install(Saboteur(OpenStackProvider(), "servers.show", NO_SERVER, after=False, nth=nth))
    op = life.run(op.id)
    registry.install(OpenStackProvider())
    assert op.state == "FAILED_TEMP", life.story(op)
    op = life.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", life.story(op)
    return op


def test_servers_stay_whatever_is_changed_under_them(
    life: Lifecycle,
    instance: VnfInstance,
    networks: tuple[str, str],
    sdk: Connection,
    record_property: Callable[[str, Any], None],
) -> None:
    first, second = networks
    servers = ids(cloud_snapshot(life, instance))

    def changed(operation: Operation, request: dict[str, Any], what: str) -> None:
        record_property(what, took(life.done(instance, operation, request)))
        assert ids(cloud_snapshot(life, instance)) == servers, what
        assert_recorded(life, instance)

    def management(*slots: str) -> set[str]:
        return {name for ports in of(cloud_snapshot(life, instance), "ports", *slots) for name in ports.values()}

    before, held = cloud_snapshot(life, instance), StackSnapshot.objects.get(instance=instance).parameters
    rolled_back(life, instance, Operation.CHANGE_EXT_CONN, to(first), nth=4)
    assert cloud_snapshot(life, instance) == before
    assert StackSnapshot.objects.get(instance=instance).parameters == held
    assert_recorded(life, instance)

    changed(Operation.CHANGE_EXT_CONN, to(first), "created to existing network")
    assert sdk.network.get_network(first).name in management("A", "B", "1")
    changed(Operation.CHANGE_EXT_CONN, to(second), "existing to existing network")
    assert sdk.network.get_network(second).name in management("A", "B", "1")
    assert list(sdk.network.ports(network_id=first)) == []

    package = onboarded(vsr_next())
    before, held = cloud_snapshot(life, instance), StackSnapshot.objects.get(instance=instance).parameters
    upgrade = {"vnfdId": str(package.vnfd_id)}
    rolled_back(life, instance, Operation.CHANGE_VNFPKG, upgrade, nth=4)
    assert cloud_snapshot(life, instance) == before
    assert StackSnapshot.objects.get(instance=instance).parameters == held
    assert_recorded(life, instance)
    changed(Operation.CHANGE_VNFPKG, upgrade, "upgrade one by one")
    assert instance.package_id == package.id
    assert len(set(of(cloud_snapshot(life, instance), "image", "A", "B", "1"))) == 1
    assert of(cloud_snapshot(life, instance), "image", "A") != of(before, "image", "A")

    changed(Operation.CHANGE_EXT_CONN, to(None), "existing to created network")
    assert list(sdk.network.ports(network_id=second)) == []

    # Last, because Nova's fake driver cannot unplug a NIC of a VM that came by a resize.
    resize = {"newFlavourId": "default", "additionalParams": {"data_path_flavor": None}}
    changed(Operation.CHANGE_FLAVOUR, resize, "resize")
    assert of(cloud_snapshot(life, instance), "flavor", "A", "1") == ["m1.tiny", "vnf.dpdk"]

    life.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
    assert life.servers_of(instance) == {}
    assert life.stacks_of(instance) == []


def test_no_port_stays_on_an_external_network(
    life: Lifecycle, instance: VnfInstance, networks: tuple[str, str], sdk: Connection
) -> None:
    """Neither on the one that the VNF leaves by a change of connectivity, nor on the one where it is terminated."""

    def ports() -> list[int]:
        return [len(list(sdk.network.ports(network_id=network))) for network in networks]

    first, second = networks
    life.done(instance, Operation.CHANGE_EXT_CONN, to(first))
    servers = len(life.servers_of(instance))
    assert ports() == [servers, 0]
    life.done(instance, Operation.CHANGE_EXT_CONN, to(second))
    assert ports() == [0, servers]
    life.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
    vnf_instance_delete(instance_id=instance.id)
    assert ports() == [0, 0]
