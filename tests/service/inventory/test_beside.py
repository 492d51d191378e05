"""What takes long is asked beside the small looks: it hides nothing, and nothing older overwrites what is newer."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.cloudsim_process import CloudsimProcess
from tests.service.watching import deploy, look, vnfc
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Stack
from vnfm.inventory.models import Host, VimLook, Vnfc, VnfcPort, VnfInstance
from vnfm.inventory.reconcilers.observe import Look, observe_around, observe_vim, review
from vnfm.inventory.reconcilers.sight import ALONE_AT_MOST, FULL_EVERY, around_is_due, review_is_due
from vnfm.inventory.services import RecordedVnfc, record_vnfcs
from vnfm.kit import clock
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db


@pytest.fixture
def instance(cloud: Cloud, vim: Vim) -> VnfInstance:
    made = deploy(cloud, vim, "cpm-A", "iom-1")
    look(vim, cloud)
    return made


def lean(vim: Vim, cloud: Cloud, doubts: frozenset[str] = frozenset()) -> Look:
    return observe_vim(vim=vim, cloud=cloud, now=clock.now(), lean=True, doubts=doubts)


def act(sim: CloudsimProcess, name: str, action: str) -> None:
    sim.control("POST", f"/servers/{vnfc(name).server_id}/{action}")


def unseen_by_small_looks(vim: Vim) -> None:
    """As when our clock was set forward: nothing counts as changed since."""
    VimLook.objects.filter(vim=vim).update(changed_to=clock.now() + timedelta(hours=1))


class Meanwhile:
    """A cloud at which something happens between two questions of one look: before stacks are listed, the last."""

    def __init__(self, cloud: Cloud, happens: Callable[[], None]) -> None:
        self._cloud = cloud
        self._happens = happens
        self.stacks = self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cloud, name)

    def list(self) -> "list[Stack]":
        self._happens()
        return [*self._cloud.stacks.list()]


def test_what_small_looks_missed_is_in_doubt_and_the_next_one_records_it(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    act(fresh_cloud, "iom-1", "stop")
    act(fresh_cloud, "cpm-A", "delete")
    unseen_by_small_looks(vim)
    lean(vim, cloud)
    seen, doubts = review(vim=vim, cloud=cloud, now=clock.now())
    assert doubts == {vnfc("iom-1").server_id, vnfc("cpm-A").server_id}
    assert seen.sight is not None
    assert seen.sight.stacks
    assert {vnfc("iom-1").status, vnfc("cpm-A").status} == {"ACTIVE"}, "a list of everything records no state"
    later = clock.now()
    assert lean(vim, cloud, doubts).changed == {instance.id}
    assert (vnfc("iom-1").status, vnfc("cpm-A").status) == ("SHUTOFF", "MISSING")
    assert VimLook.objects.get(vim=vim).changed_to < later, "from the stamps anew"


def test_a_list_of_everything_does_not_overwrite_what_a_later_look_saw(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    def stopped_and_seen() -> None:
        act(fresh_cloud, "iom-1", "stop")
        assert lean(vim, cloud).changed == {instance.id}

    slow: Any = Meanwhile(cloud, stopped_and_seen)
    _, doubts = review(vim=vim, cloud=slow, now=clock.now())
    assert vnfc("iom-1").status == "SHUTOFF"
    since = vnfc("iom-1").status_since
    assert lean(vim, cloud, doubts).changed == frozenset(), "what was in doubt was right"
    assert (vnfc("iom-1").status, vnfc("iom-1").status_since) == ("SHUTOFF", since)


def test_what_passed_while_everything_was_listed_is_not_recorded_after_it_is_over(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    """The small look that saw the end had nothing to write, so no row tells that it was later."""
    port = vnfc("iom-1").ports.get()
    fresh_cloud.control("POST", f"/ports/{port.port_id}/down")

    def over_and_seen() -> None:
        fresh_cloud.control("POST", f"/ports/{port.port_id}/up")
        assert lean(vim, cloud).changed == frozenset()

    slow: Any = Meanwhile(cloud, over_and_seen)
    _, doubts = review(vim=vim, cloud=slow, now=clock.now())
    assert doubts == {vnfc("iom-1").server_id}
    assert VnfcPort.objects.get(id=port.id).status == "ACTIVE"
    assert lean(vim, cloud, doubts).changed == frozenset()
    assert VnfcPort.objects.get(id=port.id).status == "ACTIVE"


def test_where_too_much_is_in_doubt_the_next_look_is_at_everything(
    instance: VnfInstance, vim: Vim, cloud: Cloud
) -> None:
    strays = [RecordedVnfc("iom", f"00000000-0000-4000-8000-{n:012}", f"iom-{n}", status="ACTIVE") for n in range(60)]
    assert len(strays) > ALONE_AT_MOST
    record_vnfcs(instance=instance, vnfcs=strays, links=[], now=clock.now())
    _, doubts = review(vim=vim, cloud=cloud, now=clock.now())
    assert doubts == frozenset()
    assert look(vim, cloud).full
    assert set(instance.vnfcs.values_list("status", flat=True)) == {"MISSING"}


def test_a_small_look_asks_alone_for_a_recorded_server_that_no_look_has_seen(
    instance: VnfInstance, vim: Vim, cloud: Cloud
) -> None:
    vnfcs = [RecordedVnfc(row.vdu_id, row.server_id, row.name) for row in instance.vnfcs.all()]
    stray = RecordedVnfc("iom", "00000000-0000-4000-8000-000000000000", "iom-2")
    record_vnfcs(instance=instance, vnfcs=[*vnfcs, stray], links=[], now=clock.now())
    unseen_by_small_looks(vim)
    assert not lean(vim, cloud).full
    assert (vnfc("iom-2").status, vnfc("iom-1").status) == ("MISSING", "ACTIVE")


def test_what_is_in_doubt_comes_before_what_is_unseen(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    vnfcs = [RecordedVnfc(row.vdu_id, row.server_id, row.name) for row in instance.vnfcs.all()]
    strays = [RecordedVnfc("iom", f"00000000-0000-4000-8000-{n:012}", f"s-{n}") for n in range(ALONE_AT_MOST)]
    record_vnfcs(instance=instance, vnfcs=[*vnfcs, *strays], links=[], now=clock.now())
    act(fresh_cloud, "iom-1", "stop")
    unseen_by_small_looks(vim)
    lean(vim, cloud, frozenset({vnfc("iom-1").server_id}))
    assert vnfc("iom-1").status == "SHUTOFF"
    assert instance.vnfcs.filter(status="UNKNOWN").count() == 1, "the next look asks for it"


def test_what_nova_itself_calls_unknown_is_seen(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    Vnfc.objects.filter(name="iom-1").update(status="UNKNOWN")
    unseen_by_small_looks(vim)
    assert not observe_vim(vim=vim, cloud=cloud, now=clock.now()).full
    lean(vim, cloud)
    assert vnfc("iom-1").status == "UNKNOWN", "nobody asked for it alone"


def test_a_dear_question_is_asked_beside(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    VimLook.objects.filter(vim=vim).update(took={"stacks": 5.0})
    before = VimLook.objects.get(vim=vim)
    assert before.stacks_at is not None
    VnfInstance.objects.filter(id=instance.id).update(stack_status="CHECK_FAILED")
    lean(vim, cloud)
    assert VimLook.objects.get(vim=vim).stacks_at == before.stacks_at
    for seconds, urgent, is_due in ((9, True, False), (11, True, True), (49, False, False), (51, False, True)):
        at = before.stacks_at + timedelta(seconds=seconds)
        assert around_is_due(vim, before, at, urgent=urgent) is is_due, (seconds, urgent)
    later = clock.now() + timedelta(seconds=60)
    assert observe_around(vim=vim, cloud=cloud, now=later, urgent=False).changed == {instance.id}
    after = VimLook.objects.get(vim=vim)
    assert (after.stacks_at, after.servers_at < later) == (later, True)
    assert after.took["stacks"] < 5.0


def test_heat_that_fails_beside_is_for_the_next_look_to_tell(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    VimLook.objects.filter(vim=vim).update(took={"stacks": 5.0})
    fresh_cloud.control("POST", "/failures", {"service": "orchestration", "effect": "status", "times": 2})
    later = clock.now() + timedelta(seconds=60)
    assert observe_around(vim=vim, cloud=cloud, now=later, urgent=False).failures == 1
    assert Vim.objects.get(id=vim.id).reachable == "True"
    assert look(vim, cloud).failures == 2
    assert Vim.objects.get(id=vim.id).reachable_message.startswith("heat: ")


def test_everything_is_listed_each_minute_or_seldomer_where_that_takes_long(
    instance: VnfInstance, vim: Vim, cloud: Cloud
) -> None:
    seen = VimLook.objects.get(vim=vim)
    assert seen.full_at is not None
    assert not review_is_due(seen, seen.full_at + FULL_EVERY / 2)
    assert review_is_due(seen, seen.full_at + FULL_EVERY)
    seen.took = {"full": 20.0}
    assert not review_is_due(seen, seen.full_at + FULL_EVERY)
    now = clock.now()
    review(vim=vim, cloud=cloud, now=now)
    assert VimLook.objects.get(vim=vim).full_at == now


def test_hosts_that_we_may_no_longer_list_are_forgotten(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    now = clock.now()
    Host.objects.create(vim=vim, name="compute-1", state="down", service="down", status="enabled", since=now)
    VimLook.objects.filter(vim=vim).update(hosts_at=now)
    Vim.objects.filter(id=vim.id).update(capabilities={"hosts": False})
    vim.refresh_from_db()
    review(vim=vim, cloud=cloud, now=clock.now())
    assert not Host.objects.exists()
    assert VimLook.objects.get(vim=vim).hosts_at is None
