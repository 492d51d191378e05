"""TLS of the web process itself: renewed files are used at the next connection, plain HTTP gets an answer in words."""

import asyncio
import re
import ssl
from pathlib import Path
from typing import Any

import structlog

from vnfm.config.connections import HEADER_SECONDS

_PLAIN = re.compile(rb"[A-Z]{3,10} ")
"""A request in clear begins so; a TLS handshake begins with octet 22."""
_REDIRECTED = re.compile(rb"(GET|HEAD) (/[!-~]*) HTTP/1\.[01]\r\n")

log = structlog.get_logger(__name__)


class TlsContext(ssl.SSLContext):
    """A server's; see `tls_context`."""

    cert: Path
    key: Path
    public_url: str
    _stamps: tuple[int, ...] = ()

    def load(self) -> None:
        """Read certificate and key where they have changed; those that cannot be used are logged, once, and left."""
        try:
            stamps = tuple(file.stat().st_mtime_ns for file in (self.cert, self.key))
            if stamps == self._stamps:
                return
            first, self._stamps = not self._stamps, stamps
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self.cert, self.key)  # a pair, or an exception
            self.load_cert_chain(self.cert, self.key)
        except OSError as error:  # also of ssl
            log.warning("tls.files_not_used", error=str(error))
        else:
            log.info("tls.files_loaded" if first else "tls.files_renewed")

    def wrap_bio(self, incoming: ssl.MemoryBIO, outgoing: ssl.MemoryBIO, *args: Any, **keywords: Any) -> ssl.SSLObject:
        self.load()
        wrapped = super().wrap_bio(incoming, outgoing, *args, **keywords)
        assert isinstance(wrapped, _Connection)
        wrapped.incoming, wrapped.outgoing, wrapped.public_url = incoming, outgoing, self.public_url
        return wrapped


class _Connection(ssl.SSLObject):
    """Answers a client that speaks HTTP in clear by the first octets, and reads no further."""

    incoming: ssl.MemoryBIO
    outgoing: ssl.MemoryBIO
    public_url: str
    _begun = False
    _plain = False

    def do_handshake(self) -> None:
        if not self._begun and self.incoming.pending:
            first, self._begun = self.incoming.read(), True
            if _PLAIN.match(first):
                self._plain = True
                self.outgoing.write(plain_answer(first, self.public_url))
            else:
                self.incoming.write(first)
        if self._plain:
            self.incoming.read()
            raise ssl.SSLWantReadError  # what is in `outgoing` is sent; the handshake's time limit ends the connection
        super().do_handshake()


def plain_answer(request: bytes, public_url: str) -> bytes:
    """The answer to the first octets of a request in clear: pages are redirected, tokens and all else are refused."""
    page = None if b"authorization:" in request.lower() else _REDIRECTED.match(request)
    text = f"This port speaks HTTPS only: use {public_url}.\n".encode()
    status = b"307 Temporary Redirect" if page else b"400 Bad Request"
    location = b"Location: " + public_url.encode() + page[2] + b"\r\n" if page else b""
    head = b"HTTP/1.1 " + status + b"\r\n" + location + b"Content-Type: text/plain\r\nConnection: close\r\n"
    return head + f"Content-Length: {len(text)}\r\n\r\n".encode() + text


def tls_context(cert: Path, key: Path, public_url: str) -> ssl.SSLContext:
    """Raises OSError when the files cannot be used."""
    context = TlsContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.sslobject_class = _Connection
    context.cert, context.key, context.public_url = cert, key, public_url
    context.load_cert_chain(cert, key)
    context.load()
    return context


class BoundedLoop(asyncio.SelectorEventLoop):
    """A TLS handshake may take as long as headers may; uvicorn has no option for it, and asyncio allows a minute."""

    async def create_server(self, *args: Any, **keywords: Any) -> asyncio.Server:
        if keywords.get("ssl"):
            keywords.setdefault("ssl_handshake_timeout", HEADER_SECONDS)
        server: asyncio.Server = await super().create_server(*args, **keywords)
        return server
