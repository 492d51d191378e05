"""Some losses of a batch of notifications are recorded: those that a poll is granted for."""

from collections.abc import Iterable
from uuid import uuid4

import pytest

from vnfm.devices.traps.message import TrapMessage
from vnfm.elements.domain.trap_losses import Loss, LostInterface, LostPeer
from vnfm.elements.domain.traps import POLL_BURST, POLL_MIN_SECONDS, SUBJECT_BURST, Varbinds
from vnfm.elements.traps.classify import TOTAL_POLL_BURST, Batch, Classifier
from vnfm.elements.traps.decode import DecodedTrap
from vnfm.elements.traps.senders import Sender
from vnfm.elements.traps.udp_socket import Datagram
from vnfm.kit import clock

ADDRESS = "192.0.2.250"
RECEIVED_AT = clock.now()
LINK_DOWN, LINK_UP = "1.3.6.1.6.3.1.1.5.3", "1.3.6.1.6.3.1.1.5.4"
OVERHEATED = "1.3.6.1.4.1.6527.3.1.3.2.1.0.2"
BGP_DOWN, BGP_UP = "1.3.6.1.2.1.15.0.2", "1.3.6.1.2.1.15.0.1"


def make_sender(*, managed: bool = True) -> Sender:
    return Sender(uuid4(), "ne", managed, None, "", False, False, False, None)


def notification(sender: Sender, oid: str, varbinds: Varbinds, *others: Sender) -> DecodedTrap:
    message = TrapMessage(False, 1, 100, oid, {**varbinds})
    return DecodedTrap(Datagram(b"", ADDRESS, (ADDRESS, 162), RECEIVED_AT), message, sender, (sender, *others))


def peer(sender: Sender, number: int, *others: Sender, up: bool = False) -> DecodedTrap:
    address, state = f"192.0.2.{number}", 6 if up else 1
    varbinds: Varbinds = {f"1.3.6.1.2.1.15.3.1.7.{address}": address, f"1.3.6.1.2.1.15.3.1.2.{address}": state}
    return notification(sender, BGP_UP if up else BGP_DOWN, varbinds, *others)


def port(sender: Sender, number: int, *, up: bool = False) -> DecodedTrap:
    columns = ((1, number), (7, 1), (8, 1 if up else 2))
    varbinds: Varbinds = {f"1.3.6.1.2.1.2.2.1.{column}.{number}": value for column, value in columns}
    return notification(sender, LINK_UP if up else LINK_DOWN, varbinds)


def classified(classifier: Classifier, traps: Iterable[DecodedTrap], now: float) -> Batch:
    batch = Batch()
    for trap in traps:
        classifier.add(trap, batch, now)
    classifier.finish(batch, now)
    return batch


def losses(batch: Batch, sender: Sender) -> list[Loss]:
    events = batch.events.get(sender.element_id)
    return [loss for loss, _ in events.losses] if events is not None else []


def test_losses_are_recorded_with_the_time_of_their_notification_where_their_poll_is_requested() -> None:
    sender = make_sender()
    batch = classified(Classifier(), [peer(sender, 1), port(sender, 7)], 0)
    events = batch.events[sender.element_id]
    assert events.losses == ((LostPeer("192.0.2.1", "IDLE"), RECEIVED_AT), (LostInterface(7), RECEIVED_AT))
    assert events.parts == {"BGP", "INTERFACES", "EQUIPMENT", "NEIGHBOURS"}


@pytest.mark.parametrize(
    ("order", "lost"),
    [
        ((False, True), []),
        ((True, False), [LostInterface(7)]),
        ((False, True, False), [LostInterface(7)]),
        ((False, True, False, True), []),
    ],
    ids=["up again", "down", "down again", "up at last"],
)
def test_the_last_notification_of_an_object_decides(order: tuple[bool, ...], lost: list[Loss]) -> None:
    sender = make_sender()
    batch = classified(Classifier(), [port(sender, 7, up=up) for up in order], 0)
    assert losses(batch, sender) == lost
    assert batch.events[sender.element_id].parts


def test_another_object_that_comes_up_cancels_nothing() -> None:
    sender = make_sender()
    batch = classified(Classifier(), [peer(sender, 1), peer(sender, 2, up=True), port(sender, 1, up=True)], 0)
    assert losses(batch, sender) == [LostPeer("192.0.2.1", "IDLE")]


def test_a_notification_that_may_be_of_several_elements_records_nothing() -> None:
    chassis, system = make_sender(), make_sender()
    batch = classified(Classifier(), [peer(chassis, 1, system)], 0)
    assert (losses(batch, chassis), losses(batch, system)) == ([], [])
    assert all(batch.events[each.element_id].parts for each in (chassis, system))


def test_an_unmanaged_element_loses_nothing() -> None:
    sender = make_sender(managed=False)
    assert classified(Classifier(), [peer(sender, 1)], 0).events == {}


def test_one_of_many_about_the_same_object_records_nothing() -> None:
    sender, classifier = make_sender(), Classifier()
    found = [losses(classified(classifier, [peer(sender, 1)], now), sender) for now in range(SUBJECT_BURST + 1)]
    assert [len(each) for each in found] == [1] * SUBJECT_BURST + [0]


def test_a_loss_skips_the_pause_within_the_limit_of_its_element() -> None:
    """One poll each for a burst of losses; the next wait for the bucket, as all other polls do."""
    sender, classifier = make_sender(), Classifier()
    step = POLL_MIN_SECONDS / 100
    batches = [classified(classifier, [peer(sender, number)], number * step) for number in range(POLL_BURST + 4)]
    assert [len(losses(batch, sender)) for batch in batches] == [1] * POLL_BURST + [0] * 4
    assert [bool(batch.events.get(sender.element_id)) for batch in batches[-4:]] == [False] * 4
    later = classified(classifier, [], 60)
    assert later.events[sender.element_id].parts == {"BGP"}
    assert losses(later, sender) == [], "a poll finds it by now"


def test_a_fact_is_raised_without_the_loss_whose_poll_has_to_wait() -> None:
    sender, classifier = make_sender(), Classifier()
    for number in range(POLL_BURST):
        classified(classifier, [peer(sender, number)], 0)
    batch = classified(classifier, [peer(sender, 99), notification(sender, OVERHEATED, {})], 0)
    events = batch.events[sender.element_id]
    assert (events.parts, events.losses, len(events.fact_changes)) == (frozenset(), (), 1)


def test_what_is_no_loss_waits_for_the_pause() -> None:
    sender, classifier = make_sender(), Classifier()
    assert classified(classifier, [port(sender, 1)], 0).events[sender.element_id].parts
    soon = POLL_MIN_SECONDS / 2
    assert sender.element_id not in classified(classifier, [port(sender, 2, up=True)], soon).events
    assert classified(classifier, [], POLL_MIN_SECONDS).events[sender.element_id].parts


def test_losses_of_many_elements_keep_to_the_limit_of_all() -> None:
    senders, classifier = [make_sender() for _ in range(TOTAL_POLL_BURST + 20)], Classifier()
    batch = classified(classifier, [peer(sender, 1) for sender in senders], 0)
    assert sum(bool(losses(batch, sender)) for sender in senders) == TOTAL_POLL_BURST
    assert sum(bool(events.parts) for events in batch.events.values()) == TOTAL_POLL_BURST
    assert classifier.polls_pending
