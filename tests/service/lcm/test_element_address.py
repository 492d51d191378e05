"""The element of a VNF is reached after an operation: at another address, with a host key of a new disk, or for
the first time, where its stack was adopted."""

from typing import Any
from uuid import uuid4

import openstack
import pytest
from openstack.connection import Connection

from tests.factories.catalog import onboarded
from tests.factories.networks import make_network
from tests.factories.packages import SHIPPED, edited, shipped_files, zipped
from tests.service.lcm.adoption import by_hand
from tests.service.lcm.element_lifecycle import NETWORK, cards, configuration, in_service, kinds, managed
from tests.service.lcm.lifecycle import Lifecycle
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.routersim_process import RoutersimProcess
from tests.support.waiting import until
from vnfm.accounts.models import AuditEntry
from vnfm.elements.models import NetworkElement
from vnfm.inventory.models import VnfInstance
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.vims.models import Vim

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("polled", "devices")]

MOVED = {"extVirtualLinks": [{"id": "1", "resourceId": "left", "extCps": [{"cpdId": "data-path-data1"}]}]}
FORGOTTEN = "element host key forgotten"


@pytest.fixture
def sdk(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> Connection:
    """A connection of another user."""
    config = openstack.config.OpenStackConfig(config_files=[str(cloudsim.clouds_yaml)])
    return Connection(config=config.get_one("cloudsim"))


@pytest.fixture
def in_band(lifecycle: Lifecycle, vim: Vim) -> Lifecycle:
    """A router that is managed at the first data port of its first card."""

    def manage(data: Any) -> None:
        data["vnfdId"] = str(uuid4())
        data["element"]["managementAddress"] = {"connectionPoint": "data-path-data1"}
        data["element"].pop("ping")  # its gateway is of another network

    return Lifecycle(vim, onboarded(zipped(edited("vnfd.yaml", manage, shipped_files(SHIPPED)))))


def reach(life: Lifecycle, routers: RoutersimProcess, op: LcmOpOcc, step: str) -> NetworkElement:
    """Drive it until that step is done; then there is a router at the address of its element."""
    until(lambda: life.look(op.id).steps.filter(kind=step, state="DONE").exists(), step)
    element = NetworkElement.objects.get(vnf_instance=op.instance)
    routers.add(
        name=f"at-{element.management_address}",
        kind="VSR",
        address=element.management_address,
        vnfInstance=str(op.instance_uuid),
        ports=2,
    )
    return element


def test_a_router_that_moves_is_followed_and_a_rollback_goes_back(
    in_band: Lifecycle, routers: RoutersimProcess, policies: dict[str, str], sdk: Connection
) -> None:
    make_network(sdk, "left", "127.54.2.0/24")
    instance = in_band.create("pe")
    request = in_band.instantiate_request(data1_cidr="127.54.1.0/24", **policies)
    op = in_band.start(instance, Operation.INSTANTIATE, request)
    reach(in_band, routers, op, "register_element@1")
    assert in_band.run(op.id).state == "COMPLETED"
    element = NetworkElement.objects.get(vnf_instance=instance)
    first, key = element.management_address, element.ssh_host_key
    assert first.startswith("127.54.1.")
    assert key

    op = in_band.start(instance, Operation.CHANGE_EXT_CONN, MOVED)
    until(lambda: in_band.look(op.id).steps.filter(kind="move_element_address@1", state="DONE").exists(), "the move")
    element.refresh_from_db()
    assert element.management_address.startswith("127.54.2.")
    assert element.ssh_host_key == key, "it is the same router"
    until(lambda: "waiting for its answer" in in_band.look(op.id).steps.last().message, "no answer at that address yet")
    op.steps.filter(kind="verify_service@1").update(started_at="2000-01-01T00:00:00Z")
    op = in_band.run(op.id)
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "NOT_SERVING")
    op = in_band.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", in_band.story(op)
    element.refresh_from_db()
    port = instance.vnfcs.get(vdu_id="data-path").ports.get(cp_id="data-path-data1")
    assert [element.management_address] == port.ip_addresses
    assert element.management_address.startswith("127.54.1.")

    op = in_band.start(instance, Operation.CHANGE_EXT_CONN, MOVED)
    there = reach(in_band, routers, op, "move_element_address@1")
    op = in_band.run(op.id)
    assert op.state == "COMPLETED", in_band.story(op)
    there.refresh_from_db()
    assert (there.reachable, there.ssh_host_key) == ("True", key)
    assert cards(instance) == in_service(in_band, instance), "none of the address of before is missed"


