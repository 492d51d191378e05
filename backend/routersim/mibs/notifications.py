"""Notifications by family and condition: sent when the condition begins, and when it ends.

SR OS: TIMETRA-CHASSIS-MIB, TIMETRA-SYSTEM-MIB, TIMETRA-BGP-MIB. VRP: HUAWEI-ENTITY-TRAP-MIB, HUAWEI-BASE-TRAP-MIB.
Both: SNMPv2-MIB, IF-MIB. Nothing is sent for a condition without a known notification, such as a licence that is valid
again, or a fan of an NE9000.
"""

from __future__ import annotations

from collections.abc import Callable

from routersim.mibs.huawei import BFD, CONFIG_MAN, HUAWEI, board_index, board_name
from routersim.mibs.standard import bfd_state, dotted, interface_variables, peer_variables
from routersim.mibs.timetra import BFD_ENTRY, bfd_index, peer_ng_variables
from routersim.mibs.timetra_chassis import (
    CPM_CLASS,
    HW,
    HW_ENTRY,
    card_index,
    hardware,
)
from routersim.model.conditions import Condition
from routersim.model.element import Element
from routersim.model.parts import Card, Peer, Port
from routersim.snmp.ber import Oid, Tag
from routersim.snmp.notify import Notification, Variable

BuildNotification = Callable[[Element, Condition], Notification]
"""Builds the notification of a condition."""

SNMP_TRAPS: Oid = (1, 3, 6, 1, 6, 3, 1, 1, 5)
CHASSIS_NOTIFY: Oid = (1, 3, 6, 1, 4, 1, 6527, 3, 1, 3, 2, 1, 0)
SYSTEM_NOTIFY: Oid = (1, 3, 6, 1, 4, 1, 6527, 3, 1, 3, 1, 0)
VRTR_NOTIFY: Oid = (1, 3, 6, 1, 4, 1, 6527, 3, 1, 3, 3, 0)
BGP_NOTIFY: Oid = (1, 3, 6, 1, 4, 1, 6527, 3, 1, 3, 14, 0)
NOTIFY_OBJECTS: Oid = (*HW, 6)
BOARD_NOTIFY: Oid = (*HUAWEI, 219, 2, 2)
BASE_TRAP: Oid = (*HUAWEI, 129)
LINE_BOARD, CONTROL_BOARD = 1, 2
LACK_OF_RESOURCES, EQUIPMENT_ALARM = 3, 5
MAJOR, CLEARED = 4, 1
"""Values of hwBaseTrapSeverity, which has the numbers of ItuPerceivedSeverity."""

COLD_START = Notification((*SNMP_TRAPS, 1))


def _hardware_variables(element: Element, condition: Condition) -> tuple[Variable, ...]:
    """tmnxChassisNotifyHwIndex, tmnxHwID and tmnxHwClass."""
    hw = next(hw for hw in hardware(element) if hw.part is condition.subject)
    return (
        ((*NOTIFY_OBJECTS, 4, 0), Tag.INTEGER, hw.index),
        ((*HW_ENTRY, 2, 1, hw.index), Tag.OID, hw.row),
        ((*HW_ENTRY, 7, 1, hw.index), Tag.INTEGER, hw.hw_class),
    )


def _chassis(number: int, *further: Callable[[Element, Condition], Variable]) -> BuildNotification:
    def build(element: Element, condition: Condition) -> Notification:
        variables = _hardware_variables(element, condition)
        return Notification(
            (*CHASSIS_NOTIFY, number), (*variables, *(variable(element, condition) for variable in further))
        )

    return build


def _card_name(element: Element, condition: Condition) -> Variable:
    return (*NOTIFY_OBJECTS, 11, 0), Tag.OCTETS, getattr(condition.subject, "type", "")


def _oper_state(element: Element, condition: Condition) -> Variable:
    """tmnxHwOperState: failed."""
    index = next(hw.index for hw in hardware(element) if hw.part is condition.subject)
    return (*HW_ENTRY, 16, 1, index), Tag.INTEGER, 5


