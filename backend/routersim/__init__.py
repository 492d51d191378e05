"""Simulated network elements: SNMP agents, notifications and a command line, each on a loopback address of its own.

Knows nothing of the manager that looks at them.
"""
