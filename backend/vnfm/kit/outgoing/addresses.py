"""Addresses that users give and we call: each is checked before anything is sent to it.

Users name the sources of packages and the endpoints of notifications. Without the check they could have us call what
only we can reach: our own database, the metadata service of the cloud that we run in, the operator's networks (SSRF).
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Literal
from urllib.parse import urljoin, urlsplit

from vnfm.kit.outgoing.special_networks import is_public, meant_address
from vnfm.kit.problem import Problem, ProblemError

Network = IPv4Network | IPv6Network

MAX_URL = 2000
PORTS = {"https": 443, "http": 80}
PUBLIC_PORTS = frozenset({80, 443, 8080, 8443})
"""Ports that are called on public addresses: those of web servers."""
MAX_PORT = 2**16
_URL = re.compile(rf"[!-~]{{1,{MAX_URL}}}")
_HOST = re.compile(r"[a-z0-9._-]{1,253}|[0-9a-f:.]{2,45}")


@dataclass(frozen=True, slots=True)
class OutboundPurpose:
    """The purpose of a call; used in the sentences of refusals and failures."""

    code: str
    """Problem codes begin with it: SOURCE_REFUSED."""
    title: str
    called: str
    """"Packages are fetched": the beginning of sentences about what is called, and what is not."""
    way: Literal["from", "to"]
    setting: str
    """Names the networks that may be called though they are not public."""
    login: str
    """The place for a user name and a password, instead of in the URL; "" where nothing with a login is called."""
    slow: str
    """"has not answered": the end of sentences about a server that takes too long."""
    otherwise: str = ""
    """The user's other way: "upload the package yourself"."""

    def problem(self, kind: str, detail: str, next_step: str = "") -> ProblemError:
        """A 422 problem with the code `CODE_KIND`; the default next step is to try later."""
        step = next_step or f"Try again later{self.or_else(', or ')}."
        return ProblemError(Problem(422, f"{self.code}_{kind}", self.title, detail, step))

    def refused(self, detail: str, next_step: str) -> ProblemError:
        """The problem of a URL that is never called."""
        return self.problem("REFUSED", detail, next_step)

    def or_else(self, joint: str) -> str:
        """The alternative after `joint`; "" where there is none."""
        return f"{joint}{self.otherwise}" if self.otherwise else ""


@dataclass(frozen=True, slots=True)
class OutboundUrl:
    """An http or https URL, parsed once: the URL that was checked is the URL that is called."""

    scheme: str
    host: str
    port: int
    target: str
    """Path and query, as the request line has them."""

    @property
    def origin(self) -> tuple[str, str, int]:
        """The origin (RFC 6454) that a user name and a password are sent to."""
        return self.scheme, self.host, self.port

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}{self.target}"


@dataclass(frozen=True, slots=True)
class OutboundPolicy:
    """`networks` may be called though they are not public, on any port; `plain_http` allows http and https.

    All that is refused raises ProblemError with the code …_REFUSED.
    """

    purpose: OutboundPurpose
    networks: Sequence[Network] = ()
    plain_http: bool = False
    public_ports: Collection[int] = PUBLIC_PORTS
    """Ports that are called on public addresses."""

    def parse_host(self, scheme: str, host: str, port: int) -> OutboundUrl:
        """Return the URL of a server that is not called by HTTP. Raises ProblemError for an invalid name or address."""
        host = host.lower().strip("[]")
        if not _HOST.fullmatch(host) or not 0 < port < MAX_PORT:
            raise self.purpose.refused(
                f"{host[:100]!r} with port {port} is no server's address.", "Give a name or an address, and its port."
            )
        return OutboundUrl(scheme, host, port, "")

    def parse_url(self, url: str) -> OutboundUrl:
        """Raises ProblemError for a URL that is never called, whatever its host's addresses are."""
        purpose = self.purpose
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
        except ValueError as error:
            raise self._no_url() from error
        if not _URL.fullmatch(url) or "\\" in url or not parts.scheme:
            raise self._no_url()
        if parts.scheme not in PORTS or (parts.scheme == "http" and not self.plain_http):
            raise purpose.refused(
                f"{purpose.called} by {'https or http' if self.plain_http else 'https'}, not by {parts.scheme}.",
                f"Give an https URL{purpose.or_else(', or ')}.",
            )
        if "@" in parts.netloc:
            step = f"Give them as {purpose.login}." if purpose.login else f"Leave them out{purpose.or_else(', or ')}."
            raise purpose.refused("A URL must not hold a user name or password.", step)
        if not _HOST.fullmatch(host) or port == 0:
            raise self._no_url()
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return OutboundUrl(parts.scheme, host, port or PORTS[parts.scheme], target)

    def parse_login_url(self, url: str) -> OutboundUrl:
        """The same for a URL that a secret is sent to, which is refused unless it is https."""
        parsed = self.parse_url(url)
        if parsed.scheme != "https":
            raise self.purpose.refused(
                "A password is never sent in clear.", f"Give an https URL, or leave {self.purpose.login} out."
            )
        return parsed

    def redirected(self, url: OutboundUrl, location: str) -> OutboundUrl:
        """The URL that a redirect from `url` leads to; raises ProblemError as `parse_url` does."""
        try:
            return self.parse_url(urljoin(url.url, location))
        except ValueError as error:
            raise self._no_url() from error

    def check(self, url: OutboundUrl, addresses: Sequence[str]) -> None:
        """Raises ProblemError unless `url` may be called at every one of its host's addresses."""
        purpose = self.purpose
        for address in (meant_address(ip_address(text)) for text in addresses):
            if any(address in network for network in self.networks):
                continue
            if not is_public(address):
                raise purpose.refused(
                    f"{url.host} has an address that is not public. {purpose.called} {purpose.way} the Internet only.",
                    f"If the server is yours, have its network added to {purpose.setting}{purpose.or_else('; or ')}.",
                )
            if url.port not in self.public_ports:
                ports = ", ".join(map(str, sorted(self.public_ports)))
                raise purpose.refused(f"Port {url.port} is not called; allowed are {ports}.", "Use one of these ports.")

    def _no_url(self) -> ProblemError:
        return self.purpose.refused(
            "This is not a plain URL.", "Give the address as https://host/path, percent-encoded."
        )
