"""A termination ends only when Nova has none of the servers, whatever Heat remembers."""

import pytest

from tests.service.lcm.lifecycle import FORCEFUL, Lifecycle
from tests.waiting import until
from vnfm.lcm.domain.states import Operation

pytestmark = pytest.mark.django_db(transaction=True)


def test_servers_of_an_abandoned_stack_are_named(lifecycle: Lifecycle) -> None:
    """`openstack stack abandon` deletes Heat's record alone; here the record goes, and a running server is ours."""
    instance, other = lifecycle.create(), lifecycle.create()
    for each in (instance, other):
        lifecycle.done(each, Operation.INSTANTIATE, lifecycle.instantiate_request())
    running = other.vnfcs.get(slot="A")
    lifecycle.cloud.stacks.delete(instance.stack_id)
    (name,) = lifecycle.stacks_of(instance)
    until(lambda: lifecycle.cloud.stacks.find(name) is None, "the stack to go")
    instance.vnfcs.filter(slot="A").update(server_id=running.server_id)
    op = lifecycle.run(lifecycle.start(instance, Operation.TERMINATE, FORCEFUL).id)
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    assert op.problem is not None
    assert op.problem["code"] == "SERVERS_REMAIN"
    assert [cause["message"].rpartition(": ")[2] for cause in op.problem["causes"]] == ["ACTIVE"]
    lifecycle.cloud.servers.delete(running.server_id)
    until(lambda: all(server.id != running.server_id for server in lifecycle.cloud.servers.list()), "Nova to delete it")
    assert lifecycle.handle(op, "retry").state == "COMPLETED", lifecycle.story(op)
