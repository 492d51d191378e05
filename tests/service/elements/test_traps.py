"""The trap receiver with real sockets, PostgreSQL, simulated elements and Net-SNMP's snmptrap."""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from rest_framework.test import APIClient

from tests.factories.elements import make_element, make_policy
from tests.factories.notifications import LINK_DOWN, binding, trap, v1_trap
from tests.support import snmp_commands
from tests.support.routersim_process import RoutersimProcess
from tests.support.waiting import until as until_
from tests.support.yaml_text import load_yaml
from vnfm.devices.traps import ber
from vnfm.elements.domain.traps import STORE_BURST, STORM, FactChange
from vnfm.elements.models import ElementFact, Equipment, Interface, NetworkElement, Trap, TrapReceiver
from vnfm.elements.services.elements import element_unmanage
from vnfm.elements.services.traps import MAX_TRAP_FACTS, ElementEvents, element_apply_events, traps_expire
from vnfm.elements.traps.classify import Batch
from vnfm.elements.traps.receiver import Receiver, _apply_events
from vnfm.elements.traps.udp_socket import MAX_DATAGRAM, TrapSocket
from vnfm.kit import clock
from vnfm.kit.seal import seal

pytestmark = pytest.mark.django_db(transaction=True)

WALKS = Path(__file__).parents[2] / "fixtures" / "walks"
Poll = Callable[..., None]
until = partial(until_, seconds=60)
FIB, FIB_RESUME = "1.3.6.1.4.1.2011.5.25.129.2.9.1", "1.3.6.1.4.1.2011.5.25.129.2.9.2"
MAX_ROUTES = "1.3.6.1.4.1.6527.3.1.3.3.0.11"
COLD_START = "1.3.6.1.6.3.1.1.5.1"
ENT_NAME = "1.3.6.1.2.1.47.1.1.1.1.7.9"
_hosts = count(1)


class Running:
    """A receiver in a thread, as its process runs it."""

    def __init__(self, port: int = 0) -> None:
        self._stop = threading.Event()
        receiver = Receiver(listen=f"127.0.0.1:{port}", host="here", secret="secret")
        self._thread = threading.Thread(target=receiver.run, args=(self._stop,))
        starts = TrapReceiver.objects.values_list("boots", flat=True).first() or 0
        self._thread.start()
        row = until(lambda: TrapReceiver.objects.filter(boots=starts + 1).first(), "the receiver to listen")
        self.port = row.port

    def end(self) -> None:
        self._stop.set()
        self._thread.join(20)
        assert not self._thread.is_alive()


@pytest.fixture
def receiver(transactional_db: None) -> Iterator[Running]:
    running = Running()
    yield running
    running.end()


@pytest.fixture
def send(receiver: Running) -> Iterator[Callable[..., None]]:
    """Sends octets to the receiver, from an address of the loopback network."""
    opened: dict[str, socket.socket] = {}

    def work(octets: bytes, source: str = "127.0.0.1") -> None:
        if source not in opened:
            opened[source] = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            opened[source].bind((source, 0))
        opened[source].sendto(octets, ("127.0.0.1", receiver.port))

    yield work
    for one in opened.values():
        one.close()


def counted(**wanted: int) -> TrapReceiver:
    def look() -> TrapReceiver | None:
        row = TrapReceiver.objects.get()
        return row if all(getattr(row, name) >= number for name, number in wanted.items()) else None

    return until(look, f"the counts to be {wanted}")


def element_at(address: str, driver: str = "generic", **fields: Any) -> NetworkElement:
    policy = fields.pop("policy", None) or make_policy(community="hush")
    return make_element(management_address=address, driver=driver, snmp_policy=policy, resync_state="DONE", **fields)


def traps_of(element: NetworkElement | None, number: int) -> list[Trap]:
    rows = Trap.objects.filter(element=element).order_by("id")
    until(lambda: rows.all().count() >= number, f"{number} traps")
    return list(rows.all())


def facts(element: NetworkElement) -> set[tuple[str, str, str]]:
    return set(ElementFact.objects.filter(element=element).values_list("name", "subject", "value"))


def reloaded(element: NetworkElement) -> NetworkElement:
    return NetworkElement.objects.get(id=element.id)


