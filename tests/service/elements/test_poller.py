"""The poller at work on simulated elements, over UDP, with PostgreSQL."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet

from tests.factories.elements import make_element, make_policy
from tests.factories.inventory import make_instance
from tests.support.routersim_process import RoutersimProcess
from tests.support.waiting import until
from vnfm.elements.domain.parts import Part
from vnfm.elements.domain.trap_losses import LostPeer
from vnfm.elements.models import Adjacency, BgpPeer, Equipment, Interface, MediationPolicy, NetworkElement
from vnfm.elements.reconcilers.polled_elements import SHARDS
from vnfm.elements.services.elements import (
    element_manage,
    element_resync,
    element_suspend,
    element_unmanage,
)
from vnfm.elements.services.mediation_policies import policy_update
from vnfm.elements.services.traps import ElementEvents, element_apply_events
from vnfm.inventory.models import Vnfc
from vnfm.kit import clock
from vnfm.kit.durable import lease
from vnfm.kit.models import OutboxEvent

pytestmark = pytest.mark.django_db(transaction=True)
BACKEND = Path(__file__).parents[3] / "backend"

Poll = Callable[..., None]
_hosts = count(1)
PEER = "192.0.2.9"


def managed(sim: RoutersimProcess, kind: str = "7750-SR-12", **options: Any) -> tuple[str, NetworkElement]:
    """A simulated router, and our element of it."""
    number = next(_hosts)
    name, address = f"{kind.lower()}-{os.getpid()}-{number}", f"127.77.{number}.1"
    created = sim.add(name=name, kind=kind, address=address, **{"cards": 2, "ports": 2, "bootSeconds": 0, **options})
    policy = make_policy(port=created["snmpPort"], settings={"timeout_seconds": 0.3})
    return name, make_element(name=name, management_address=address, snmp_policy=policy)


def reloaded(element: NetworkElement) -> NetworkElement:
    return NetworkElement.objects.get(id=element.id)


def await_full_resync(element: NetworkElement) -> NetworkElement:
    """The element after its first full resync."""
    return until(lambda: (found := reloaded(element)).first_full_resync_at and found, f"{element.name} to be read")


def card(element: NetworkElement, slot: str) -> Equipment:
    return Equipment.objects.get(element=element, slot=slot, equipment_class__in=("CARD", "CPM"))


@pytest.mark.parametrize(("kind", "driver", "cpms"), [("7750-SR-12", "nokia-sros", 2), ("NE9000", "huawei-vrp", 2)])
def test_a_new_element_is_read_completely(
    routersim: RoutersimProcess, poll: Poll, kind: str, driver: str, cpms: int
) -> None:
    _, element = managed(routersim, kind, peers=[{"address": "192.0.2.9", "remoteAs": 65009}])
    poll()
    found = await_full_resync(element)
    assert (found.driver, found.reachable, found.resync_state, found.resync_progress) == (driver, "True", "DONE", 100)
    assert found.sys_name == found.name
    assert found.software_version
    assert found.up_since is not None
    classes = list(Equipment.objects.filter(element=element).values_list("equipment_class", flat=True))
    assert (classes.count("CHASSIS"), classes.count("CPM"), classes.count("CARD")) == (1, cpms, 2)
    assert classes.count("PORT") == 4
    known = {part.fdn for part in Equipment.objects.filter(element=element)}
    roots = {part.parent_fdn for part in Equipment.objects.filter(element=element)} - known
    assert roots == {f"network:{element.management_address}"}
    assert Interface.objects.filter(element=element).count() >= 4
    peer = BgpPeer.objects.get(element=element)
    assert (peer.peer_address, peer.remote_as, peer.vrf) == ("192.0.2.9", 65009, "")
    port = Equipment.objects.filter(element=element, equipment_class="PORT").first()
    assert port is not None
    assert Interface.objects.filter(element=element, if_index=port.if_index).exists()


def test_the_state_of_an_interface_counts_from_its_last_change(routersim: RoutersimProcess, poll: Poll) -> None:
    name, element = managed(routersim)
    booted = routersim.element(name)["upSince"]
    until(lambda: time.time() > booted + 0.02, "ifLastChange, in hundredths of a second, to tell boot and fault apart")
    routersim.fault(name, "port-down", port="1/1/1")
    poll()
    found = await_full_resync(element)
    since = dict(Interface.objects.filter(element=element).values_list("name", "since"))
    assert found.up_since is not None
    assert abs((since["1/1/2"] - found.up_since).total_seconds()) < 1
    assert since["1/1/2"] < since["1/1/1"] < found.last_full_resync_at


def test_a_change_is_recorded_and_published_once(routersim: RoutersimProcess, poll: Poll) -> None:
    name, element = managed(routersim)
    poll()
    await_full_resync(element)
    assert card(element, "1").oper_state == "IN_SERVICE"
    events = OutboxEvent.objects.filter(topic="network_element.changed", aggregate_id=element.id)
    before, since = events.count(), card(element, "1").since
    routersim.fault(name, "card-out", slot="1")
    until(lambda: card(element, "1").oper_state == "PROVISIONED", "the card to go")
    assert card(element, "1").since > since
    assert card(element, "2").since < card(element, "1").since
    assert events.count() == before + 1
    routersim.fault(name, "card-in", slot="1")
    until(lambda: card(element, "1").oper_state == "IN_SERVICE", "the card to come back")


def test_polling_an_unchanged_element_writes_only_a_timestamp(routersim: RoutersimProcess, poll: Poll) -> None:
    _, element = managed(routersim)
    poll(0.2)
    version, observed = (found := await_full_resync(element)).version, found.observed_at
    until(lambda: reloaded(element).observed_at > observed, "another poll")
    until(lambda: reloaded(element).observed_at > observed, "one more poll")
    assert reloaded(element).version == version


def test_a_silent_element_is_unreachable_until_it_answers(routersim: RoutersimProcess, poll: Poll) -> None:
    name, element = managed(routersim)
    poll()
    await_full_resync(element)
    routersim.fault(name, "silent")
    lost = until(lambda: (found := reloaded(element)).reachable == "False" and found, "the outage")
    assert lost.reachable_reason == "Unreachable"
    assert "No SNMP answer" in lost.reachable_message
    assert card(element, "1").oper_state == "IN_SERVICE"  # the last value; the API shows UNKNOWN
    routersim.fault(name, "answering")
    back = until(lambda: (found := reloaded(element)).reachable == "True" and found, "its return")
    assert back.reachable_since > lost.reachable_since


def test_a_resync_reads_the_requested_parts(routersim: RoutersimProcess, poll: Poll) -> None:
    _, element = managed(routersim)
    poll(600)
    await_full_resync(element)
    Equipment.objects.filter(element=element).update(name="wrong")
    Interface.objects.filter(element=element).update(name="wrong")
    full_at = reloaded(element).last_full_resync_at
    element_resync(element=reloaded(element), scope=["INTERFACES"])
    until(lambda: not Interface.objects.filter(element=element, name="wrong").exists(), "the interfaces")
    until(lambda: reloaded(element).resync_state == "DONE", "its end")
    assert Equipment.objects.filter(element=element, name="wrong").exists()
    assert reloaded(element).last_full_resync_at == full_at
    element_resync(element=reloaded(element))
    until(lambda: not Equipment.objects.filter(element=element, name="wrong").exists(), "the equipment")
    until(
        lambda: (found := reloaded(element)).resync_state == "DONE" and found.last_full_resync_at > full_at, "its end"
    )


def test_a_poll_of_other_parts_leaves_the_time_of_the_equipment(routersim: RoutersimProcess, poll: Poll) -> None:
    """An operation that waits for a card must not take the old row for a new one."""
    _, element = managed(routersim)
    poll(20.0)
    before = await_full_resync(element).equipment_observed_at
    element_resync(element=reloaded(element), scope=["INTERFACES"])
    until(lambda: reloaded(element).resync_state == "DONE", "its end")
    found = reloaded(element)
    assert (found.observed_at > before, found.equipment_observed_at) == (True, before)
    element_resync(element=reloaded(element), scope=["EQUIPMENT"])
    until(lambda: reloaded(element).resync_state == "DONE", "its end")
    assert reloaded(element).equipment_observed_at > before


def test_a_change_by_a_partial_poll_does_not_hide_the_return_to_the_former_state(
    routersim: RoutersimProcess, poll: Poll
) -> None:
    """The next complete poll finds the states of the last digest, but the rows differ from them."""
    name, element = managed(routersim)
    poll(4.0)
    await_full_resync(element)
    routersim.fault(name, "card-out", slot="1")
    element_resync(element=reloaded(element), scope=["EQUIPMENT"])
    until(lambda: card(element, "1").oper_state == "PROVISIONED", "the card to go")
    routersim.fault(name, "card-in", slot="1")
    until(lambda: card(element, "1").oper_state == "IN_SERVICE", "the card to come back")


def lose_peer(element: NetworkElement, *parts: Part) -> None:
    """Request a poll, as the trap receiver does on a notification that concerns these parts."""
    events = ElementEvents(frozenset(parts), losses=((LostPeer(PEER, "IDLE"), clock.now()),))
    element_apply_events(element.id, events, clock.now())
    assert BgpPeer.objects.get(element=element).state == "IDLE"


def test_a_loss_ends_with_a_regular_poll_where_the_requested_one_changes_nothing(
    routersim: RoutersimProcess, poll: Poll
) -> None:
    """The states are those of the last digest, but the row differs: a peer that came up again, without a trap of it."""
    _, element = managed(routersim, peers=[{"address": PEER, "remoteAs": 65009}])
    poll(2.0)
    await_full_resync(element)
    lose_peer(element, "NEIGHBOURS")
    until(lambda: reloaded(element).resync_state == "DONE", "the requested poll")
    until(lambda: BgpPeer.objects.get(element=element).state == "ESTABLISHED", "the regular poll", 25)


def test_a_loss_ends_with_a_regular_poll_where_the_requested_one_fails(routersim: RoutersimProcess, poll: Poll) -> None:
    name, element = managed(routersim, peers=[{"address": PEER, "remoteAs": 65009}])
    MediationPolicy.objects.filter(id=element.snmp_policy_id).update(settings={"timeout_seconds": 0.3, "retries": 0})
    poll(6.0)
    await_full_resync(element)
    routersim.fault(name, "silent")
    lose_peer(element, "BGP")
    until(lambda: reloaded(element).resync_state == "FAILED", "its failure")
    routersim.fault(name, "answering")
    assert reloaded(element).reachable == "True", "one answer that is missing is no outage"
    until(lambda: BgpPeer.objects.get(element=element).state == "ESTABLISHED", "the regular poll", 25)


def test_a_failed_resync_reports_its_cause_and_the_next_poll_completes_it(
    routersim: RoutersimProcess, poll: Poll
) -> None:
    name, element = managed(routersim)
    poll()
    await_full_resync(element)
    routersim.fault(name, "silent")
    until(lambda: reloaded(element).reachable == "False", "the outage")
    element_resync(element=reloaded(element))
    failed = until(lambda: (found := reloaded(element)).resync_state == "FAILED" and found, "its failure")
    assert "No SNMP answer" in failed.resync_problem
    routersim.fault(name, "answering")
    until(lambda: reloaded(element).resync_state == "DONE", "a poll that completes it")


def test_a_corrected_community_is_used_at_once(routersim: RoutersimProcess, poll: Poll) -> None:
    _, element = managed(routersim, community="right")
    poll()
    until(lambda: reloaded(element).reachable == "False", "the refusal")
    assert element.snmp_policy is not None
    policy_update(policy=element.snmp_policy, values={"community": "right"}, may_widen=False)
    await_full_resync(element)


def test_a_policy_that_cannot_be_unsealed_does_not_affect_other_elements(
    routersim: RoutersimProcess, poll: Poll
) -> None:
    foreign = make_policy(sealed_secrets=Fernet(Fernet.generate_key()).encrypt(b"{}"))
    sealed = make_element(management_address="127.77.250.1", snmp_policy=foreign)
    _, element = managed(routersim)
    poll()
    await_full_resync(element)
    assert reloaded(sealed).reachable == "Unknown"


def test_suspended_and_unmanaged_elements_are_not_polled(routersim: RoutersimProcess, poll: Poll) -> None:
    name, element = managed(routersim)
    poll()
    await_full_resync(element)
    element_suspend(element=reloaded(element))
    routersim.fault(name, "card-out", slot="1")
    managed_name, managed_element = managed(routersim)
    await_full_resync(managed_element)
    routersim.fault(managed_name, "card-out", slot="1")
    until(lambda: card(managed_element, "1").oper_state == "PROVISIONED", "the other's card to go")
    assert card(element, "1").oper_state == "IN_SERVICE"
    assert reloaded(element).reachable_reason == "Suspended"
    element_unmanage(element=reloaded(element))
    assert not Equipment.objects.filter(element=element).exists()
    element_manage(element=reloaded(element))
    await_full_resync(element)
    assert card(element, "1").oper_state == "PROVISIONED"


def test_a_removed_board_is_missing_and_not_forgotten(routersim: RoutersimProcess, poll: Poll) -> None:
    """VRP drops the row of a board that is pulled out."""
    name, element = managed(routersim, "NE9000")
    poll()
    await_full_resync(element)
    slot = Equipment.objects.filter(element=element, equipment_class="CARD").order_by("fdn")[0].slot
    routersim.fault(name, "card-out", slot=slot)
    gone = until(lambda: (row := card(element, slot)).oper_state == "MISSING" and row, "the board to go")
    assert "does not list it" in gone.reason
    assert Equipment.objects.filter(element=element, parent_fdn=gone.fdn, oper_state="MISSING").exists()
    element_resync(element=reloaded(element))
    until(lambda: reloaded(element).resync_state == "DONE", "a resync")
    assert card(element, slot).oper_state == "MISSING"
    element_resync(element=reloaded(element), accept=True)
    until(lambda: not Equipment.objects.filter(element=element, slot=slot, equipment_class="CARD"), "acceptance")
    routersim.fault(name, "card-in", slot=slot)
    until(lambda: Equipment.objects.filter(element=element, slot=slot, oper_state="IN_SERVICE"), "its return")


def test_cards_are_linked_to_the_vnfcs_in_their_slots(routersim: RoutersimProcess, poll: Poll) -> None:
    _, element = managed(routersim)
    instance = make_instance(name="vsr")
    first = Vnfc.objects.create(instance=instance, vdu_id="iom", slot="1", server_id="s1", name="vm1")
    NetworkElement.objects.filter(id=element.id).update(vnf_instance=instance)
    poll()
    await_full_resync(element)
    assert card(element, "1").vnfc_id == first.id
    assert card(element, "2").vnfc_id is None
    second = Vnfc.objects.create(instance=instance, vdu_id="iom", slot="2", server_id="s2", name="vm2")
    until(lambda: card(element, "2").vnfc_id == second.id, "the new VNFC to be linked")
    Vnfc.objects.create(instance=instance, vdu_id="other", slot="2", server_id="s3", name="vm3")
    second.delete()
    until(lambda: card(element, "2").vnfc is not None, "its successor")


def test_virtual_systems_of_one_chassis_are_elements_of_their_own(routersim: RoutersimProcess, poll: Poll) -> None:
    number = next(_hosts)
    port = 20_000 + number
    systems = [{"name": "VS1", "address": f"127.77.{number}.2"}, {"name": "VS2", "address": f"127.77.{number}.3"}]
    _, chassis = managed(routersim, "NE9000", virtualSystems=systems, snmpPort=port)
    assert chassis.snmp_policy is not None
    ours = [make_element(management_address=one["address"], snmp_policy=chassis.snmp_policy) for one in systems]
    poll()
    for element in (chassis, *ours):
        await_full_resync(element)
    for element in ours:
        until(lambda element=element: reloaded(element).host_element_id == chassis.id, "its chassis to be found")
    assert reloaded(chassis).host_element is None
    ports = [set(Interface.objects.filter(element=element).values_list("name", flat=True)) for element in ours]
    assert ports[0]
    assert not ports[0] & ports[1]


def test_two_pollers_share_the_elements_and_one_takes_over_all(
    routersim: RoutersimProcess, product_env: dict[str, str]
) -> None:
    """They run as processes: one that ends by SIGTERM releases its shards."""
    pairs = [managed(routersim) for _ in range(4)]
    env = product_env | {"VNFM_ELEMENT_POLL_SECONDS": "0.3"}
    processes = [
        subprocess.Popen(
            [sys.executable, "manage.py", "elements"],
            cwd=BACKEND,
            env=env,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for _ in range(2)
    ]
    try:
        for _, element in pairs:
            await_full_resync(element)
        processes[0].send_signal(signal.SIGTERM)
        output, _ = processes[0].communicate(timeout=120)
        assert processes[0].returncode == 0, output
        assert "Traceback" not in output
        for name, _ in pairs:
            routersim.fault(name, "card-out", slot="1")
        for _, element in pairs:
            until(lambda element=element: card(element, "1").oper_state == "PROVISIONED", "the rest to go on")
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
            process.communicate()


def test_slots_that_release_1_0_emptied_are_missing_once_its_poller_has_ended(poll: Poll) -> None:
    """Both run for a while in an upgrade; the older one has no last rows, and any slot without a part as EMPTY."""
    element = make_element(name="pe", management_address="127.77.0.1")
    read_at = clock.now() - timedelta(days=1)
    NetworkElement.objects.filter(id=element.id).update(first_full_resync_at=read_at)
    slot = Equipment.objects.create(
        element=element, fdn="card-1", parent_fdn="", equipment_class="CARD", oper_state="IN_SERVICE", since=read_at
    )
    with ExitStack() as release_1_0:
        for shard in range(SHARDS):
            assert release_1_0.enter_context(lease.hold(f"elements:{shard}"))
        poll()
        Equipment.objects.filter(id=slot.id).update(oper_state="EMPTY", since=clock.now())
    until(lambda: Equipment.objects.get(id=slot.id).oper_state == "MISSING", "the pulled card to be kept as a fault")
    assert reloaded(element).version > element.version, "its alarms are evaluated"


def test_a_neighbour_that_disappears_is_lost_and_not_forgotten(routersim: RoutersimProcess, poll: Poll) -> None:
    far_name, far = managed(routersim, lldpHoldSeconds=0)
    cable = {"port": "1/1/1", "neighbour": far_name, "neighbourPort": "2/1/2"}
    near_name, near = managed(routersim, links=[cable], lldpHoldSeconds=0)
    poll()
    await_full_resync(near)
    await_full_resync(far)

    def neighbours(element: NetworkElement, protocol: str = "LLDP") -> list[tuple[str, str, str, str]]:
        rows = Adjacency.objects.filter(element=element, protocol=protocol)
        return list(rows.values_list("local_port", "remote_name", "remote_port", "state"))

    until(lambda: neighbours(near) == [("1/1/1", far_name, "2/1/2", "FULL")], "the neighbour of one end")
    until(lambda: neighbours(far) == [("2/1/2", near_name, "1/1/1", "FULL")], "the neighbour of the other end")
    routersim.fault(far_name, "port-down", port="2/1/2")
    for element in (near, far):
        until(lambda of=element: [row[3] for row in neighbours(of)] == ["LOST"], "the loss, at both ends")
    assert [row[3] for row in neighbours(near, "OSPF")] == ["LOST"]
    element_resync(element=reloaded(near), scope=["NEIGHBOURS"], accept=True)
    until(lambda: neighbours(near) == [], "the resync with accept")
    routersim.fault(far_name, "port-up", port="2/1/2")
    until(lambda: [row[3] for row in neighbours(near) + neighbours(far)] == ["FULL", "FULL"], "the link again")
