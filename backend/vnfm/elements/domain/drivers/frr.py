"""FRR on Linux, with Net-SNMP's agent and FRR's MIBs over AgentX (FRR user guide, "SNMP Support").

FRR has no sysObjectID of its own: that of Net-SNMP on Linux stands for it. Ports are the Ethernet interfaces of IF-MIB,
neighbours those of OSPF-MIB and, where lldpd runs with `-x`, of LLDP-MIB. BGP peers by address family (BGP4V2-MIB) and
BFD sessions (BFD-STD-MIB) come from `frr-mibs` of the package `catalog/open/frr-router`, and BGP4V2-MIB of newer
releases from FRR itself; without them there are the IPv4 peers of BGP4-MIB.
"""

from dataclasses import replace

from vnfm.elements.domain.drivers import generic

NET_SNMP_LINUX = "1.3.6.1.4.1.8072.3.2.10"
VYOS, CUMULUS = "1.3.6.1.4.1.44641", "1.3.6.1.4.1.40310"
"""Products that run FRR, with a sysObjectID of their own."""

DRIVER = replace(
    generic.DRIVER,
    name="frr",
    object_ids=(NET_SNMP_LINUX, VYOS, CUMULUS),
    gauges=frozenset({"BGP"}),
    repetitions=8,
    lists_cards=False,
)
