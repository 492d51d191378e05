"""The NFVO that grants operations, and how we log in there. Part of `settings`."""

import os
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured


def _nfvo_url(url: str, setting: str = "VNFM_NFVO_GRANT_URL") -> str:
    """In clear only within this machine: the token goes there."""
    parts = urlsplit(url)
    local = parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost", "::1")
    plain = not (parts.username or parts.password or parts.query or parts.fragment)
    if url and not (plain and parts.hostname and (parts.scheme == "https" or local)):
        raise ImproperlyConfigured(f"{setting} must be as https://nfvo.example/grant/v1, and hold no password.")
    return url.rstrip("/")


NFVO_GRANT_URL = _nfvo_url(os.environ.get("VNFM_NFVO_GRANT_URL", ""))
"""Root of the NFVO's grant interface (SOL003 9); "" lets the VNFM grant by itself (ADR-0007)."""
NFVO_TOKEN_FILE = os.environ.get("VNFM_NFVO_TOKEN_FILE", "")
"""File with the bearer token for the NFVO, read at each use; "" sends none."""
NFVO_CLIENT_ID = os.environ.get("VNFM_NFVO_CLIENT_ID", "")
"""Our name at the NFVO, its secret is in NFVO_SECRET_FILE; for HTTP Basic, or OAuth 2.0 where NFVO_TOKEN_URL is set."""
NFVO_SECRET_FILE = os.environ.get("VNFM_NFVO_SECRET_FILE", "")
NFVO_TOKEN_URL = _nfvo_url(os.environ.get("VNFM_NFVO_TOKEN_URL", ""), "VNFM_NFVO_TOKEN_URL")
if bool(NFVO_CLIENT_ID) != bool(NFVO_SECRET_FILE) or (NFVO_TOKEN_URL and not NFVO_CLIENT_ID):
    raise ImproperlyConfigured("VNFM_NFVO_CLIENT_ID, VNFM_NFVO_SECRET_FILE and VNFM_NFVO_TOKEN_URL belong together.")
CLIENT_CERT, CLIENT_KEY = os.environ.get("VNFM_CLIENT_CERT", ""), os.environ.get("VNFM_CLIENT_KEY", "")
"""Files with the client certificate, and its key, that we show to the NFVO and to subscribers with TLS_CERT."""
if bool(CLIENT_CERT) != bool(CLIENT_KEY):
    raise ImproperlyConfigured("VNFM_CLIENT_CERT and VNFM_CLIENT_KEY belong together.")
NFVO_CACERT = os.environ.get("VNFM_NFVO_CACERT", "")
"""File with the CA certificates that the NFVO's certificate is checked against; "" means the usual public ones."""
