"""SNMP v2c and v3, on gufo_snmp."""
