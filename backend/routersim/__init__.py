"""Simulated network elements with SNMP, notifications, command line and NETCONF, each on its own loopback address.

They are independent of the manager that polls them.
"""
