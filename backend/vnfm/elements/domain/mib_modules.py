"""Names of MIB groups by OID, for people: they say where objects belong that no driver reads."""

GROUPS = {
    "1.0.8802.1.1.2": "LLDP-MIB",
    "1.2.840.10006.300.43": "IEEE8023-LAG-MIB",
    "1.3.6.1.2.1.1": "system",
    "1.3.6.1.2.1.2": "interfaces (IF-MIB)",
    "1.3.6.1.2.1.4": "ip (IP-MIB)",
    "1.3.6.1.2.1.5": "icmp",
    "1.3.6.1.2.1.6": "tcp",
    "1.3.6.1.2.1.7": "udp",
    "1.3.6.1.2.1.10": "transmission",
    "1.3.6.1.2.1.11": "snmp",
    "1.3.6.1.2.1.14": "ospf (OSPF-MIB)",
    "1.3.6.1.2.1.15": "bgp (BGP4-MIB)",
    "1.3.6.1.2.1.16": "rmon",
    "1.3.6.1.2.1.17": "dot1dBridge",
    "1.3.6.1.2.1.25": "host (HOST-RESOURCES-MIB)",
    "1.3.6.1.2.1.26": "MAU-MIB",
    "1.3.6.1.2.1.31": "ifMIB (IF-MIB)",
    "1.3.6.1.2.1.47": "ENTITY-MIB",
    "1.3.6.1.2.1.55": "IPV6-MIB",
    "1.3.6.1.2.1.68": "VRRP-MIB",
    "1.3.6.1.2.1.92": "NOTIFICATION-LOG-MIB",
    "1.3.6.1.2.1.99": "ENTITY-SENSOR-MIB",
    "1.3.6.1.2.1.105": "POWER-ETHERNET-MIB",
    "1.3.6.1.2.1.118": "ALARM-MIB",
    "1.3.6.1.2.1.131": "ENTITY-STATE-MIB",
    "1.3.6.1.2.1.138": "ISIS-MIB",
    "1.3.6.1.2.1.166": "MPLS-LSR-STD-MIB",
    "1.3.6.1.2.1.222": "BFD-STD-MIB",
    "1.3.6.1.3.5.1": "BGP4V2-MIB",
    "1.3.6.1.4.1.9": "Cisco",
    "1.3.6.1.4.1.2011": "Huawei",
    "1.3.6.1.4.1.2021": "UCD-SNMP-MIB",
    "1.3.6.1.4.1.2636": "Juniper",
    "1.3.6.1.4.1.6527": "Nokia (TIMETRA)",
    "1.3.6.1.4.1.8072": "NET-SNMP-MIB",
    "1.3.6.1.4.1.30065": "Arista",
    "1.3.6.1.6.3": "snmpModules",
}
_MAX_ARCS = 10
"""Limit for a group that is not known: enough to tell the modules of an enterprise apart."""


def group_of(oid: str) -> str:
    """The longest known group, with the arcs below it that tell its tables apart."""
    arcs = oid.split(".")
    for length in range(len(arcs), 1, -1):
        name = GROUPS.get(".".join(arcs[:length]))
        if name is not None:
            shown = arcs[: max(length, min(len(arcs) - 1, length + 3))]
            return f"{name} {'.'.join(shown)}"
    return ".".join(arcs[:_MAX_ARCS])
