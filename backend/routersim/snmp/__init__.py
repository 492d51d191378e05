"""SNMPv2c and SNMPv3: coding, tables, agent, notifications."""
