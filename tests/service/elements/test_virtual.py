"""A VSR whose cards are VMs of the simulated cloud: a fault of a VM shows at its card, which is linked to the VNFC."""

from collections.abc import Callable
from typing import Any

import openstack
import pytest
from openstack.connection import Connection

from tests.factories.catalog import onboarded
from tests.factories.elements import make_element, make_policy
from tests.factories.inventory import make_instance
from tests.factories.packages import vsr_zip
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.routersim_process import RoutersimProcess
from tests.support.waiting import until
from vnfm.elements.models import DiscoveryRule, Equipment, NetworkElement
from vnfm.elements.reconcilers.hosts import vnf_of
from vnfm.inventory.models import Vnfc, VnfcPort, VnfInstance

pytestmark = pytest.mark.django_db(transaction=True)
SLOTS = {"A": "cpm-v", "B": "cpm-v", "1": "iom-v", "2": "iom-v"}
ADDRESS = "127.51.0.10"


def boot(user: Connection, instance_id: str, slot: str) -> str:
    """Create a VM of the instance as a VSR package does; returns its id."""
    network = user.network.find_network("oam") or user.network.create_network(name="oam")
    if not network.subnet_ids:
        user.network.create_subnet(network_id=network.id, cidr="127.51.0.0/24", ip_version=4, name="oam")
    fixed = {"fixed_ip": ADDRESS} if slot == "A" else {}
    server = user.compute.create_server(
        name=f"vsr-{slot}",
        image_id=user.image.find_image("tiny").id,
        flavor_id=user.compute.find_flavor("m1.tiny").id,
        networks=[{"uuid": network.id, **fixed}],
        metadata={
            "vnf_instance": instance_id,
            "slot": slot,
            "timos": f"TIMOS: slot={slot} chassis=VSR card={SLOTS[slot]}",
        },
    )
    user.compute.wait_for_server(server, interval=0.05)
    return str(server.id)


def test_a_card_is_linked_to_its_vm(
    cloudsim: CloudsimProcess, routersim: RoutersimProcess, poll: Callable[..., None]
) -> None:
    config = openstack.config.OpenStackConfig(config_files=[str(cloudsim.clouds_yaml)])
    user = Connection(config=config.get_one("cloudsim"))
    instance = make_instance(name="vsr", package=onboarded(vsr_zip()))
    vms = {slot: boot(user, str(instance.id), slot) for slot in SLOTS}
    for slot, server in vms.items():
        Vnfc.objects.create(instance=instance, vdu_id=SLOTS[slot], slot=slot, server_id=server, name=f"vsr-{slot}")
    control = Vnfc.objects.get(instance=instance, slot="A")
    VnfcPort.objects.create(vnfc=control, port_id="p", network_id="oam", ip_addresses=[ADDRESS])
    routersim.control(
        "PUT", "/clouds/cloudsim", {"cloudsYaml": str(cloudsim.clouds_yaml), "seconds": 0.1, "adopt": True}
    )

    def router() -> dict[str, Any] | None:
        elements = routersim.control("GET", "/elements")["elements"]
        return next((each for each in elements if each["address"] == ADDRESS and each["answers"]), None)

    shown = until(router, "the router to answer")
    policy = make_policy(port=shown["snmpPort"], settings={"timeout_seconds": 1.5})
    DiscoveryRule.objects.create(name="lab", include=[ADDRESS], snmp_policy=policy, scan_state="WAITING")
    poll()
    element = until(lambda: NetworkElement.objects.filter(management_address=ADDRESS).first(), "it to be discovered")
    assert (element.kind, element.vnf_instance) == ("VIRTUAL", instance)
    until(lambda: NetworkElement.objects.get(id=element.id).first_full_resync_at, "it to be read", seconds=40)

    def card(slot: str) -> Equipment:
        return Equipment.objects.get(element=element, slot=slot, equipment_class__in=("CARD", "CPM"))

    assert NetworkElement.objects.get(id=element.id).driver == "nokia-sros"
    for slot, server in vms.items():
        joined = card(slot).vnfc
        assert joined is not None
        assert joined.server_id == server
    cloudsim.control("POST", f"/servers/{vms['1']}/stop")
    until(lambda: card("1").oper_state == "PROVISIONED", "the slot without its VM")
    assert card("2").oper_state == "IN_SERVICE"
    cloudsim.control("POST", f"/servers/{vms['1']}/start")
    until(lambda: card("1").oper_state == "IN_SERVICE", "the card", seconds=40)
    for slot in ("A", "B"):
        cloudsim.control("POST", f"/servers/{vms[slot]}/stop")
    until(lambda: NetworkElement.objects.get(id=element.id).reachable == "False", "silence")
    assert card("1").oper_state == "IN_SERVICE"  # as last seen
    routersim.control("DELETE", "/clouds/cloudsim")


def test_an_address_finds_its_vnf_only_where_exactly_one_has_it() -> None:
    def vnf(name: str) -> VnfInstance:
        instance = make_instance(name=name, package=package)
        control = Vnfc.objects.create(instance=instance, vdu_id="cpm", slot="A", server_id=f"s-{name}", name=name)
        VnfcPort.objects.create(vnfc=control, port_id=name, network_id="n", ip_addresses=["fd00::1", ADDRESS])
        return instance

    package = onboarded(vsr_zip())
    first = vnf("one")
    assert vnf_of(ADDRESS, "nokia-sros") == (first, None)
    assert vnf_of(ADDRESS, "cisco-xr") == (None, None), "not a router of that package"
    assert vnf_of("127.51.0.1", "nokia-sros") == (None, None), "a prefix of the address is another one"
    make_element(name="by hand", kind="VIRTUAL", vnf_instance=first)
    assert vnf_of(ADDRESS, "nokia-sros") == (None, None), "it has its router"
    NetworkElement.objects.all().delete()
    VnfInstance.objects.filter(id=first.id).update(management_declined=True)
    assert vnf_of(ADDRESS, "nokia-sros") == (None, None), "its operator declined management"
    VnfInstance.objects.filter(id=first.id).update(management_declined=False)
    assert vnf_of(ADDRESS, "nokia-sros") == (first, None)
    vnf("two")
    assert vnf_of(ADDRESS, "nokia-sros") == (None, None), "addresses of tenants overlap"
