"""Known notifications: name, parts of the element to poll, and the fact that it raises or clears.

A notification says which parts to poll (and three of them what is down: `trap_losses`). Only what none of the polled
tables shows becomes a fact, from the notification that raises it until the one that clears it.
Sources: SNMPv2-MIB, IF-MIB, ENTITY-MIB, BGP4-MIB, BGP4V2-MIB, BFD-STD-MIB, OSPF-TRAP-MIB, LLDP-MIB; TIMETRA-CHASSIS,
-SYSTEM, -LOG, -PORT, -BGP and -VRTR-MIB; HUAWEI-ENTITY-TRAP-MIB, -BASE-TRAP-MIB, -CONFIG-MAN-MIB (domain facts, 4.1,
4.2 and 6.3).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from vnfm.elements.domain.parts import PARTS, Part
from vnfm.elements.domain.sros_notifications import SROS_NOTIFICATIONS


@dataclass(frozen=True, slots=True)
class TrapFact:
    """Something that no polled table shows. `name` is the fault type."""

    name: str
    raised: bool | None
    """False: cleared. None: the notification's first value is a TruthValue (RFC 2579) that says which."""
    subject: str = ""
    """Object whose value names the part; "" where the instance of the first object does."""
    in_alarm_list: bool = True
    """Elements that list their active alarms (`Driver.lists_alarms`) show it there, and that list is polled."""


@dataclass(frozen=True, slots=True)
class TrapDefinition:
    """A notification type."""

    oid: str
    name: str
    parts: tuple[Part, ...] = ()
    fact: TrapFact | None = None
    restarted: bool = False
    """The element restarted, and so did its numbering of notifications."""
    lost: bool = False
    """The element reports that it dropped notifications: all parts are polled."""


_EQUIPMENT: tuple[Part, ...] = ("EQUIPMENT", "FACTS")
_LINK: tuple[Part, ...] = ("INTERFACES", "EQUIPMENT", "NEIGHBOURS")
_BGP: tuple[Part, ...] = ("BGP",)
_NEIGHBOURS: tuple[Part, ...] = ("NEIGHBOURS",)
_FACTS: tuple[Part, ...] = ("FACTS",)

_SNMP, _BGP4 = "1.3.6.1.6.3.1.1.5", "1.3.6.1.2.1.15"
_TIMETRA = "1.3.6.1.4.1.6527.3.1.3"
_SYSTEM, _CHASSIS, _PORT = f"{_TIMETRA}.1.0", f"{_TIMETRA}.2.1.0", f"{_TIMETRA}.2.2.0"
_VRTR, _LOG, _NG = f"{_TIMETRA}.3.0", f"{_TIMETRA}.12.0", f"{_TIMETRA}.14.0"
_HUAWEI = "1.3.6.1.4.1.2011.5.25"
_BOARD, _FIB, _RESOURCE = f"{_HUAWEI}.219.2.2", f"{_HUAWEI}.129.2.9", f"{_HUAWEI}.227.2.1"
_ENT_NAME = "1.3.6.1.2.1.47.1.1.1.1.7"
"""entPhysicalName."""


def _fib(raised: bool) -> TrapFact:
    return TrapFact("FibOverload", raised, _ENT_NAME)


