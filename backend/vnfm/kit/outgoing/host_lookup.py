"""Look up a host's name before anything is called: for the web process, which has little time."""

import socket
from concurrent.futures import ThreadPoolExecutor

from vnfm.kit.outgoing.addresses import OutboundPolicy, OutboundUrl

LOOKUP_SECONDS = 1.0
"""A name server on the same site answers in milliseconds."""
_lookups = ThreadPoolExecutor(4, "host lookup")
"""The system's lookup cannot be ended: at most this many hang, and others do not wait."""


def require_allowed_host(policy: OutboundPolicy, url: OutboundUrl) -> None:
    """Raises ProblemError when the host of `url` has an address that `policy` refuses.

    A name that is not resolved within LOOKUP_SECONDS passes: what calls it resolves it, and checks it, again.
    """
    lookup = _lookups.submit(socket.getaddrinfo, url.host, url.port, type=socket.SOCK_STREAM)
    try:
        found = lookup.result(LOOKUP_SECONDS)
    except (TimeoutError, OSError, UnicodeError):
        lookup.cancel()
        return
    policy.check(url, [str(address[0]) for *_, address in found])
