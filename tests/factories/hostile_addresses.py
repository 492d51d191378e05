"""Addresses to fetch packages from that mean ill, and what each gets."""

from dataclasses import dataclass
from ipaddress import ip_network

from tests.factories.hostile_content import MOST_BYTES, TRAP
from tests.support.package_source import (
    Behaviour,
    announcing,
    dripping,
    dripping_headers,
    endless,
    redirecting,
    serving,
)

MOST_SECONDS = 1.0
"""Fetching may take so long while these are tried."""


@dataclass(frozen=True)
class Fetched:
    """An addressInformation of POST …/upload_from_uri; `behaviour` is that of the server behind {source}."""

    what: str
    url: str
    code: str
    says: str
    at_once: bool = False
    """Refused by the answer; else accepted, and the package comes to be in ERROR."""
    behaviour: Behaviour | None = None
    open: bool = False
    """Whether VNFM_PACKAGE_SOURCES_ALLOWED has the server's network, and http is allowed."""


NOT_PUBLIC = "{host} has an address that is not public. Packages are fetched from the Internet only."


def _refused(what: str, url: str, says: str) -> Fetched:
    return Fetched(what, url, "SOURCE_REFUSED", says, at_once=True)


def _private(what: str, host: str) -> Fetched:
    return Fetched(what, f"https://{host}/p.zip", "SOURCE_REFUSED", NOT_PUBLIC.format(host=host.strip("[]")))


def _from(what: str, behaviour: Behaviour, code: str, says: str) -> Fetched:
    return Fetched(what, "{source}", code, says, behaviour=behaviour, open=True)


ADDRESSES = (
    _refused("`file:///etc/passwd`", "file:///etc/passwd", "Packages are fetched by https, not by file."),
    _refused("ftp", f"ftp://{TRAP}/p.zip", "Packages are fetched by https, not by ftp."),
    _refused("http, unless a setting allows it", f"http://{TRAP}/p.zip", "Packages are fetched by https, not by http."),
    _refused(
        "a user name in the URL", "https://admin:secret@example.com/", "A URL must not hold a user name or password."
    ),
    _refused("a host hidden behind a backslash", "https://example.com\\@127.0.0.1/", "This is not a plain URL."),
    _refused("a second request in the URL", "https://example.com/\r\nHost: evil", "This is not a plain URL."),
    Fetched("127.0.0.1", f"https://{TRAP}/p.zip", "SOURCE_REFUSED", NOT_PUBLIC.format(host="127.0.0.1")),
    _private("0.0.0.0", "0.0.0.0"),
    _private("[::1]", "[::1]"),
    _private("[::]", "[::]"),
    _private("IPv4 written as IPv6", "[::ffff:127.0.0.1]"),
    _private("IPv4 within 6to4", "[2002:7f00:1::]"),
    _private("as one decimal number", "2130706433"),
    _private("as hexadecimal number", "0x7f000001"),
    _private("as octal numbers", "0177.0.0.1"),
    _private("with parts left out", "127.1"),
    _private("the metadata of a cloud", "169.254.169.254"),
    _private("the metadata over IPv6", "[fd00:ec2::254]"),
    _private("a private network", "10.0.0.1"),
    _private("a network of a carrier's NAT", "100.64.0.1"),
    _private("multicast", "224.0.0.251"),
    _private("link-local IPv6", "[fe80::1]"),
    _private("a name of this machine", "localhost"),
    _private("a name whose address is private", "inside.example"),
    _private("a name with a public and a private address", "both.example"),
    Fetched(
        "a port of another service",
        "https://outside.example:22/",
        "SOURCE_REFUSED",
        "Port 22 is not called; allowed are 80, 443, 8080, 8443.",
    ),
    _from(
        "a redirect to a private address",
        redirecting("http://127.0.0.2/p.zip"),
        "SOURCE_REFUSED",
        NOT_PUBLIC.format(host="127.0.0.2"),
    ),
    _from(
        "a redirect to file:///etc/passwd",
        redirecting("file:///etc/passwd"),
        "SOURCE_REFUSED",
        "Packages are fetched by https or http, not by file.",
    ),
    _from("redirects in a circle", redirecting("/p.zip"), "SOURCE_REFUSED", "There are more than 5 redirects."),
    Fetched(
        "DNS rebinding: the second answer is private; the name is resolved once",
        "http://rebinding.example:{port}/p.zip",
        "NOT_A_ZIP",
        "This is not a readable zip: File is not a zip file.",
        behaviour=serving(b"what the first address has"),
        open=True,
    ),
    _from("a body without an end", endless, "PACKAGE_TOO_LARGE", f"The upload has more than {MOST_BYTES} bytes."),
    _from(
        "a length above what is allowed",
        announcing(MOST_BYTES + 1, b""),
        "PACKAGE_TOO_LARGE",
        f"127.0.0.1 announces {MOST_BYTES + 1} bytes; {MOST_BYTES} are allowed.",
    ),
    _from(
        "fewer bytes than were announced",
        announcing(1000, b"PK"),
        "SOURCE_INCOMPLETE",
        "127.0.0.1 sent 998 bytes less than it announced.",
    ),
    _from(
        "more bytes than were announced: the rest is not read",
        announcing(2, b"PK" * 500),
        "NOT_A_ZIP",
        "This is not a readable zip: File is not a zip file.",
    ),
    _from("a byte now and then", dripping, "SOURCE_TOO_SLOW", "127.0.0.1 has not sent the whole package within 1 s."),
    _from(
        "headers, a byte now and then",
        dripping_headers,
        "SOURCE_TOO_SLOW",
        "127.0.0.1 has not sent the whole package within 1 s.",
    ),
)
NETWORKS = [ip_network("127.0.0.1/32")]
NAMES = {
    "inside.example": [["10.1.2.3"]],
    "both.example": [["93.184.215.14", "127.0.0.2"]],
    "outside.example": [["93.184.215.14"]],
    "rebinding.example": [["127.0.0.1"], ["127.0.0.2"]],
}
"""Addresses of names, one list for each time that they are asked for."""
