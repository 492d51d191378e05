"""Names of the tables that drivers read, by the OID of their rows."""

_MIB_2, _LLDP, _BGP4V2 = "1.3.6.1.2.1", "1.0.8802.1.1.2.1", "1.3.6.1.3.5.1.1"
_TIMETRA, _HUAWEI = "1.3.6.1.4.1.6527.3.1.2", "1.3.6.1.4.1.2011.5.25"

TABLES = {
    f"{_MIB_2}.2.2.1": "ifTable",
    f"{_MIB_2}.31.1.1.1": "ifXTable",
    f"{_MIB_2}.4.20.1": "ipAddrTable",
    f"{_MIB_2}.4.34.1": "ipAddressTable",
    f"{_MIB_2}.14.10.1": "ospfNbrTable",
    f"{_MIB_2}.15.3.1": "bgpPeerTable",
    f"{_MIB_2}.47.1.1.1.1": "entPhysicalTable",
    f"{_MIB_2}.47.1.3.2.1": "entAliasMappingTable",
    f"{_MIB_2}.118.1.2.2.1": "alarmActiveTable",
    f"{_MIB_2}.131.1.1.1": "entStateTable",
    f"{_MIB_2}.222.1.2.1": "bfdSessTable",
    f"{_LLDP}.3.7.1": "lldpLocPortTable",
    f"{_LLDP}.4.1.1": "lldpRemTable",
    f"{_BGP4V2}.1.1": "bgp4V2DiscontinuityTable",
    f"{_BGP4V2}.2.1": "bgp4V2PeerTable",
    f"{_BGP4V2}.3.1": "bgp4V2PeerErrorsTable",
    f"{_BGP4V2}.4.1": "bgp4V2PeerEventTimesTable",
    f"{_BGP4V2}.7.1": "bgp4V2PeerCountersTable",
    f"{_BGP4V2}.8.1": "bgp4V2PrefixGaugesTable",
    f"{_TIMETRA}.2.1.8.1": "tmnxHwTable",
    f"{_TIMETRA}.2.3.2.1": "tmnxCardTable",
    f"{_TIMETRA}.2.3.4.1": "tmnxCpmCardTable",
    f"{_TIMETRA}.2.3.8.1": "tmnxMDATable",
    f"{_TIMETRA}.2.3.9.1": "tmnxCardTypeTable",
    f"{_TIMETRA}.2.3.10.1": "tmnxMdaTypeTable",
    f"{_TIMETRA}.2.4.2.1": "tmnxPortTable",
    f"{_TIMETRA}.3.1.1": "vRtrConfTable",
    f"{_TIMETRA}.3.4.1": "vRtrIfTable",
    f"{_TIMETRA}.3.34.1": "vRtrIfBfdSessionTable",
    f"{_TIMETRA}.3.92.1": "vRtrIfBfdSessExtTable",
    f"{_TIMETRA}.14.4.7.1": "tBgpPeerNgTable",
    f"{_TIMETRA}.14.4.8.1": "tBgpPeerNgOperTable",
    f"{_TIMETRA}.14.4.10.1": "tBgpPeerNgParamsTable",
    f"{_HUAWEI}.31.1.1.1.1": "hwEntityStateTable",
    f"{_HUAWEI}.38.2.3.1": "hwBfdSessTable",
    f"{_HUAWEI}.177.1.1.1.1": "hwBgpPeerAddrFamilyTable",
    f"{_HUAWEI}.177.1.1.2.1": "hwBgpPeerTable",
    f"{_HUAWEI}.177.1.1.3.1": "hwBgpPeerRouteTable",
    f"{_HUAWEI}.180.1.8.1": "hwAlarmActiveTable",
}


def table_name(column: str) -> str:
    """The table that a column belongs to; the column's OID where it is not known."""
    return TABLES.get(column.rpartition(".")[0], column)