def _reason(element: Element, condition: Condition) -> Variable:
    return (*NOTIFY_OBJECTS, 10, 0), Tag.OCTETS, condition.text


def _cleared(number: int) -> BuildNotification:
    """tmnxChassisNotificationClear of another notification."""
    return _chassis(25, lambda *_: ((*NOTIFY_OBJECTS, 6, 0), Tag.OID, (*CHASSIS_NOTIFY, number)))


def _link(number: int) -> BuildNotification:
    def build(element: Element, condition: Condition) -> Notification:
        assert isinstance(condition.subject, Port)
        return Notification((*SNMP_TRAPS, number), interface_variables(condition.subject))

    return build


def _peer_ng(number: int) -> BuildNotification:
    def build(element: Element, condition: Condition) -> Notification:
        assert isinstance(condition.subject, Peer)
        return Notification((*BGP_NOTIFY, number), peer_ng_variables(condition.subject))

    return build


def _peer(number: int) -> BuildNotification:
    """bgpEstablishedNotification 1, bgpBackwardTransNotification 2 (RFC 4273)."""

    def build(element: Element, condition: Condition) -> Notification:
        assert isinstance(condition.subject, Peer)
        return Notification((1, 3, 6, 1, 2, 1, 15, 0, number), peer_variables(condition.subject))

    return build


def _license(element: Element, condition: Condition) -> Notification:
    """tmnxSysLicenseInvalid: reason, minutes until the system reboots, action."""
    objects: Oid = (1, 3, 6, 1, 4, 1, 6527, 3, 1, 2, 1, 7)
    variables: tuple[Variable, ...] = (
        ((*objects, 27, 0), Tag.OCTETS, condition.text),
        ((*objects, 28, 0), Tag.GAUGE32, 60),
        ((*objects, 32, 0), Tag.OCTETS, "the system will reboot"),
    )
    return Notification((*SYSTEM_NOTIFY, 59), variables)


def _board(number: int) -> BuildNotification:
    """hwBoardRemove 1, hwBoardInsert 2, hwBoardFail 3, hwBoardFailResume 4."""

    def build(element: Element, condition: Condition) -> Notification:
        card = condition.subject
        assert isinstance(card, Card)
        objects: Oid = (*HUAWEI, 219, 1)
        index = board_index(card)
        variables: tuple[Variable, ...] = (
            ((*objects, 1, index), Tag.INTEGER, index),
            ((1, 3, 6, 1, 2, 1, 47, 1, 1, 1, 1, 7, index), Tag.OCTETS, board_name(card)),
            ((*objects, 2, index), Tag.INTEGER, CONTROL_BOARD if card.role == "control" else LINE_BOARD),
            ((*objects, 3, index), Tag.INTEGER, 0),
        )
        return Notification((*BOARD_NOTIFY, number), variables)

    return build


def _fib(number: int, severity: int) -> BuildNotification:
    """hwFIBOverloadSuspend 1, hwFIBOverloadSusResume 2."""

    def build(element: Element, condition: Condition) -> Notification:
        card = condition.subject
        assert isinstance(card, Card)
        index = board_index(card)
        variables: tuple[Variable, ...] = (
            ((*BASE_TRAP, 1, 1, 0), Tag.INTEGER, severity),
            ((*BASE_TRAP, 1, 2, 0), Tag.INTEGER, LACK_OF_RESOURCES),
            ((*BASE_TRAP, 1, 3, 0), Tag.INTEGER, EQUIPMENT_ALARM),
            ((*BASE_TRAP, 1, 8, 0), Tag.INTEGER, 1),
            ((1, 3, 6, 1, 2, 1, 47, 1, 1, 1, 1, 7, index), Tag.OCTETS, board_name(card)),
        )
        return Notification((*BASE_TRAP, 2, 9, number), variables)

    return build


