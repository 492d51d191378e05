"""Where a package may be fetched from: an address is judged before anything is sent to it.

Whoever may onboard packages could otherwise have us call what only we can reach: our own database, the metadata of the
cloud that we run in, the operator's networks (SSRF).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urljoin, urlsplit

from vnfm.kit.problem import Problem, ProblemError

Network = IPv4Network | IPv6Network

MAX_URL = 2000
PORTS = {"https": 443, "http": 80}
PUBLIC_PORTS = frozenset({80, 443, 8080, 8443})
"""Ports that are called on public addresses: those of web servers."""
_URL = re.compile(rf"[!-~]{{1,{MAX_URL}}}")
_HOST = re.compile(r"[a-z0-9._-]{1,253}|[0-9a-f:.]{2,45}")
_GLOBAL_UNICAST = IPv6Network("2000::/3")
"""All that IANA has given out of IPv6 for the Internet."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where from, and with what login; `url` may hold a secret in its query, too, and is never told."""

    url: str = field(repr=False)
    user_name: str = field(default="", repr=False)
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Place:
    """An http or https URL, taken apart once: what is judged is what is called."""

    scheme: str
    host: str
    port: int
    target: str
    """Path and query, as the request line has them."""

    @property
    def origin(self) -> tuple[str, str, int]:
        """Whom a user name and a password are for (RFC 6454)."""
        return self.scheme, self.host, self.port

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}{self.target}"


@dataclass(frozen=True, slots=True)
class Policy:
    """`networks` may be called though they are not public, on any port; `plain_http` allows http beside https."""

    networks: Sequence[Network] = ()
    plain_http: bool = False

    def place(self, url: str) -> Place:
        """Raises ProblemError (SOURCE_REFUSED) for a URL that is never called, whatever its host's addresses are."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
        except ValueError as error:
            raise _no_url() from error
        if not _URL.fullmatch(url) or "\\" in url or not parts.scheme:
            raise _no_url()
        if parts.scheme not in PORTS or (parts.scheme == "http" and not self.plain_http):
            raise refused(
                f"Packages are fetched by {'https or http' if self.plain_http else 'https'}, not by {parts.scheme}.",
                "Give an https URL, or upload the package yourself.",
            )
        if "@" in parts.netloc:
            raise refused("A URL must not hold a user name or password.", "Give them as userName and password.")
        if not _HOST.fullmatch(host) or port == 0:
            raise _no_url()
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return Place(parts.scheme, host, port or PORTS[parts.scheme], target)

    def redirected(self, place: Place, location: str) -> Place:
        """Where a redirect from `place` leads; raises ProblemError as `place` does."""
        try:
            return self.place(urljoin(place.url, location))
        except ValueError as error:
            raise _no_url() from error

    def check(self, place: Place, addresses: Sequence[str]) -> None:
        """Raises ProblemError (SOURCE_REFUSED) unless `place` may be called at every one of its host's addresses."""
        for address in map(_meant, addresses):
            if any(address in network for network in self.networks):
                continue
            if not _is_public(address):
                raise refused(
                    f"{place.host} has an address that is not public. Packages are fetched from the Internet only.",
                    "If the server is yours, have its network added to VNFM_PACKAGE_SOURCES_ALLOWED; or upload the "
                    "package yourself.",
                )
            if place.port not in PUBLIC_PORTS:
                ports = ", ".join(map(str, sorted(PUBLIC_PORTS)))
                raise refused(f"Port {place.port} is not called; allowed are {ports}.", "Use one of these ports.")


def _no_url() -> ProblemError:
    return refused("This is not a plain URL.", "Give the address as https://host/path, percent-encoded.")


def refused(detail: str, next_step: str) -> ProblemError:
    return source_problem("SOURCE_REFUSED", detail, next_step)


def source_problem(code: str, detail: str, next_step: str) -> ProblemError:
    return ProblemError(Problem(422, code, "The VNF package is not fetched", detail, next_step))


def _meant(address: str) -> IPv4Address | IPv6Address:
    """The IPv4 address that an IPv6 one stands for, where it does."""
    found = ip_address(address)
    if isinstance(found, IPv6Address):
        return found.ipv4_mapped or found.sixtofour or found
    return found


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv6Address) and address not in _GLOBAL_UNICAST:
        return False
    return address.is_global and not address.is_multicast
