"""FRR on Linux, with Net-SNMP's agent and FRR's MIBs over AgentX (FRR user guide, "SNMP Support").

FRR has no sysObjectID of its own: that of Net-SNMP on Linux stands for it. Ports are the Ethernet interfaces of IF-MIB,
BGP peers those of BGP4-MIB, neighbours those of OSPF-MIB and, where lldpd runs with `-x`, of LLDP-MIB. BFD has no MIB.
"""

from dataclasses import replace

from vnfm.elements.domain.drivers import generic

NET_SNMP_LINUX = "1.3.6.1.4.1.8072.3.2.10"

DRIVER = replace(generic.DRIVER, name="frr", object_ids=(NET_SNMP_LINUX,), lists_cards=False)