def _bfd_sros(number: int) -> BuildNotification:
    """tmnxVRtrBfdSessionDown 17, tmnxVRtrBfdSessionUp 28; of their objects, the state of the session's row."""

    def build(element: Element, condition: Condition) -> Notification:
        port = condition.subject
        assert isinstance(port, Port)
        row = (*BFD_ENTRY, 6, *bfd_index(element, port))
        return Notification((*VRTR_NOTIFY, number), ((row, Tag.INTEGER, bfd_state(port)),))

    return build


def _bfd_vrp(number: int) -> BuildNotification:
    """hwBfdSessDown 1, hwBfdSessUp 2; of their objects, peer and interface."""

    def build(_element: Element, condition: Condition) -> Notification:
        port = condition.subject
        assert isinstance(port, Port)
        row: Oid = (*BFD, 2, 3, 1)
        variables: tuple[Variable, ...] = (
            ((*row, 5, port.index), Tag.IP_ADDRESS, bytes(dotted(port.far_address))),
            ((*row, 6, port.index), Tag.INTEGER, port.index),
            ((*row, 7, port.index), Tag.OCTETS, port.name),
        )
        return Notification((*BFD, 3, number), variables)

    return build


_LINK: dict[str, tuple[BuildNotification | None, BuildNotification | None]] = {"port-down": (_link(3), _link(4))}
NOTIFICATIONS: dict[str, dict[str, tuple[BuildNotification | None, BuildNotification | None]]] = {
    "sros": {
        "card-removed": (_chassis(9, _card_name), _chassis(8, _card_name)),
        "card-failed": (_chassis(7, _oper_state, _reason), _cleared(7)),
        "mda-removed": (_chassis(9, _card_name), _chassis(8, _card_name)),
        "mda-failed": (_chassis(7, _oper_state, _reason), _cleared(7)),
        "bgp-lost": (_peer_ng(8), _peer_ng(7)),
        "fan-failed": (_chassis(6), _cleared(6)),
        "power-failed": (_chassis(3), _cleared(3)),
        "license-invalid": (_license, None),
        "bfd-down": (_bfd_sros(17), _bfd_sros(28)),
        **_LINK,
    },
    "vrp": {
        "card-removed": (_board(1), _board(2)),
        "card-failed": (_board(3), _board(4)),
        "bgp-lost": (_peer(2), _peer(1)),
        "fib-overload": (_fib(1, MAJOR), _fib(2, CLEARED)),
        "bfd-down": (_bfd_vrp(1), _bfd_vrp(2)),
        **_LINK,
    },
}
"""The notifications for the begin and the end of a condition, by family and condition; None sends nothing."""


def switchover_notifications(element: Element, *, failed: Card | None) -> list[Notification]:
    """SR OS: tmnxRedPrimaryCPMFail for a failed active control card, and ssiRedSwitchover from the new one."""
    notifications = []
    if failed is not None:
        index = card_index(element, failed)
        variables: tuple[Variable, ...] = (
            ((*NOTIFY_OBJECTS, 4, 0), Tag.INTEGER, index),
            ((*HW_ENTRY, 7, 1, index), Tag.INTEGER, CPM_CLASS),
        )
        notifications.append(Notification((*CHASSIS_NOTIFY, 21), variables))
    notifications.append(Notification((*SYSTEM_NOTIFY, 27)))
    return notifications


def link_flap(element: Element, number: int) -> Notification:
    """Return linkDown or linkUp, in turn for one port after the other, without a fault, as load for a receiver."""
    ports = [port for _, _, port in element.ports()]
    variables = interface_variables(ports[number // 2 % len(ports)]) if ports else ()
    return Notification((*SNMP_TRAPS, 3 + number % 2), variables)


CONFIGURATION_CHANGED: dict[str, Notification] = {
    "sros": Notification((*SYSTEM_NOTIFY, 8)),
    "vrp": Notification((*CONFIG_MAN, 2, 1)),
}
"""The notification of a changed configuration by family: tmnxConfigModify, hwCfgManEventlog."""
STANDBY_READY = Notification((*SYSTEM_NOTIFY, 25))
"""The notification ssiRedStandbyReady."""
