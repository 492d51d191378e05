"""Configurations in XML by the type of router."""

from __future__ import annotations

NOKIA = '<configure xmlns="urn:nokia.com:sros:ns:yang:sr:conf">{0}</configure>'

HUAWEI = "http://www.huawei.com/netconf/vrp/"

TEXTS = {
    "7750-SR-12": NOKIA.format(
        "<port><port-id>1/1/1</port-id><description>to the core</description></port><system><security><snmp><community>"
        "<community-string>hush</community-string><access-permissions>r</access-permissions></community></snmp>"
        "</security></system>"
    ),
    "NE9000": f'<config><ifm xmlns="{HUAWEI}huawei-ifm"><interfaces><interface><ifName>100GE1/0/0</ifName><ifDescr>'
    f'to the core</ifDescr></interface></interfaces></ifm><snmp xmlns="{HUAWEI}huawei-snmp"><communitys><community>'
    "<communityName>hush</communityName><accessRight>read</accessRight></community></communitys></snmp></config>",
}
