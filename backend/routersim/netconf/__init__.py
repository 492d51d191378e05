"""NETCONF (RFC 6241) on the model that the command line has: no YANG, a table of what is known."""
