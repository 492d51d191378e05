"""The vEPC of the Netronome paper: a full server of each flavour, and NICs that stay what they are."""

from typing import Any

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import VEPC, shipped_zip
from tests.service.lcm.cloud_snapshot import assert_recorded, cloud_snapshot
from tests.service.lcm.lifecycle import FORCEFUL, Lifecycle, assert_clean
from vnfm.inventory.models import VnfInstance
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def life(lifecycle: Lifecycle) -> Lifecycle:
    lifecycle.package = onboarded(shipped_zip(VEPC))
    return lifecycle


def instantiated(life: Lifecycle, flavour: str, level: str) -> tuple[VnfInstance, LcmOpOcc]:
    instance = life.create()
    request = {**life.instantiate_request(), "flavourId": flavour, "instantiationLevelId": level}
    return instance, life.done(instance, Operation.INSTANTIATE, request)


def vnic_types(life: Lifecycle, instance: VnfInstance) -> set[str]:
    return {port.vnic_type for port in life.cloud.networks.ports(list(life.servers_of(instance).values()))}


@pytest.mark.parametrize(
    ("flavour", "vms", "vnic_type", "warning_text"),
    [("virtio", 7, "normal", "no more than 7 VMs"), ("sriov-offload", 22, "direct", "")],
)
def test_a_server_of_24_cores_as_it_was_measured(
    life: Lifecycle, flavour: str, vms: int, vnic_type: str, warning_text: str
) -> None:
    """WP-vEPC-1/2017, CPU core mapping: 7 VMs on virtio, 22 with offload."""
    instance, op = instantiated(life, flavour, "server")
    seen = cloud_snapshot(life, instance)
    assert set(seen) == {"enb-mme", *(str(number) for number in range(1, vms + 1))}
    assert {frozenset(one.ports.values()) for slot, one in seen.items() if slot != "enb-mme"} == {
        frozenset({f"{instance.name}-s1", f"{instance.name}-pdn"})
    }
    assert set(seen["enb-mme"].ports.values()) == {f"{instance.name}-ue", f"{instance.name}-s1"}
    assert vnic_types(life, instance) == {vnic_type}
    flavors = {flavor.name: flavor for flavor in life.cloud.flavors.list()}
    assert {flavors[one.flavor].extra_specs["hw:cpu_policy"] for one in seen.values()} == {"dedicated"}
    assert op.plan is not None
    assert any(warning_text in warning for warning in op.plan["warnings"])
    assert_recorded(life, instance)
    life.done(instance, Operation.TERMINATE, FORCEFUL)
    assert_clean(life, instance)


def test_each_gateway_knows_its_number(life: Lifecycle, cloudsim: Any) -> None:
    instance, _ = instantiated(life, "virtio", "one")
    life.done(instance, Operation.SCALE, {"type": "SCALE_OUT", "aspectId": "gateway"})
    user_data = {}
    for slot, server in life.servers_of(instance).items():
        doc = cloudsim.control("GET", f"/servers/{server}")["server"]
        assert doc["config_drive"] == "True"
        user_data[slot] = doc["user_data"]
    assert len(set(user_data.values())) == 3, "emulator, and two gateways with a number each"


def test_the_flavour_stays_as_nics_do(life: Lifecycle) -> None:
    instance, _ = instantiated(life, "virtio", "one")
    with pytest.raises(ProblemError) as caught:
        life.start(instance, Operation.CHANGE_FLAVOUR, {"newFlavourId": "sriov-offload"})
    (error,) = caught.value.problem.errors
    assert error.field == "/newFlavourId"
    assert error.message.startswith("It has another vnic_type. A VM's NIC stays as it was plugged")
