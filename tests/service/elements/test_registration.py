"""Elements of VNF instances: registered, taken over, detached. No poller runs."""

from datetime import timedelta
from typing import Any
from uuid import uuid5

import pytest

from tests.factories.elements import make_element, make_policy
from tests.factories.inventory import make_instance
from vnfm.elements.models import NetworkElement
from vnfm.elements.services.registration import (
    address_conflict,
    element_deregister,
    element_detach,
    element_register_for_vnf,
    element_release,
    elements_readdress,
)
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.kit.problem import ProblemError

pytestmark = pytest.mark.django_db

ADDRESS = "127.9.8.7"


def register(instance: VnfInstance, **columns: Any) -> None:
    element_register_for_vnf(
        instance=instance,
        vnfc_id=None,
        element_id=uuid5(instance.id, "element"),
        name="pe",
        columns={"driver": "nokia-sros", "management_address": ADDRESS, **columns},
    )


def registered(**fields: Any) -> NetworkElement:
    return make_element(**{"kind": "VIRTUAL", "management_address": ADDRESS, **fields})


def test_only_elements_that_a_deployment_registered_are_deleted() -> None:
    instance = make_instance()
    register(instance)
    for element in (made := NetworkElement.objects.get(), chosen := registered(vnf_instance=instance)):
        element_release(element_id=element.id)
        element_deregister(element_id=element.id)
    assert not NetworkElement.objects.filter(id=made.id).exists()
    chosen.refresh_from_db()
    assert (chosen.vnf_instance, chosen.state) == (None, "UNMANAGED")


def test_a_physical_element_is_never_released() -> None:
    element = registered(kind="PHYSICAL", vnf_instance=make_instance(), software_version="TiMOS-C-13.0.R6")
    element_release(element_id=element.id)
    element_deregister(element_id=element.id)
    element.refresh_from_db()
    assert (element.vnf_instance, element.state, element.software_version) == (None, "MANAGED", "TiMOS-C-13.0.R6")


@pytest.mark.parametrize("state", ["MANAGED", "SUSPENDED", "UNMANAGED"])
def test_reattaching_an_element_keeps_its_original_settings(state: str) -> None:
    instance, own = make_instance(), make_policy()
    element = registered(state=state, driver="generic", snmp_policy=own)
    for _ in range(2):  # a worker dies after the first
        register(instance, snmp_policy=make_policy())
    element.refresh_from_db()
    assert (element.vnf_instance, element.state, element.driver) == (instance, "MANAGED", "nokia-sros")
    element_detach(element_id=element.id)
    element.refresh_from_db()
    assert (element.vnf_instance, element.state, element.driver) == (None, state, "generic")
    assert (element.snmp_policy, element.taken_over) == (own, None)


def test_an_address_in_use_is_a_conflict() -> None:
    instance = make_instance()
    assert address_conflict(ADDRESS, instance) == ""
    element = registered(name="r9")
    assert address_conflict(ADDRESS, instance) == ""

    def conflict_when(**fields: Any) -> str:
        silent = {"kind": "VIRTUAL", "vnf_instance": None, "reachable": "False", "observed_at": clock.now()}
        NetworkElement.objects.filter(id=element.id).update(**silent | fields)
        return address_conflict(ADDRESS, instance)

    assert "r9, which is a physical router" in conflict_when(kind="PHYSICAL")
    assert "r9, which is VNF instance other" in conflict_when(vnf_instance=make_instance(name="other"))
    assert "r9, which answers there now" in conflict_when(reachable="True")
    assert conflict_when(reachable="True", observed_at=clock.now() - timedelta(days=1)) == "", "stale"
    assert conflict_when(vnf_instance=instance) == ""


def test_elements_of_one_vnf_swap_addresses() -> None:
    one, two, three = (registered(management_address=f"127.9.8.{n}", ssh_host_key=f"key {n}") for n in (1, 2, 3))
    elements_readdress(addresses={one.id: "127.9.8.2", two.id: "127.9.8.3", three.id: "127.9.8.1"})
    shown = dict(NetworkElement.objects.values_list("ssh_host_key", "management_address"))
    assert shown == {"key 1": "127.9.8.2", "key 2": "127.9.8.3", "key 3": "127.9.8.1"}
    with pytest.raises(ProblemError) as caught:
        elements_readdress(addresses={one.id: "127.9.8.3", two.id: "127.9.8.1"})
    assert caught.value.problem.code == "ELEMENT_TAKEN"
    assert dict(NetworkElement.objects.values_list("ssh_host_key", "management_address")) == shown
