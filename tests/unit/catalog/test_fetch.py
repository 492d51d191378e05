"""Fetching from servers that are as they should be, and from others; all on loopback addresses."""

import re
import socket
import threading
import time
from base64 import b64encode
from contextlib import ExitStack
from functools import partial
from ipaddress import ip_network

import pytest

from tests.factories.tls import self_signed
from tests.support.package_source import (
    Names,
    PackageSource,
    Trap,
    announcing,
    dripping,
    dripping_headers,
    endless,
    hanging,
    redirecting,
    serving,
    status,
)
from vnfm.catalog.domain.package_source import PACKAGES, PackageUri
from vnfm.catalog.reconcilers import package_fetch
from vnfm.kit.outgoing import addresses
from vnfm.kit.outgoing.outbound import STALL_SECONDS
from vnfm.kit.problem import ProblemError

Policy = partial(addresses.OutboundPolicy, PACKAGES)
HERE = Policy([ip_network("127.0.0.1/32")], plain_http=True)
BOTH = Policy([ip_network("127.0.0.1/32"), ip_network("127.0.0.2/32")], plain_http=True)
DATA = bytes(range(256)) * 1000
MOST = 1_000_000


@pytest.fixture
def source():
    with PackageSource() as server:
        yield server


@pytest.fixture
def other():
    with PackageSource("127.0.0.2") as server:
        yield server


@pytest.fixture
def trap():
    socket = Trap("127.0.0.2")
    yield socket
    assert socket.untouched()
    socket.close()


def fetched(url, policy=HERE, seconds=60.0, most=MOST, **login):
    data = b""
    with package_fetch.open_source(PackageUri(url, **login), policy, seconds, most) as body:
        while chunk := body.read(1024 * 1024):
            data += chunk
            assert len(data) <= most + 1024 * 1024, "the reader counts"
    return data


def refused(url, *args, **kwargs):
    with pytest.raises(ProblemError) as caught:
        fetched(url, *args, **kwargs)
    problem = caught.value.problem
    assert problem.status == 422
    assert problem.next_step
    return problem.code, problem.detail


def test_a_package(source):
    assert fetched(source.at("/p.zip", serving(DATA)) + "?token=x") == DATA
    (seen,) = source.requests
    assert seen.path == "/p.zip?token=x"
    assert seen.headers["Host"] == f"127.0.0.1:{source.port}"
    assert "Authorization" not in seen.headers


def test_a_body_without_a_length(source):
    def chunked(exchange):
        exchange.handler.protocol_version = "HTTP/1.1"
        exchange.begin(200, Transfer_Encoding="chunked")
        exchange.write(b"5\r\nhello\r\n0\r\n\r\n")

    assert fetched(source.at("/p", chunked)) == b"hello"


def test_a_chunked_body_that_is_cut(source):
    def chunked(exchange):
        exchange.handler.protocol_version = "HTTP/1.1"
        exchange.begin(200, Transfer_Encoding="chunked")
        exchange.write(b"5\r\nhel")

    assert refused(source.at("/p", chunked))[0] == "SOURCE_UNREACHABLE"


def test_redirects_are_followed(source, other):
    target = other.at("/p", serving(DATA))
    source.at("/b", redirecting(target))
    assert fetched(source.at("/a", redirecting("/b?x=1")), BOTH) == DATA


def test_a_redirect_is_checked_like_the_first_address(source, trap):
    code, detail = refused(source.at("/a", redirecting(f"http://{trap.address}/p")))
    assert (code, "127.0.0.2 has an address that is not public" in detail) == ("SOURCE_REFUSED", True)


@pytest.mark.parametrize(
    "location", ["file:///etc/passwd", "ftp://127.0.0.1/p", "//u:p@127.0.0.1/", "http://[::1", "ü"]
)
def test_redirects_to_no_address_at_all(source, location):
    assert refused(source.at("/a", redirecting(location.encode().decode("latin-1"))))[0] == "SOURCE_REFUSED"


def test_a_redirect_without_an_address(source):
    assert refused(source.at("/a", status(302))) == ("SOURCE_ANSWERS", "127.0.0.1 answers 302.")


def test_redirects_end(source):
    url = source.at("/a", redirecting("/a"))
    assert refused(url) == ("SOURCE_REFUSED", "There are more than 5 redirects.")
    assert len(source.requests) == 6


def test_a_login_is_for_its_host_only(source, other):
    source.at("/b", redirecting(other.at("/p", serving(DATA))))
    url = source.at("/a", redirecting("/b"))
    assert fetched(url, BOTH, user_name="jane", password="sécret:1") == DATA
    basic = "Basic " + b64encode("jane:sécret:1".encode()).decode()
    assert [seen.headers.get("Authorization") for seen in source.requests] == [basic, basic]
    assert "Authorization" not in other.requests[0].headers


def test_a_login_is_not_in_the_repr():
    assert "secret" not in repr(PackageUri("https://x/?secret", "secret", "secret"))


@pytest.mark.parametrize(("code", "step"), [(401, "password"), (403, "password"), (404, "address"), (500, "address")])
def test_answers_that_are_no_package(source, code, step):
    with pytest.raises(ProblemError) as caught:
        fetched(source.at("/a", status(code)))
    problem = caught.value.problem
    assert (problem.code, problem.detail) == ("SOURCE_ANSWERS", f"127.0.0.1 answers {code}.")
    assert step in problem.next_step


