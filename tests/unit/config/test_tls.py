"""The web's own TLS: plain HTTP is answered in words, renewed files are served from the next connection on."""

import os
import ssl
from pathlib import Path

import pytest

from tests.factories.tls import certificate_files
from vnfm.config.tls import plain_answer, tls_context

URL = "https://vnfm.example:8443"


def served(context: ssl.SSLContext, trusted: str) -> bool:
    """Return whether a client that trusts only this certificate gets a connection."""
    client = ssl.create_default_context(cadata=trusted)
    client.check_hostname = False
    client.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [context.wrap_bio(to_server, to_client, server_side=True), client.wrap_bio(to_client, to_server)]
    for _ in range(10):
        for end in list(ends):
            try:
                end.do_handshake()
                ends.remove(end)
            except ssl.SSLWantReadError:
                continue
            except ssl.SSLError:
                return False
    return not ends


def test_renewed_files_are_served_and_broken_ones_left(tmp_path: Path) -> None:
    cert, key = certificate_files(tmp_path)
    first = cert.read_text()
    context = tls_context(cert, key, URL)
    assert served(context, first)
    (tmp_path / "new").mkdir()
    new_cert, new_key = certificate_files(tmp_path / "new")
    new_cert.replace(cert)  # only one of two is there yet
    assert served(context, first)
    new_key.replace(key)
    os.utime(key, ns=(1, 1))
    assert served(context, cert.read_text())
    assert not served(context, first)


@pytest.mark.parametrize(
    ("request_", "status", "location"),
    [
        (b"GET /app?x=1 HTTP/1.1\r\nHost: a\r\n\r\n", b"307", b"Location: https://vnfm.example:8443/app?x=1\r\n"),
        (b"GET /api HTTP/1.1\r\nAuthorization: Bearer x\r\n\r\n", b"400", b""),
        (b"POST /api HTTP/1.1\r\n\r\n", b"400", b""),
        (b"GET http://evil.example/ HTTP/1.1\r\n\r\n", b"400", b""),
        (b"GET /\r\nSet-Cookie:x HTTP/1.1\r\n\r\n", b"400", b""),
    ],
)
def test_plain_http_is_redirected_or_refused_in_words(request_: bytes, status: bytes, location: bytes) -> None:
    answer = plain_answer(request_, URL)
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert (b"Location" in answer) == bool(location)
    assert location in answer
    assert answer.endswith(b"This port speaks HTTPS only: use https://vnfm.example:8443.\n")


def test_a_plain_request_gets_its_answer_and_no_handshake(tmp_path: Path) -> None:
    context = tls_context(*certificate_files(tmp_path), URL)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = context.wrap_bio(incoming, outgoing, server_side=True)
    incoming.write(b"GET / HTTP/1.1\r\n\r\n")
    for _ in range(2):
        with pytest.raises(ssl.SSLWantReadError):
            server.do_handshake()
        incoming.write(b"GET / HTTP/1.1\r\n\r\n")
    assert outgoing.read().count(b"HTTP/1.1 307") == 1