_ROWS: tuple[TrapDefinition, ...] = (
    TrapDefinition(f"{_SNMP}.1", "coldStart", PARTS, restarted=True),
    TrapDefinition(f"{_SNMP}.2", "warmStart", PARTS, restarted=True),
    TrapDefinition(f"{_SNMP}.3", "linkDown", _LINK),
    TrapDefinition(f"{_SNMP}.4", "linkUp", _LINK),
    TrapDefinition(f"{_SNMP}.5", "authenticationFailure"),
    TrapDefinition("1.3.6.1.2.1.47.2.0.1", "entConfigChange", _EQUIPMENT),
    TrapDefinition(f"{_BGP4}.0.1", "bgpEstablishedNotification", _BGP),
    TrapDefinition(f"{_BGP4}.0.2", "bgpBackwardTransNotification", _BGP),
    TrapDefinition(f"{_BGP4}.7.1", "bgpEstablished", _BGP),
    TrapDefinition(f"{_BGP4}.7.2", "bgpBackwardTransition", _BGP),
    *(
        TrapDefinition(f"1.3.6.1.4.1.6527.3.1.3.3.0.{number}", name, _NEIGHBOURS)
        for number, name in (
            (17, "tmnxVRtrBfdSessionDown"),
            (28, "tmnxVRtrBfdSessionUp"),
            (33, "tmnxVRtrBfdSessionDeleted"),
            (61, "tmnxVRtrBfdSessExtDown"),
            (62, "tmnxVRtrBfdSessExtUp"),
            (63, "tmnxVRtrBfdSessExtDeleted"),
        )
    ),
    TrapDefinition("1.3.6.1.4.1.2011.5.25.38.3.1", "hwBfdSessDown", _NEIGHBOURS),
    TrapDefinition("1.3.6.1.4.1.2011.5.25.38.3.2", "hwBfdSessUp", _NEIGHBOURS),
    TrapDefinition("1.3.6.1.3.5.1.0.1", "bgp4V2EstablishedNotification", _BGP),
    TrapDefinition("1.3.6.1.3.5.1.0.2", "bgp4V2BackwardTransitionNotification", _BGP),
    TrapDefinition("1.3.6.1.2.1.222.0.1", "bfdSessUp", _NEIGHBOURS),
    TrapDefinition("1.3.6.1.2.1.222.0.2", "bfdSessDown", _NEIGHBOURS),
    TrapDefinition("1.3.6.1.2.1.14.16.2.2", "ospfNbrStateChange", _NEIGHBOURS),
    TrapDefinition("1.0.8802.1.1.2.0.0.1", "lldpRemTablesChange", _NEIGHBOURS),
    TrapDefinition(f"{_CHASSIS}.2", "tmnxEnvTempTooHigh", _EQUIPMENT, TrapFact("Overheated", True)),
    TrapDefinition(f"{_CHASSIS}.3", "tmnxEqPowerSupplyFailure", _EQUIPMENT),
    TrapDefinition(f"{_CHASSIS}.6", "tmnxEqFanFailure", _EQUIPMENT),
    TrapDefinition(f"{_CHASSIS}.7", "tmnxEqCardFailure", _EQUIPMENT),
    TrapDefinition(f"{_CHASSIS}.8", "tmnxEqCardInserted", _EQUIPMENT),
    TrapDefinition(f"{_CHASSIS}.9", "tmnxEqCardRemoved", _EQUIPMENT),
    TrapDefinition(f"{_CHASSIS}.10", "tmnxEqWrongCard", _EQUIPMENT, TrapFact("WrongCard", True)),
    TrapDefinition(f"{_CHASSIS}.17", "tmnxPeOutOfMemory", _FACTS, TrapFact("OutOfMemory", True)),
    TrapDefinition(f"{_CHASSIS}.21", "tmnxRedPrimaryCPMFail", _EQUIPMENT),
    TrapDefinition(f"{_CHASSIS}.25", "tmnxChassisNotificationClear", _EQUIPMENT),
    TrapDefinition(f"{_SYSTEM}.8", "tmnxConfigModify"),
    TrapDefinition(f"{_SYSTEM}.9", "tmnxConfigCreate"),
    TrapDefinition(f"{_SYSTEM}.10", "tmnxConfigDelete"),
    TrapDefinition(f"{_SYSTEM}.13", "tmnxTrapDropped", PARTS, lost=True),
    TrapDefinition(f"{_SYSTEM}.25", "ssiRedStandbyReady", _EQUIPMENT),
    TrapDefinition(f"{_SYSTEM}.27", "ssiRedSwitchover", _EQUIPMENT),
    TrapDefinition(f"{_SYSTEM}.59", "tmnxSysLicenseInvalid", _FACTS, TrapFact("LicenceInvalid", True)),
    TrapDefinition(f"{_SYSTEM}.60", "tmnxSysLicenseExpiresSoon", _FACTS, TrapFact("LicenceExpiring", True)),
    TrapDefinition(f"{_LOG}.8", "tmnxLogEventThrottled", PARTS, lost=True),
    TrapDefinition(f"{_PORT}.14", "tmnxEqPortError", _LINK),
    TrapDefinition(f"{_NG}.7", "tBgpNgEstablished", _BGP),
    TrapDefinition(f"{_NG}.8", "tBgpNgBackwardTransition", _BGP),
    TrapDefinition(f"{_NG}.20", "tBgpMaxNgPfxLmt", _BGP),
    TrapDefinition(f"{_NG}.21", "tBgpMaxNgPfxLmtThresholdReached", _BGP),
    TrapDefinition(f"{_VRTR}.2", "tmnxVRtrHighRouteTCA", (), TrapFact("RoutesNearLimit", True, in_alarm_list=False)),
    TrapDefinition(
        f"{_VRTR}.3", "tmnxVRtrHighRouteCleared", (), TrapFact("RoutesNearLimit", False, in_alarm_list=False)
    ),
    TrapDefinition(f"{_VRTR}.11", "tmnxVRtrMaxRoutes", (), TrapFact("RoutesNearLimit", True, in_alarm_list=False)),
    TrapDefinition(
        f"{_VRTR}.30", "tmnxVRtrIPv6HighRouteTCA", (), TrapFact("RoutesNearLimit", True, in_alarm_list=False)
    ),
    TrapDefinition(
        f"{_VRTR}.31", "tmnxVRtrIPv6HighRouteCleared", (), TrapFact("RoutesNearLimit", False, in_alarm_list=False)
    ),
    TrapDefinition(
        f"{_VRTR}.36", "tmnxVRtrFibOccupancyThreshold", (), TrapFact("RoutesNearLimit", None, in_alarm_list=False)
    ),
    TrapDefinition("1.3.6.1.4.1.2011.6.10.2.1", "hwCfgManEventlog", _FACTS),
    TrapDefinition(f"{_BOARD}.1", "hwBoardRemove", _EQUIPMENT),
    TrapDefinition(f"{_BOARD}.2", "hwBoardInsert", _EQUIPMENT),
    TrapDefinition(f"{_BOARD}.3", "hwBoardFail", _EQUIPMENT),
    TrapDefinition(f"{_BOARD}.4", "hwBoardFailResume", _EQUIPMENT),
    TrapDefinition(f"{_BOARD}.5", "hwBoardInvalid", _EQUIPMENT),
    TrapDefinition(f"{_BOARD}.6", "hwBoardInvalidResume", _EQUIPMENT),
    TrapDefinition(f"{_BOARD}.7", "hwBoardLeaveMaster", _EQUIPMENT),
    TrapDefinition(f"{_BOARD}.8", "hwBoardBecomeMaster", _EQUIPMENT),
    TrapDefinition(f"{_FIB}.1", "hwFIBOverloadSuspend", _FACTS, _fib(True)),
    TrapDefinition(f"{_FIB}.2", "hwFIBOverloadSusResume", _FACTS, _fib(False)),
    TrapDefinition(f"{_FIB}.3", "hwFIBOverloadForward", _FACTS, _fib(True)),
    TrapDefinition(f"{_FIB}.4", "hwFIBOverloadFwResume", _FACTS, _fib(False)),
    TrapDefinition(f"{_RESOURCE}.1", "hwWholeFwdResLack", _FACTS, TrapFact("FibOverload", True)),
    TrapDefinition(f"{_RESOURCE}.45", "hwBoardL3FIBResLack", _FACTS, _fib(True)),
)

