"""A termination ends only when the cloud has none of the servers, ports and networks, whatever Heat remembers."""

from collections.abc import Mapping

import pytest

from tests.service.lcm.lifecycle import FORCEFUL, Lifecycle
from tests.support.waiting import until
from vnfm.inventory.models import StackSnapshot, VnfcPort, VnfInstance
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc

pytestmark = pytest.mark.django_db(transaction=True)


def without_its_stack(lifecycle: Lifecycle) -> tuple[VnfInstance, VnfInstance]:
    """Two instances; of the first Heat knows nothing more, and the cloud has nothing."""
    instance, other = lifecycle.create(), lifecycle.create()
    for each in (instance, other):
        lifecycle.done(each, Operation.INSTANTIATE, lifecycle.instantiate_request())
    lifecycle.cloud.stacks.delete(instance.stack_id)
    (name,) = lifecycle.stacks_of(instance)
    until(lambda: lifecycle.cloud.stacks.find(name) is None, "the stack to go")
    return instance, other


def port_and_network(lifecycle: Lifecycle, instance: VnfInstance, other: VnfInstance) -> Mapping[str, str]:
    """A port of the other, and a network, which are recorded as those of the instance."""
    theirs = VnfcPort.objects.filter(vnfc__instance=other).exclude(cp_id="").order_by("id").first()
    assert theirs is not None
    mine = VnfcPort.objects.filter(vnfc__instance=instance, cp_id=theirs.cp_id, vnfc__slot=theirs.vnfc.slot)
    assert mine.update(port_id=theirs.port_id) == 1
    network = lifecycle.cloud.networks.create("left-over", "192.0.2.0/24", dhcp=False)
    link = instance.virtual_links.filter(created_by_stack=True).order_by("id").first()
    assert link is not None
    instance.virtual_links.filter(id=link.id).update(network_id=network.id)
    return {"port": theirs.port_id, "network": network.id}


def named(op: LcmOpOcc) -> list[tuple[str, str]]:
    """Kind and id of what the problem says is left."""
    assert op.problem is not None
    assert op.problem["code"] == "RESOURCES_REMAIN"
    words: list[list[str]] = [cause["message"].split() for cause in op.problem["causes"]]
    return [(each[0], each[-1].strip("()")) for each in words]


def test_ports_and_networks_of_an_abandoned_stack_are_named(lifecycle: Lifecycle) -> None:
    """Servers were deleted by hand; what they were attached to still takes addresses and quota."""
    instance, other = without_its_stack(lifecycle)
    left = port_and_network(lifecycle, instance, other)
    op = lifecycle.run(lifecycle.start(instance, Operation.TERMINATE, FORCEFUL).id)
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    assert named(op) == [*left.items()]
    lifecycle.done(other, Operation.TERMINATE, FORCEFUL)
    op = lifecycle.handle(op, "retry")
    assert named(op) == [("network", left["network"])]
    instance.virtual_links.filter(network_id=left["network"]).update(network_id="gone")
    assert lifecycle.handle(op, "retry").state == "COMPLETED", lifecycle.story(op)


def test_what_the_template_retains_may_stay(lifecycle: Lifecycle) -> None:
    """`deletion_policy: Retain` leaves a resource when Heat deletes the stack: that is not a fault."""
    instance, other = without_its_stack(lifecycle)
    port_and_network(lifecycle, instance, other)
    kept = "\n".join(
        ["heat_template_version: 2015-10-15", "resources:"]
        + [
            f"  {name}: {{type: {kind}, deletion_policy: Retain}}"
            for name, kind in (("net", "OS::Neutron::Net"), ("port", "OS::Neutron::Port"))
        ]
    )
    StackSnapshot.objects.filter(instance=instance).update(template=kept)
    op = lifecycle.run(lifecycle.start(instance, Operation.TERMINATE, FORCEFUL).id)
    assert op.state == "COMPLETED", lifecycle.story(op)


def test_servers_of_an_abandoned_stack_are_named(lifecycle: Lifecycle) -> None:
    """`openstack stack abandon` deletes Heat's record alone; here the record goes, and a running server is ours."""
    instance, other = without_its_stack(lifecycle)
    running = other.vnfcs.get(slot="A")
    instance.vnfcs.filter(slot="A").update(server_id=running.server_id)
    op = lifecycle.run(lifecycle.start(instance, Operation.TERMINATE, FORCEFUL).id)
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    assert op.problem is not None
    assert op.problem["code"] == "SERVERS_REMAIN"
    assert [cause["message"].rpartition(": ")[2] for cause in op.problem["causes"]] == ["ACTIVE"]
    lifecycle.cloud.servers.delete(running.server_id)
    until(lambda: all(server.id != running.server_id for server in lifecycle.cloud.servers.list()), "Nova to delete it")
    assert lifecycle.handle(op, "retry").state == "COMPLETED", lifecycle.story(op)