def test_a_trap_is_stored_and_requests_a_poll_of_its_parts(send: Callable[..., None], viewer_api: APIClient) -> None:
    element = element_at("127.0.0.1")
    send(trap(LINK_DOWN, binding("1.3.6.1.2.1.2.2.1.1.7", ber.encoded_number(7)), community="hush", number=4))
    (row,) = traps_of(element, 1)
    assert (row.name, row.trap_oid, row.sequence) == ("linkDown", LINK_DOWN, 4)
    assert row.varbinds == {"1.3.6.1.2.1.2.2.1.1.7": 7}
    requested = until(lambda: (found := reloaded(element)).resync_state == "WAITING" and found, "the request")
    assert requested.resync_scope == ["EQUIPMENT", "INTERFACES", "NEIGHBOURS"]
    Interface.objects.create(element=element, if_index=7, name="1/1/7", admin="UP", oper="DOWN", since=clock.now())
    shown = viewer_api.get(f"/api/v1/elements/{element.id}/traps?filter=(eq,name,linkDown)").json()
    assert [one["bindings"] for one in shown] == [
        [{"oid": "1.3.6.1.2.1.2.2.1.1.7", "name": "ifIndex.7", "text": "1/1/7"}]
    ]
    assert [(one["elementName"], one["name"], one["sequence"]) for one in shown] == [(element.name, "linkDown", 4)]
    assert viewer_api.get("/api/v1/traps?filter=(eq,name,linkUp)").json() == []
    later = {"filter": f"(gt,receivedAt,{row.received_at.isoformat()})"}
    assert viewer_api.get("/api/v1/traps", later).json() == []


def test_a_wrong_community_is_counted_and_refused(send: Callable[..., None]) -> None:
    element = element_at("127.0.0.1")
    send(trap(community="public"))
    send(b"\x30\x03\x02\x01\x01")
    send(trap(community="hush", number=2))
    (row,) = traps_of(element, 1)
    assert row.sequence == 2
    found = counted(refused=1, garbled=1, stored=1)
    assert (found.refused, found.garbled, found.received) == (1, 1, 3)


def test_what_is_refused_is_named(send: Callable[..., None], viewer_api: APIClient) -> None:
    element = element_at("127.0.0.1")
    for _ in range(3):
        send(v1_trap(community="public"))
    send(b"\x30\x03\x02\x01\x01", "127.0.9.9")
    found = counted(refused=3, garbled=1)
    until(lambda: TrapReceiver.objects.get().refusals, "the refusals to be reported")
    (receiver,) = viewer_api.get("/api/v1/trap_receivers").json()
    of_element, of_other = receiver["refusals"]
    assert (of_element["elementName"], of_element["count"], of_element["reason"]) == (
        *(element.name, 3),
        "It is of SNMPv1, and its community is not that of the element's SNMP policy.",
    )
    assert (of_other["sourceAddress"], of_other["elementId"], of_other["count"]) == ("127.0.9.9", None, 1)
    assert found.stored == 0


def test_a_trap_of_snmpv1_is_the_elements(send: Callable[..., None]) -> None:
    """tests/fixtures/walks/snmp-v1-trap.yaml: agent-addr 192.0.2.7 is the element's, the source is another's."""
    octets = bytes.fromhex(load_yaml((WALKS / "snmp-v1-trap.yaml").read_text())["octets"])
    element = element_at("192.0.2.7", policy=make_policy(community="public"))
    send(octets)
    (row,) = traps_of(element, 1)
    assert (row.name, row.trap_oid, row.sequence, row.source_address) == ("linkDown", LINK_DOWN, None, "127.0.0.1")
    requested = until(lambda: (now := reloaded(element)).resync_state == "WAITING" and now, "the request")
    assert requested.resync_scope == ["EQUIPMENT", "INTERFACES", "NEIGHBOURS"]


def test_traps_of_snmpv1_are_no_gap_in_the_numbers_of_others(send: Callable[..., None]) -> None:
    element = element_at("127.0.0.1", driver="nokia-sros")
    send(trap(community="hush", number=5000))
    send(v1_trap(community="hush", generic=6, specific=1))
    send(trap(community="hush", number=5001))
    assert [row.sequence for row in traps_of(element, 3)] == [5000, None, 5001]
    assert reloaded(element).trap_gap_since is None


def test_a_trap_of_an_unknown_address_is_stored(send: Callable[..., None], viewer_api: APIClient) -> None:
    send(trap(community="whatever"), "127.0.9.9")
    (row,) = traps_of(None, 1)
    assert row.source_address == "127.0.9.9"
    assert counted(unknown=1).unknown == 1
    (shown,) = viewer_api.get("/api/v1/traps").json()
    assert (shown["elementId"], shown["elementName"]) == (None, None)


