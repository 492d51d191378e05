"""SNMP notifications as they come from the network: SNMPv2c and SNMPv3, traps and informs. No socket, no database."""
