from functools import partial
from ipaddress import ip_network
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vnfm.catalog.domain.package_source import PACKAGES
from vnfm.kit.outgoing import addresses
from vnfm.kit.outgoing.addresses import MAX_URL
from vnfm.kit.problem import ProblemError

Policy = partial(addresses.OutboundPolicy, PACKAGES)
STRICT = Policy()
IANA_FILE = Path(__file__).with_name("iana_special.txt")


def refused(policy, url, *addresses):
    with pytest.raises(ProblemError) as caught:
        policy.check(policy.parse_url(url), addresses)
    assert caught.value.problem.code == "SOURCE_REFUSED"
    return caught.value.problem.detail


@pytest.mark.parametrize(
    ("url", "origin", "target"),
    [
        ("https://example.com", ("https", "example.com", 443), "/"),
        ("https://Example.COM:8443/a%20b.zip?x=1&y#part", ("https", "example.com", 8443), "/a%20b.zip?x=1&y"),
        ("https://[2001:4860::8888]/p.zip", ("https", "2001:4860::8888", 443), "/p.zip"),
        ("HTTPS://example.com/?q", ("https", "example.com", 443), "/?q"),
    ],
)
def test_urls_that_are_called(url, origin, target):
    place = STRICT.parse_url(url)
    assert (place.origin, place.target) == (origin, target)
    assert STRICT.parse_url(place.url) == place


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com/p.zip",
        "//example.com/p.zip",
        "http://example.com/p.zip",
        "ftp://example.com/p.zip",
        "file:///etc/passwd",
        "gopher://example.com/",
        "https:///p.zip",
        "https://user@example.com/",
        "https://user:secret@example.com/",
        "https://@example.com/",
        "https://example.com\\@evil.example/",
        "https://example.com/a b",
        "https://example.com/a\r\nHost: evil",
        "https://example.com/\x00",
        "https://ex%61mple.com/",
        "https://exämple.com/",
        "https://example.com:0/",
        "https://example.com:99999/",
        "https://example.com:x/",
        "https://[::1/",
        "https://[fe80::1%25eth0]/",
        "https://example.com/" + "x" * MAX_URL,
    ],
)
def test_urls_that_are_not(url):
    with pytest.raises(ProblemError) as caught:
        STRICT.parse_url(url)
    assert caught.value.problem.code == "SOURCE_REFUSED"
    assert "secret" not in caught.value.problem.detail


def test_plain_http_where_it_is_allowed():
    assert Policy(plain_http=True).parse_url("http://example.com/x").origin == ("http", "example.com", 80)


NOT_PUBLIC = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.8.8.8",
    "169.254.169.254",
    "172.16.0.1",
    "192.168.1.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "2001:db8::1",
    "2001::7f00:1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "192.88.99.1",
    "3fff::1",
    "64:ff9b::a9fe:a9fe",
    "::ffff:168.63.129.16",
]


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_addresses_that_are_not_public(address):
    assert "not public" in refused(STRICT, "https://example.com/", address)


IANA = [line.split(" ")[0] for line in IANA_FILE.read_text().splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("network", IANA)
def test_no_special_purpose_network_of_iana_is_public(network):
    block = ip_network(network)
    for address in (block[0], block[block.num_addresses // 2], block[-1]):
        assert "not public" in refused(STRICT, "https://example.com/", str(address))


@pytest.mark.parametrize(
    "address", ["1.0.0.0", "100.63.255.255", "100.128.0.0", "168.63.129.15", "192.0.1.0", "192.88.98.255", "198.20.0.0",
                "223.255.255.255", "2001:200::", "2001:db9::", "3fff:1000::", "2620:4f:8001::", "64:ff9b::808:808"]
)  # fmt: skip
def test_their_neighbours_are(address):
    STRICT.check(STRICT.parse_url("https://example.com/"), [address])


def test_one_bad_address_is_enough():
    assert "not public" in refused(STRICT, "https://example.com/", "93.184.215.14", "10.0.0.1")


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07::1", "::ffff:93.184.215.14", "8.8.8.8"])
def test_public_addresses(address):
    STRICT.check(STRICT.parse_url("https://example.com/"), [address])


@given(st.ip_addresses(v=4))
def test_an_address_is_checked_alike_in_every_notation(address):
    def is_refused(text):
        try:
            STRICT.check(STRICT.parse_url("https://example.com/"), [text])
        except ProblemError:
            return False
        return True

    hextets = f"{int(address) >> 16:x}:{int(address) & 0xFFFF:x}"
    assert is_refused(f"::ffff:{address}") == is_refused(f"2002:{hextets}::") == is_refused(str(address))
    assert is_refused(f"64:ff9b::{hextets}") == is_refused(str(address))


def test_ports():
    for port in (80, 443, 8080, 8443):
        STRICT.check(STRICT.parse_url(f"https://example.com:{port}/"), ["8.8.8.8"])
    assert refused(STRICT, "https://example.com:22/", "8.8.8.8").startswith("Port 22 is not called")


def test_networks_of_one_s_own():
    own = Policy([ip_network("10.1.0.0/16"), ip_network("fd00:1::/32")])
    place = own.parse_url("https://repository.example:9000/p.zip")
    own.check(place, ["10.1.2.3", "fd00:1::5", "::ffff:10.1.9.9"])
    refused(own, "https://repository.example:9000/p.zip", "10.2.0.1")
    refused(own, "https://repository.example:9000/p.zip", "8.8.8.8")