def test_a_trap_raises_a_fact_until_another_clears_it(send: Callable[..., None]) -> None:
    element = element_at("127.0.0.1")
    board = binding(ENT_NAME, ber.tlv(ber.OCTETS, b"LPU 1"))
    send(trap(FIB, board, community="hush"))
    until(lambda: facts(element) == {("FibOverload", "LPU 1", "raised")}, "the fact")
    version = reloaded(element).version
    send(trap(FIB, board, community="hush", number=2))
    send(trap(FIB_RESUME, board, community="hush", number=3))
    until(lambda: facts(element) == set(), "the fact to go")
    assert reloaded(element).version > version, "else its alarms are not evaluated again"
    send(trap(FIB, board, community="hush", number=4))
    until(lambda: facts(element), "the fact again")
    send(trap(COLD_START, community="hush", number=1, uptime=1))
    until(lambda: facts(element) == set(), "the restart to end it")
    until(lambda: reloaded(element).resync_scope == [], "all of it to be read")


def test_one_bad_trap_does_not_block_the_next(send: Callable[..., None]) -> None:
    element = element_at("127.0.0.1", "nokia-sros")
    send(trap(MAX_ROUTES, binding("1.3" + ".11" * 100, ber.encoded_number(1)), community="hush", number=1))
    send(trap(community="hush", number=2))
    assert [row.sequence for row in traps_of(element, 2)] == [1, 2]
    assert {len(subject) for _, subject, _ in facts(element)} == {255}


def test_events_that_fail_for_one_element_are_applied_to_the_others() -> None:
    one, other = element_at("127.0.0.1"), element_at("127.0.0.2")
    bad, good = (ElementEvents(fact_changes=(FactChange(name, "", raised=True),)) for name in ("x" * 100, "Overheated"))
    batch = Batch(events={one.id: bad, other.id: good})
    _apply_events(batch)
    assert (facts(one), facts(other), batch.events) == (set(), {("Overheated", "", "raised")}, {})


def test_the_facts_of_one_element_are_limited() -> None:
    element = element_at("127.0.0.1")
    many = [FactChange("RoutesNearLimit", str(number), raised=True) for number in range(MAX_TRAP_FACTS + 5)]
    element_apply_events(
        element.id, ElementEvents(fact_changes=(*many, FactChange(STORM, "", raised=True))), clock.now()
    )
    assert ElementFact.objects.filter(element=element, name="RoutesNearLimit").count() == MAX_TRAP_FACTS
    assert (STORM, "", "raised") in facts(element)


def test_a_large_datagram_is_dropped() -> None:
    intake = TrapSocket("127.0.0.1:0")
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(bytes(MAX_DATAGRAM + 1), intake.address)
            sender.sendto(bytes(MAX_DATAGRAM), intake.address)
            until(lambda: intake.received == 2, "both to come")
        taken, left_out = intake.take()
    finally:
        intake.close()
    assert [len(one.octets) for one in taken] == [MAX_DATAGRAM]
    assert left_out == {"127.0.0.1": 1}


def test_a_gap_in_the_sequence_requests_a_full_resync(send: Callable[..., None]) -> None:
    counting = element_at("127.0.0.1", "nokia-sros", trap_sequence=6)
    other = element_at("127.0.0.2")
    send(trap(community="hush", number=7))
    send(trap(community="hush", number=70), "127.0.0.2")
    send(trap(community="hush", number=700), "127.0.0.2")
    traps_of(other, 2)
    assert reloaded(counting).trap_gap_since is None
    send(trap(community="hush", number=9))
    found = until(lambda: (row := reloaded(counting)).trap_gap_since and row, "the gap")
    assert (found.resync_state, found.resync_scope) == ("WAITING", [])
    until(lambda: reloaded(counting).trap_sequence == 9, "its number to be stored")
    assert reloaded(other).trap_gap_since is None, "its request-ids are no count"


def test_elements_of_one_address_differ_by_sysname(send: Callable[..., None]) -> None:
    policy = make_policy(community="hush")
    chassis = element_at("127.0.0.1", policy=policy)
    system = element_at("127.0.0.1", policy=policy, host_element=chassis, sys_name="ne-vs1")

    def both_are_polled() -> bool:
        send(trap(community="hush"))  # repeatedly, as the receiver may not have loaded both elements yet
        return reloaded(system).resync_state == "WAITING" == reloaded(chassis).resync_state

    until(both_are_polled, "both to be polled")
    assert not Trap.objects.filter(element=system).exists()
    send(trap(LINK_DOWN, binding("1.3.6.1.2.1.1.5.0", ber.tlv(ber.OCTETS, b"ne-vs1")), community="hush"))
    traps_of(system, 1)


