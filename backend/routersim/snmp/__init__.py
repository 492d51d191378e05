"""SNMPv2c: coding, tables, agent, notifications."""
