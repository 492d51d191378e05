"""NETCONF (RFC 6241) on the command line's model, with tables of the supported schema instead of YANG."""