def test_a_storm_is_sampled_and_loses_no_trap_of_another_element(send: Callable[..., None]) -> None:
    noisy, quiet = element_at("127.0.0.1"), element_at("127.0.0.2")
    for number in range(STORE_BURST + 500):
        send(trap(community="hush", number=number))
        if number % 400 == 0:
            send(trap(community="hush", number=number), "127.0.0.2")
            until(lambda number=number: TrapReceiver.objects.get().received >= number, "the receiver to follow")
    assert len(traps_of(quiet, 5)) == 5
    until(lambda: ("TrapStorm", "", "raised") in facts(noisy), "the storm")
    assert Trap.objects.filter(element=noisy).count() < STORE_BURST + 500
    found = counted(received=STORE_BURST + 505)
    assert found.stored + found.sampled_out == found.received
    assert facts(quiet) == set()


def test_a_trap_of_an_unmanaged_element_requests_no_poll(send: Callable[..., None]) -> None:
    element = element_unmanage(element=element_at("127.0.0.1"))
    send(trap(community="hush"))
    traps_of(element, 1)
    counted(stored=1)
    assert reloaded(element).resync_state == "NEVER"


def test_traps_wait_in_memory_while_the_database_is_away(send: Callable[..., None], receiver: Running) -> None:
    element = element_at("127.0.0.1")
    send(trap(community="hush", number=1))
    traps_of(element, 1)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        for number, (pid,) in enumerate(cursor.fetchall(), start=2):
            cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
            send(trap(community="hush", number=number))
    send(trap(community="hush", number=1000))
    until(lambda: Trap.objects.filter(element=element, sequence=1000).exists(), "the last")
    numbers = set(Trap.objects.filter(element=element).values_list("sequence", flat=True)) - {1000}
    assert numbers == set(range(1, len(numbers) + 1))


def test_the_receiver_reports_its_status(receiver: Running, viewer_api: APIClient) -> None:
    (shown,) = viewer_api.get("/api/v1/trap_receivers").json()
    assert (shown["status"], shown["port"], shown["dropped"]) == ("True", receiver.port, 0)
    assert shown["bufferSize"] >= shown["bufferWanted"] or "net.core.rmem_max" in shown["problem"]
    # At once: the receiver reports again every few seconds, by its own host.
    TrapReceiver.objects.update(reported_at="2016-02-09T14:05:00Z", host="another")
    assert [one["status"] for one in viewer_api.get("/api/v1/trap_receivers").json()] == ["Unknown"]


def test_an_address_in_use_is_reported_and_tried_again(transactional_db: None) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
        stop = threading.Event()
        thread = threading.Thread(
            target=Receiver(listen=f"127.0.0.1:{port}", host="here", secret="x").run, args=(stop,)
        )
        thread.start()
        row = until(lambda: TrapReceiver.objects.exclude(problem="").first(), "the problem")
        assert "VNFM_TRAP_LISTEN" in row.problem
    until(lambda: TrapReceiver.objects.get().buffer_size, "the port to be bound when it is free")
    stop.set()
    thread.join(20)


def test_old_traps_expire() -> None:
    element = make_element()
    now = clock.now()
    rows = [Trap(element=element, source_address="a", trap_oid="1.3", received_at=now) for _ in range(3)]
    rows.append(Trap(source_address="a", trap_oid="1.3", received_at=now.replace(year=2016)))
    Trap.objects.bulk_create(rows)
    assert traps_expire(now.replace(year=2020)) == 1
    assert Trap.objects.count() == 3


needs_notifier = pytest.mark.skipif(not snmp_commands.available(), reason="snmptrap is not installed")
USER = {"username": "notifier", "auth_protocol": "SHA-256", "priv_protocol": "AES"}
SECRETS = {"auth_password": "a good password", "priv_password": "another password"}
V3 = (
    "-v3",
    "-l",
    "authPriv",
    "-u",
    "notifier",
    "-a",
    "SHA-256",
    "-A",
    "a good password",
    "-x",
    "AES",
    "-X",
    "another password",
)