def healed(life: Lifecycle, instance: VnfInstance, slot: str, method: str) -> LcmOpOcc:
    vnfc = instance.vnfcs.get(slot=slot)
    params = {"vnfcToHeal": [str(vnfc.id)], "method": method}
    return life.done(instance, Operation.HEAL, {"additionalParams": params})


@pytest.mark.usefixtures("routers")
def test_a_host_key_goes_with_the_disk_that_it_was_on_and_only_then(
    lifecycle: Lifecycle, policies: dict[str, str]
) -> None:
    instance = lifecycle.create("pe")
    lifecycle.done(instance, Operation.INSTANTIATE, lifecycle.instantiate_request(**managed(policies, 210)))
    element = NetworkElement.objects.get(vnf_instance=instance)
    key = element.ssh_host_key
    assert key
    for slot, method in (("1", "recreate"), ("A", "reboot"), ("B", "rebuild")):
        healed(lifecycle, instance, slot, method)
        element.refresh_from_db()
        assert element.ssh_host_key == key, f"{method} of {slot}"
    assert not AuditEntry.objects.filter(action=FORGOTTEN).exists()
    for method in ("rebuild", "recreate"):
        NetworkElement.objects.update(ssh_host_key=key)
        op = healed(lifecycle, instance, "A", method)
        entry = AuditEntry.objects.filter(action=FORGOTTEN).latest("at")
        assert (entry.object, entry.actor, entry.detail["operation"]) == ("pe", "test", str(op.id))
        assert entry.detail["hostKeys"] == [key]
        assert op.steps.get(kind="forget_host_keys@1").message == "pe: the next one is pinned"


@pytest.mark.usefixtures("with_snmp")
def test_an_adopted_stack_is_adopted_as_an_element_too(
    lifecycle: Lifecycle, routers: RoutersimProcess, policies: dict[str, str]
) -> None:
    stack_id = by_hand(lifecycle, "handmade", vnf_instance_id="by-hand", **managed({}, 220))
    until(lambda: "card 3" in configuration(routers, 220), "the router of the stack")
    before = configuration(routers, 220)
    request = lifecycle.instantiate_request(adoptStack=stack_id, **policies)
    instance = lifecycle.create("pe")
    op = lifecycle.done(instance, Operation.INSTANTIATE, request)
    assert kinds(op) == ["adopt_stack@1", "record_vnfcs@1", "register_element@1", "verify_service@1"]
    element = NetworkElement.objects.get(vnf_instance=instance)
    assert (element.management_address, element.driver) == (f"{NETWORK}.220", "nokia-sros")
    servers = dict(instance.vnfcs.values_list("slot", "server_id"))
    assert cards(instance) == {slot: ("IN_SERVICE", server) for slot, server in servers.items()}
    assert configuration(routers, 220) == before, "what is configured is its operator's"


def test_a_policy_of_an_adoption_is_looked_at_as_any(lifecycle: Lifecycle, policies: dict[str, str]) -> None:
    request = lifecycle.instantiate_request(adoptStack="x", sshPolicy=policies["sshPolicy"])
    with pytest.raises(ProblemError) as caught:
        lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, request)
    assert caught.value.problem.errors[0].field == "/additionalParams/snmpPolicy"
