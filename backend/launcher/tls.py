"""Checks the certificate and key of `vnfm up` before anything starts, and makes our own calls trust them."""

import ssl
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from launcher.errors import LaunchError

SOON_DAYS = 14
_DAY = 86400.0
_OTHERS_READ = 0o077
_EXPIRED, _NOT_YET_VALID = 10, 9
"""OpenSSL's X509_V_ERR_CERT_HAS_EXPIRED and X509_V_ERR_CERT_NOT_YET_VALID."""


@dataclass(frozen=True)
class TlsFiles:
    """PEM files: the certificate with its intermediate certificates, and its private key."""

    cert: Path
    key: Path


@dataclass(frozen=True)
class Certificate:
    """`names` are its host names and addresses; `until` is its end in seconds since 1970."""

    names: tuple[str, ...]
    until: float
    warnings: tuple[str, ...] = ()

    def host_of(self, listen: str) -> str:
        """Return the host of the public URL: the listening address if the certificate has it, else its first name.

        `listen` is "" for all addresses.
        """
        plain = [name for name in self.names if "*" not in name]
        return listen if listen in plain or not plain else plain[0]


def check(files: TlsFiles) -> Certificate:
    """Return the certificate after a TLS handshake in memory. Raises LaunchError if it cannot be used."""
    for file in (files.cert, files.key):
        _require_readable(file)
    server = _server_context(files)
    found = _handshake(server, _trusting(files.cert, files), files)
    names = tuple(str(value) for kind, value in found.get("subjectAltName", ()) if kind in ("DNS", "IP Address"))
    until = float(ssl.cert_time_to_seconds(str(found["notAfter"])))
    return Certificate(names, until, tuple(_warnings(files, names, until)))


def client_context(cert: Path) -> ssl.SSLContext:
    """Return a context for our own calls on this machine: it trusts this certificate alone, for any host name."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    context.load_verify_locations(cafile=cert)
    return context


def _require_readable(file: Path) -> None:
    try:
        file.read_bytes()
    except FileNotFoundError:
        raise LaunchError(f"{file} does not exist: name PEM files with --tls-cert and --tls-key.") from None
    except OSError as error:
        raise LaunchError(f"{file} cannot be read ({error.strerror}): name another file.") from None


def _server_context(files: TlsFiles) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(files.cert, files.key, password=lambda: _refuse_password(files.key))
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise LaunchError(f"The key {files.key} does not belong to the certificate {files.cert}.") from None
        raise LaunchError(_broken(files)) from None
    return context


def _refuse_password(key: Path) -> NoReturn:
    raise LaunchError(f"The key {key} is protected by a password: store it without one, readable by its owner only.")


def _broken(files: TlsFiles) -> str:
    """Return a sentence that names the file that OpenSSL could not read."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=files.cert)
    except ssl.SSLError:
        return f"{files.cert} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)."
    return f"{files.key} holds no private key in PEM form that can be used (-----BEGIN PRIVATE KEY-----)."


def _trusting(cert: Path, files: TlsFiles) -> ssl.SSLContext:
    try:
        return client_context(cert)
    except ssl.SSLError:
        raise LaunchError(_broken(files)) from None


def _handshake(server: ssl.SSLContext, client: ssl.SSLContext, files: TlsFiles) -> dict[str, Any]:
    """Return the certificate as a client gets it, after a handshake with a client that trusts it."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = [server.wrap_bio(to_server, to_client, server_side=True), client.wrap_bio(to_client, to_server)]
    waiting = list(sides)
    while waiting:
        for side in list(waiting):
            try:
                side.do_handshake()
                waiting.remove(side)
            except ssl.SSLWantReadError:
                continue
            except ssl.SSLCertVerificationError as error:
                raise LaunchError(_not_valid(files.cert, error)) from None
            except ssl.SSLError as error:
                raise LaunchError(f"{files.cert} cannot be used for TLS: {error.reason or error}.") from None
    return dict(sides[1].getpeercert() or {})


def _not_valid(cert: Path, error: ssl.SSLCertVerificationError) -> str:
    if error.verify_code == _EXPIRED:
        return f"The certificate {cert} has expired: renew it, then run the command again."
    if error.verify_code == _NOT_YET_VALID:
        return f"The certificate {cert} is not valid yet: check the clock of this machine."
    return f"The certificate {cert} cannot be used by a server: {error.verify_message}."


def _warnings(files: TlsFiles, names: tuple[str, ...], until: float) -> list[str]:
    found = []
    if files.key.stat().st_mode & _OTHERS_READ:
        found.append(f"Warning: other users may read the key {files.key}: run chmod 600 {files.key}.")
    if not names:
        found.append(f"Warning: the certificate {files.cert} names no host (subjectAltName): browsers refuse it.")
    if (days := (until - time.time()) / _DAY) < SOON_DAYS:
        found.append(f"Warning: the certificate {files.cert} expires in {days:.0f} days.")
    return found
