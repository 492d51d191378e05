"""Objects that notifications carry, by OID: the names of their MIBs, and their values in words.

Sources: SNMPv2-MIB, IF-MIB, ENTITY-MIB, BGP4-MIB, OSPF-MIB, BFD-STD-MIB (RFC 7331), LLDP-MIB, SNMP-COMMUNITY-MIB;
TIMETRA-CHASSIS, -SYSTEM, -LOG, -PORT, -BGP and -VRTR-MIB; HUAWEI-ENTITY-TRAP-MIB, -ENTITY-EXTENT-MIB, -BASE-TRAP-MIB,
-CONFIG-MAN-MIB and -BFD-MIB.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from vnfm.elements.domain.drivers.bgp_errors import error_name
from vnfm.elements.domain.trap_catalogue import CATALOGUE

BindingValue = int | str | None
"""A value as `TrapMessage` has it: octets that are not text are "0x…"."""

_OID_ROOT = "1.3.6.1."
_ERROR_OCTETS = 2


def _plain(value: BindingValue) -> str:
    return "" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class MibObject:
    """An OBJECT-TYPE."""

    name: str
    text: Callable[[BindingValue], str] = _plain


def _octets(value: BindingValue) -> bytes | None:
    """Return None for anything but hexadecimal octets."""
    try:
        return bytes.fromhex(value[2:]) if isinstance(value, str) and value.startswith("0x") else None
    except ValueError:
        return None


def _enum(labels: str) -> Callable[[BindingValue], str]:
    """Name the values of an enumerated INTEGER by its labels: "1:up 2:down"."""
    words = {int(number): label for number, label in (each.split(":") for each in labels.split())}
    return lambda value: words.get(value, str(value)) if isinstance(value, int) else _plain(value)


def _bits(labels: str) -> Callable[[BindingValue], str]:
    """The bits that are set, of BITS (RFC 2578, 7.1.4): the first is the highest of the first octet."""

    def text(value: BindingValue) -> str:
        octets = _octets(value)
        if octets is None:
            return _plain(value)
        mask = "".join(f"{octet:08b}" for octet in octets)
        return ", ".join(label for label, bit in zip(labels.split(), mask, strict=False) if bit == "1") or "none"

    return text


def _bgp_error(value: BindingValue) -> str:
    """Code and subcode of bgpPeerLastError."""
    octets = _octets(value)
    return (error_name(*octets) or "none") if octets and len(octets) == _ERROR_OCTETS else _plain(value)


_UP_DOWN = _enum("1:up 2:down 3:testing")
_OPER = _enum("1:up 2:down 3:testing 4:unknown 5:dormant 6:notPresent 7:lowerLayerDown")
_BGP_STATE = _enum("1:idle 2:connect 3:active 4:opensent 5:openconfirm 6:established")
_OSPF_STATE = _enum("1:down 2:attempt 3:init 4:twoWay 5:exchangeStart 6:exchange 7:loading 8:full")
_TRUTH = _enum("1:true 2:false")
_BFD_STATE = _enum("0:adminDown 1:down 2:init 3:up")
_BFD_STATE_STD = _enum("1:adminDown 2:down 3:init 4:up 5:failing")
_BFD_DIAG = _enum(
    "0:noDiagnostic 1:controlDetectionTimeExpired 2:echoFunctionFailed 3:neighborSignaledSessionDown "
    "4:forwardingPlaneReset 5:pathDown 6:concatenatedPathDown 7:administrativelyDown "
    "8:reverseConcatenatedPathDown"
)
"""RFC 5880, 4.1."""
_BFD_FLAGS = _bits(
    "noProtocols noHeartBeat echoFailed nbrSignalDown fwdPlaneReset pathDown nbrAdminDown adminClear misConnDefect"
)
"""TmnxBfdSessOperFlags."""
_HW_CLASS = _enum(
    "1:other 2:unknown 3:physChassis 4:container 5:powerSupply 6:fan 7:sensor 8:ioModule 9:cpmModule "
    "10:fabricModule 11:mdaModule 12:flashDiskModule 13:port 15:ccm 19:alarmInputModule 20:pcm "
    "21:powerShelf 22:powerShelfController 23:cpmCarrier 24:xioModule"
)
_HW_OPER = _enum(
    "1:unknown 2:inService 3:outOfService 4:diagnosing 5:failed 6:booting 7:empty 8:provisioned "
    "9:unprovisioned 10:upgrade 11:downgrade 12:inServiceUpgrade 13:inServiceDowngrade 14:resetPending "
    "15:softReset 16:preExtension 17:downloading"
)
_DEVICE = _enum(
    "1:deviceStateUnknown 2:deviceNotEquipped 3:deviceStateOk 4:deviceStateFailed "
    "5:deviceStateOutOfService 6:deviceNotProvisioned 7:deviceNotApplicable"
)
_IN_SERVICE = _enum("1:noop 2:inService 3:outOfService 4:diagnose 5:operateSwitch")
_PORT_OPER = _enum("1:unknown 2:inService 3:outOfService 4:diagnosing 5:failed")
_PORT_STATE = _enum("1:none 2:ghost 3:linkDown 4:linkUp 5:up 6:diagnose")
_PORT_ERROR = _enum("1:txClockError 2:rxClockError 3:txFifoError 4:laserError 5:miscError")
_SEVERITY = _enum("1:cleared 2:indeterminate 3:critical 4:major 5:minor 6:warning")
_EVENT_TYPE = _enum(
    "1:other 2:communicationsAlarm 3:qualityOfServiceAlarm 4:processingErrorAlarm 5:equipmentAlarm 6:environmentalAlarm"
)
_VRP_OPER = _enum(
    "1:notSupported 2:disabled 3:enabled 4:offline 11:up 12:down 13:connect 15:protocolUp 16:linkUp "
    "17:linkDown 18:present 19:absent"
)
_VRP_BOARD = _enum("1:mpu 2:lpu 3:sfu 4:pic 5:cfcard 6:ofc")
_VRP_SOURCE = _enum("1:cmdLine 2:snmp 3:netconf 4:other")
_VRP_DATA = "2:runningData 3:commandSource 4:startupData 5:local 6:netFtp 7:hotPlugging"
_IP_VERSION = _enum("0:ipv4 1:ipv6")

_MIB_2, _MODULES = "1.3.6.1.2.1", "1.3.6.1.6.3"
_IF, _IFX, _ENT = f"{_MIB_2}.2.2.1", f"{_MIB_2}.31.1.1.1", f"{_MIB_2}.47.1.1.1.1"
_BGP, _OSPF, _BFD, _LLDP = f"{_MIB_2}.15.3.1", f"{_MIB_2}.14", f"{_MIB_2}.222.1.2.1", "1.0.8802.1.1.2.1.2"
_TIMETRA = "1.3.6.1.4.1.6527.3.1.2"
_HW, _CHASSIS, _PORT = f"{_TIMETRA}.2.1.8.1", f"{_TIMETRA}.2.6", f"{_TIMETRA}.2.4.2.1"
_POWER, _FAN, _SYSTEM = f"{_TIMETRA}.2.1.5.1", f"{_TIMETRA}.2.1.4.1", f"{_TIMETRA}.1"
_PEER, _VRTR, _BFD_SROS = f"{_TIMETRA}.14.4", f"{_TIMETRA}.3", f"{_TIMETRA}.3.34.1"
_HUAWEI, _CONFIG_LOG = "1.3.6.1.4.1.2011.5.25", "1.3.6.1.4.1.2011.6.10.1.1.7.1"
_BFD_VRP, _BOARD, _BASE_TRAP = f"{_HUAWEI}.38.2.3.1", f"{_HUAWEI}.219.1", f"{_HUAWEI}.129.1"

OBJECTS: Mapping[str, MibObject] = {
    f"{_MIB_2}.1.1": MibObject("sysDescr"),
    f"{_MIB_2}.1.2": MibObject("sysObjectID"),
    f"{_MIB_2}.1.3": MibObject("sysUpTime"),
    f"{_MIB_2}.1.5": MibObject("sysName"),
    f"{_MIB_2}.1.6": MibObject("sysLocation"),
    f"{_MODULES}.1.1.4.1": MibObject("snmpTrapOID"),
    f"{_MODULES}.1.1.4.3": MibObject("snmpTrapEnterprise"),
    f"{_MODULES}.18.1.3": MibObject("snmpTrapAddress"),
    f"{_MODULES}.18.1.4": MibObject("snmpTrapCommunity"),
    f"{_IF}.1": MibObject("ifIndex"),
    f"{_IF}.2": MibObject("ifDescr"),
    f"{_IF}.3": MibObject("ifType"),
    f"{_IF}.4": MibObject("ifMtu"),
    f"{_IF}.5": MibObject("ifSpeed"),
    f"{_IF}.6": MibObject("ifPhysAddress"),
    f"{_IF}.7": MibObject("ifAdminStatus", _UP_DOWN),
    f"{_IF}.8": MibObject("ifOperStatus", _OPER),
    f"{_IF}.9": MibObject("ifLastChange"),
    f"{_IFX}.1": MibObject("ifName"),
    f"{_IFX}.18": MibObject("ifAlias"),
    f"{_ENT}.2": MibObject("entPhysicalDescr"),
    f"{_ENT}.5": MibObject("entPhysicalClass"),
    f"{_ENT}.7": MibObject("entPhysicalName"),
    f"{_BGP}.2": MibObject("bgpPeerState", _BGP_STATE),
    f"{_BGP}.7": MibObject("bgpPeerRemoteAddr"),
    f"{_BGP}.9": MibObject("bgpPeerRemoteAs"),
    f"{_BGP}.14": MibObject("bgpPeerLastError", _bgp_error),
    f"{_OSPF}.1.1": MibObject("ospfRouterId"),
    f"{_OSPF}.10.1.1": MibObject("ospfNbrIpAddr"),
    f"{_OSPF}.10.1.2": MibObject("ospfNbrAddressLessIndex"),
    f"{_OSPF}.10.1.3": MibObject("ospfNbrRtrId"),
    f"{_OSPF}.10.1.6": MibObject("ospfNbrState", _OSPF_STATE),
    f"{_BFD}.11": MibObject("bfdSessState", _BFD_STATE_STD),
    f"{_BFD}.13": MibObject("bfdSessDiag", _BFD_DIAG),
    f"{_BFD}.18": MibObject("bfdSessInterface"),
    f"{_LLDP}.2": MibObject("lldpStatsRemTablesInserts"),
    f"{_LLDP}.3": MibObject("lldpStatsRemTablesDeletes"),
    f"{_LLDP}.4": MibObject("lldpStatsRemTablesDrops"),
    f"{_LLDP}.5": MibObject("lldpStatsRemTablesAgeouts"),
    f"{_CHASSIS}.4": MibObject("tmnxChassisNotifyHwIndex"),
    f"{_CHASSIS}.6": MibObject("tmnxChassisNotifyOID"),
    f"{_CHASSIS}.10": MibObject("tmnxChassisNotifyCardFailureReason"),
    f"{_CHASSIS}.11": MibObject("tmnxChassisNotifyCardName"),
    f"{_HW}.2": MibObject("tmnxHwID"),
    f"{_HW}.7": MibObject("tmnxHwClass", _HW_CLASS),
    f"{_HW}.8": MibObject("tmnxHwName"),
    f"{_HW}.15": MibObject("tmnxHwAdminState", _IN_SERVICE),
    f"{_HW}.16": MibObject("tmnxHwOperState", _HW_OPER),
    f"{_HW}.18": MibObject("tmnxHwTemperature"),
    f"{_HW}.19": MibObject("tmnxHwTempThreshold"),
    f"{_POWER}.2": MibObject("tmnxChassisPowerSupplyACStatus", _DEVICE),
    f"{_POWER}.3": MibObject("tmnxChassisPowerSupplyDCStatus", _DEVICE),
    f"{_POWER}.4": MibObject("tmnxChassisPowerSupplyTempStatus", _DEVICE),
    f"{_POWER}.5": MibObject("tmnxChassisPowerSupplyTempThreshold"),
    f"{_POWER}.6": MibObject("tmnxChassisPowerSupply1Status", _DEVICE),
    f"{_POWER}.7": MibObject("tmnxChassisPowerSupply2Status", _DEVICE),
    f"{_POWER}.9": MibObject("tmnxChassisPowerSupplyInputStatus", _DEVICE),
    f"{_POWER}.10": MibObject("tmnxChassisPowerSupplyOutputStatus", _DEVICE),
    f"{_FAN}.2": MibObject("tmnxChassisFanOperStatus", _DEVICE),
    f"{_FAN}.6": MibObject("tmnxChassisFanSpeedPercent"),
    f"{_TIMETRA}.2.7.1": MibObject("tmnxPortNotifyPortId"),
    f"{_TIMETRA}.2.7.4": MibObject("tmnxPortNotifyError", _PORT_ERROR),
    f"{_PORT}.6": MibObject("tmnxPortName"),
    f"{_PORT}.37": MibObject("tmnxPortAdminStatus", _IN_SERVICE),
    f"{_PORT}.38": MibObject("tmnxPortOperStatus", _PORT_OPER),
    f"{_PORT}.39": MibObject("tmnxPortState", _PORT_STATE),
    f"{_SYSTEM}.4.27": MibObject("ssiRedFailoverTime"),
    f"{_SYSTEM}.4.28": MibObject("ssiRedFailoverReason"),
    f"{_SYSTEM}.7.1": MibObject("tmnxNotifyRow"),
    f"{_SYSTEM}.7.6": MibObject("tmnxDroppedTrapID"),
    f"{_SYSTEM}.7.7": MibObject("tmnxTrapDroppedReasonCode", _enum("1:frequencyExceeded")),
    f"{_SYSTEM}.7.8": MibObject("tmnxTrapDroppedEntryID"),
    f"{_SYSTEM}.7.9": MibObject("tmnxNotifyEntryOID"),
    f"{_SYSTEM}.7.19": MibObject("tmnxNotifyObjectName"),
    f"{_SYSTEM}.7.25": MibObject("tmnxTrapDroppedCount"),
    f"{_SYSTEM}.7.27": MibObject("tmnxSysLicenseErrorReason"),
    f"{_SYSTEM}.7.28": MibObject("tmnxSysLicenseTimeLeft"),
    f"{_SYSTEM}.7.32": MibObject("tmnxSysLicenseErrorAction"),
    f"{_TIMETRA}.12.1.10": MibObject("tmnxLogThrottledEventID"),
    f"{_TIMETRA}.12.1.11": MibObject("tmnxLogThrottledEvents"),
    f"{_PEER}.7.1.59": MibObject("tBgpPeerNgConnState", _BGP_STATE),
    f"{_PEER}.10.1.11": MibObject("tBgpPeerNgLastError", _bgp_error),
    f"{_PEER}.13.1.4": MibObject("tBgpPeerNgPfxLmtMaxPrefix"),
    f"{_PEER}.13.1.6": MibObject("tBgpPeerNgPfxLmtThreshold"),
    f"{_TIMETRA}.14.7.24": MibObject("tBgpASN4Byte"),
    f"{_VRTR}.1.1.5": MibObject("vRtrMaxNumRoutes"),
    f"{_VRTR}.1.1.21": MibObject("vRtrHighRouteThreshold"),
    f"{_VRTR}.1.1.48": MibObject("vRtrIPv6HighRouteThreshold"),
    f"{_VRTR}.2.1.19": MibObject("vRtrStatCurrNumRoutes"),
    f"{_VRTR}.2.1.46": MibObject("vRtrV6StatCurrNumRoutes"),
    f"{_VRTR}.21.37": MibObject("vRtrMaxRoutesType", _IP_VERSION),
    f"{_VRTR}.51.1.26": MibObject("vRtrFibStatHighUtilization", _TRUTH),
    f"{_BFD_SROS}.6": MibObject("vRtrIfBfdSessionState", _BFD_STATE),
    f"{_BFD_SROS}.7": MibObject("vRtrIfBfdSessionOperFlags", _BFD_FLAGS),
    f"{_BFD_SROS}.14": MibObject("vRtrIfBfdSessionLclDisc"),
    f"{_VRTR}.92.1.8": MibObject("vRtrIfBfdSessExtState", _BFD_STATE),
    f"{_VRTR}.92.1.9": MibObject("vRtrIfBfdSessExtOperFlags", _BFD_FLAGS),
    f"{_VRTR}.92.1.16": MibObject("vRtrIfBfdSessExtLclDisc"),
    f"{_HUAWEI}.31.1.1.1.1.2": MibObject("hwEntityOperStatus", _VRP_OPER),
    f"{_BFD_VRP}.4": MibObject("hwBfdSessCfgName"),
    f"{_BFD_VRP}.5": MibObject("hwBfdSessPeerAddr"),
    f"{_BFD_VRP}.6": MibObject("hwBfdSessBindIfIndex"),
    f"{_BFD_VRP}.7": MibObject("hwBfdSessBindIfName"),
    f"{_BFD_VRP}.17": MibObject("hwBfdSessState", _BFD_STATE),
    f"{_BFD_VRP}.18": MibObject("hwBfdSessDiag", _BFD_DIAG),
    f"{_BASE_TRAP}.1": MibObject("hwBaseTrapSeverity", _SEVERITY),
    f"{_BASE_TRAP}.2": MibObject("hwBaseTrapProbableCause"),
    f"{_BASE_TRAP}.3": MibObject("hwBaseTrapEventType", _EVENT_TYPE),
    f"{_BASE_TRAP}.8": MibObject("hwFIBOverloadModule", _enum("1:ipv4 2:ipv6")),
    f"{_BOARD}.1": MibObject("hwEntityPhysicalIndex"),
    f"{_BOARD}.2": MibObject("hwEntityTrapEntType", _VRP_BOARD),
    f"{_BOARD}.3": MibObject("hwEntityTrapFaultID"),
    f"{_CONFIG_LOG}.2": MibObject("hwCfgLogTime"),
    f"{_CONFIG_LOG}.3": MibObject("hwCfgLogSrcCmd", _VRP_SOURCE),
    f"{_CONFIG_LOG}.4": MibObject("hwCfgLogSrcData", _enum(f"1:erase {_VRP_DATA}")),
    f"{_CONFIG_LOG}.5": MibObject("hwCfgLogDesData", _enum(f"1:unknown {_VRP_DATA}")),
    f"{_CONFIG_LOG}.7": MibObject("hwCfgLogTerminalUser"),
    f"{_CONFIG_LOG}.10": MibObject("hwCfgLogCmdSrcAddress"),
}


def _object_at(oid: str) -> tuple[MibObject, str] | None:
    """The object of an instance, and its index; None for an unknown one."""
    arcs = oid.split(".")
    for length in range(len(arcs), 0, -1):
        known = OBJECTS.get(".".join(arcs[:length]))
        if known is not None:
            return known, ".".join(arcs[length:])
    return None


def binding_name(oid: str) -> str:
    """Object and index, as ifOperStatus.3; the OID itself where it is none of OBJECTS."""
    found = _object_at(oid)
    return oid if found is None else ".".join(part for part in (found[0].name, found[1]) if part)


def binding_text(oid: str, value: BindingValue) -> str:
    """The value in the words of the MIB: "down" for 2, the name of a notification or an object for its OID."""
    found = _object_at(oid)
    text = _plain(value) if found is None else found[0].text(value)
    if not text.startswith(_OID_ROOT):
        return text
    notification = CATALOGUE.get(text)
    return binding_name(text) if notification is None else notification.name