CATALOGUE: Mapping[str, TrapDefinition] = {
    **{oid: TrapDefinition(oid, name) for oid, name in SROS_NOTIFICATIONS.items()},
    **{row.oid: row for row in _ROWS},
}
"""The keys are OIDs. SR OS sends hundreds of which we know the name only: they change no state that is read here."""

_DOWN_AND_UP = (
    (f"{_SNMP}.3", f"{_SNMP}.4"),
    (f"{_BGP4}.0.2", f"{_BGP4}.0.1"),
    (f"{_BGP4}.7.2", f"{_BGP4}.7.1"),
    ("1.3.6.1.3.5.1.0.2", "1.3.6.1.3.5.1.0.1"),
    (f"{_NG}.8", f"{_NG}.7"),
    ("1.3.6.1.2.1.222.0.2", "1.3.6.1.2.1.222.0.1"),
    (f"{_VRTR}.17", f"{_VRTR}.28"),
    (f"{_VRTR}.61", f"{_VRTR}.62"),
    (f"{_HUAWEI}.38.3.1", f"{_HUAWEI}.38.3.2"),
)
OPPOSITES: Mapping[str, str] = {one: other for down, up in _DOWN_AND_UP for one, other in ((down, up), (up, down))}
"""Notifications that an object went down, or up, to the one of the contrary: both name the same object first."""
