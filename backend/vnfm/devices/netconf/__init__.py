"""NETCONF over SSH (RFC 6241, RFC 6242), on asyncssh."""