@needs_notifier
@pytest.mark.parametrize("kind", ["trap", "inform"])
@pytest.mark.parametrize("version", ["v2c", "v3"])
def test_traps_and_informs_of_net_snmp_are_stored(receiver: Running, version: str, kind: str) -> None:
    policy = make_policy(protocol="SNMPv3", settings=USER, sealed_secrets=seal(SECRETS)) if version == "v3" else None
    element = element_at("127.0.0.1", policy=policy)
    options = V3 if version == "v3" else ("-v2c", "-c", "hush")
    options = (
        (*options, "-Ci")
        if kind == "inform"
        else (*options, "-e", "0x80001f8801020304")
        if version == "v3"
        else options
    )
    assert snmp_commands.notify(*options, to=f"127.0.0.1:{receiver.port}") == ""
    rows = traps_of(element, 1)
    assert [(row.name, len(rows)) for row in rows] == [("linkDown", 1)]


@needs_notifier
def test_a_wrong_password_is_refused(receiver: Running) -> None:
    policy = make_policy(
        protocol="SNMPv3", settings=USER, sealed_secrets=seal({**SECRETS, "auth_password": "it is not"})
    )
    element_at("127.0.0.1", policy=policy)
    snmp_commands.notify(*V3, "-e", "0x80001f8801020304", to=f"127.0.0.1:{receiver.port}")
    counted(refused=1)
    assert not Trap.objects.exists()


def managed(sim: RoutersimProcess, port: int, kind: str = "7750-SR-12", **options: Any) -> tuple[str, NetworkElement]:
    number = next(_hosts)
    name, address = f"trap-{kind.lower()}-{os.getpid()}-{number}", f"127.78.{number}.1"
    options = {"cards": 2, "ports": 2, "bootSeconds": 0, "trapTargets": [f"127.0.0.1:{port}"], **options}
    created = sim.add(name=name, kind=kind, address=address, **options)
    policy = make_policy(port=created["snmpPort"], settings={"timeout_seconds": 0.3})
    element = make_element(name=name, management_address=address, snmp_policy=policy)
    return name, element


def test_a_trap_shows_a_fault_before_the_next_regular_poll(
    routersim: RoutersimProcess, poll: Poll, receiver: Running
) -> None:
    name, element = managed(routersim, receiver.port)
    poll(600)
    until(lambda: reloaded(element).first_full_resync_at, "the first poll")
    states = Equipment.objects.filter(element=element, slot="1", equipment_class="CARD").values_list(
        "oper_state", flat=True
    )
    for fault, state in (("card-out", "PROVISIONED"), ("card-in", "IN_SERVICE"), ("card-fail", "FAILED")):
        routersim.fault(name, fault, slot="1")
        until(lambda state=state: states.get() == state, f"{fault} to show")
    assert set(Trap.objects.filter(element=element).values_list("name", flat=True)) >= {"tmnxEqCardRemoved", "linkDown"}


def test_a_gap_recovers_the_event_of_a_lost_trap(routersim: RoutersimProcess, poll: Poll, receiver: Running) -> None:
    name, element = managed(routersim, receiver.port)
    poll(600)
    until(lambda: reloaded(element).first_full_resync_at, "the first poll")
    routersim.fault(name, "port-down", port="2/1/1")
    until(lambda: reloaded(element).trap_sequence, "the first trap")
    ElementFact.objects.create(element=element, name="Overheated", value="raised", since=clock.now())
    receiver.end()
    routersim.fault(name, "card-fail", slot="1")
    again = Running(receiver.port)
    try:
        routersim.fault(name, "port-up", port="2/1/1")
        states = Equipment.objects.filter(element=element, slot="1", equipment_class="CARD")
        until(lambda: states.get().oper_state == "FAILED", "what was missed")
        until(lambda: reloaded(element).trap_gap_since is None, "the gap to be made up for")
        assert reloaded(element).resync_state == "DONE"
        assert not ElementFact.objects.filter(element=element, name="Overheated").exists(), "it may be over"
    finally:
        again.end()


@needs_notifier
def test_an_inform_without_a_receiver_is_repeated_until_one_starts(receiver: Running) -> None:
    element = element_at("127.0.0.1")
    receiver.end()
    output: list[str] = []
    where = f"127.0.0.1:{receiver.port}"
    sender = threading.Thread(target=lambda: output.append(snmp_commands.notify("-v2c", "-c", "hush", "-Ci", to=where)))
    sender.start()
    again = Running(receiver.port)
    try:
        sender.join(60)
        assert output == [""]
        assert len(traps_of(element, 1)) == 1
    finally:
        again.end()
