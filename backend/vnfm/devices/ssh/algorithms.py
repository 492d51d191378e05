"""Offered algorithms. asyncssh's defaults include SHA-1; ours do not, unless a policy allows old algorithms."""

from typing import NamedTuple


class Algorithms(NamedTuple):
    """Patterns for asyncssh: "+" adds to its defaults, "-" removes from them."""

    kex: str
    host_key: str
    encryption: str
    mac: str


CURRENT = Algorithms("-*sha1", "-ssh-rsa", "-*-cbc", "-*hmac-sha1*")

OLD = Algorithms(
    "+diffie-hellman-group-exchange-sha1,diffie-hellman-group14-sha1,diffie-hellman-group1-sha1",
    "+ssh-rsa",
    "+aes256-cbc,aes192-cbc,aes128-cbc,3des-cbc",
    "+hmac-sha1,hmac-sha1-96,hmac-md5",
)
"""Algorithms of TiMOS 13 and VRP 8 of 2016 and 2018 (domain facts, 4.4)."""