def test_lengths_that_are_not_true(source):
    assert fetched(source.at("/less", announcing(5, b"hello and more"))) == b"hello"
    assert refused(source.at("/more", announcing(50, b"hello"))) == (
        "SOURCE_INCOMPLETE",
        "127.0.0.1 sent 45 bytes less than it announced.",
    )
    assert fetched(source.at("/negative", announcing(-1, b"hello"))) == b"hello"


def test_a_body_that_announces_too_much_is_not_read(source):
    assert refused(source.at("/p", announcing(MOST + 1, b"")))[0] == "PACKAGE_TOO_LARGE"


def test_a_reader_may_stop_before_the_end(source):
    with package_fetch.open_source(PackageUri(source.at("/p", endless)), HERE, 10.0, MOST) as body:
        assert body.read(1024)


@pytest.mark.parametrize("slow", [dripping, dripping_headers, hanging])
def test_slow_servers_are_left(source, slow):
    assert refused(source.at("/p", slow), seconds=0.5) == (
        "SOURCE_TOO_SLOW",
        "127.0.0.1 has not sent the whole package within 0 s.",
    )


def test_a_handshake_that_never_comes():
    silent = socket.create_server(("127.0.0.1", 0))
    with silent:
        url = f"https://127.0.0.1:{silent.getsockname()[1]}/p"
        assert refused(url, seconds=0.5)[0] == "SOURCE_TOO_SLOW"


def test_an_address_that_swallows_everything():
    """The queue of connections is full, so the kernel answers no further one: as behind a firewall that drops."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server, ExitStack() as fillers:
        for _ in range(4):
            filler = fillers.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(server.getsockname())
        began = time.monotonic()
        assert refused(f"http://127.0.0.1:{server.getsockname()[1]}/p", seconds=0.5) == (
            "SOURCE_TOO_SLOW",
            "127.0.0.1 has not sent the whole package within 0 s.",
        )
        assert time.monotonic() - began < STALL_SECONDS


def test_a_name_server_that_is_silent(monkeypatch):
    released = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: released.wait(600))
    try:
        assert refused("http://silent.example/p", seconds=0.5) == (
            "SOURCE_TOO_SLOW",
            "The name silent.example was not resolved within 0 s.",
        )
    finally:
        released.set()


def test_a_closed_port():
    closed = Trap()
    closed.close()
    assert refused(f"http://{closed.address}/") == (
        "SOURCE_UNREACHABLE",
        "127.0.0.1 cannot be read from: Connection refused.",
    )


def test_a_server_that_speaks_no_http():
    with socket.create_server(("127.0.0.1", 0)) as server:

        def shout():
            client, _ = server.accept()
            with client:
                client.sendall(b"SSH-2.0-OpenSSH_9\r\n")

        threading.Thread(target=shout, daemon=True).start()
        code, detail = refused(f"http://127.0.0.1:{server.getsockname()[1]}/")
    assert code == "SOURCE_UNREACHABLE"
    assert "SSH" not in detail, "the answer of another service is not shown"


def test_a_name_that_does_not_exist():
    assert refused("https://nothing.invalid/") == (
        "SOURCE_UNREACHABLE",
        "The name nothing.invalid cannot be resolved.",
    )


def test_certificates(tmp_path, monkeypatch):
    context, pem = self_signed(tmp_path)
    with PackageSource(tls=context) as server:
        url = server.at("/p", serving(DATA))
        code, detail = refused(url)
        assert code == "SOURCE_UNTRUSTED"
        assert re.match("The certificate of 127.0.0.1 is not accepted: self.signed certificate", detail)
        (tmp_path / "ca.pem").write_text(pem)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        assert fetched(url) == DATA


def test_a_certificate_of_another_name(tmp_path, monkeypatch):
    context, pem = self_signed(tmp_path)
    (tmp_path / "ca.pem").write_text(pem)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    with PackageSource(tls=context) as server:
        url = server.at("/p", serving(DATA)).replace("127.0.0.1", "localhost")
        code, detail = refused(url, Policy([ip_network("127.0.0.0/8"), ip_network("::1/128")]))
        assert code in ("SOURCE_UNTRUSTED", "SOURCE_UNREACHABLE")
        assert "localhost" in detail
        assert server.requests == []


@pytest.fixture
def resolved(monkeypatch):
    """Says which addresses names have, one list for each time they are asked for."""

    def install(**addresses):
        names = Names({name.replace("_", "."): answers for name, answers in addresses.items()})
        monkeypatch.setattr(socket, "getaddrinfo", names.getaddrinfo)
        return names

    return install


def test_a_name_is_resolved_once_and_its_address_is_called(source, trap, resolved):
    """DNS rebinding: the second answer would lead elsewhere, but the name is resolved only once."""
    names = resolved(rebinding_example=[["127.0.0.1"], ["127.0.0.2"]])
    url = source.at("/p", serving(DATA)).replace("127.0.0.1", "rebinding.example")
    assert fetched(url) == DATA
    assert names.asked == ["rebinding.example"]
    assert source.requests[0].headers["Host"] == f"rebinding.example:{source.port}"


def test_each_redirect_is_resolved_and_checked(source, trap, resolved):
    resolved(rebinding_example=[["127.0.0.1"], ["127.0.0.2"]])
    url = source.at("/p", redirecting("/q")).replace("127.0.0.1", "rebinding.example")
    assert refused(url)[0] == "SOURCE_REFUSED"
    assert len(source.requests) == 1


def test_the_next_address_is_tried(source, resolved):
    resolved(two_example=[["127.0.0.3", "127.0.0.1"]])
    url = source.at("/p", serving(DATA)).replace("127.0.0.1", "two.example")
    assert fetched(url, Policy([ip_network("127.0.0.0/8")], plain_http=True)) == DATA
