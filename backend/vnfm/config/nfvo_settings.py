"""The NFVO that grants operations, a foreign EM that coordinates them, and how we log in there. Part of `settings`."""

import os
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

_EXAMPLES = {"VNFM_EM_COORD_URL": "https://em.example/lcmcoord/v1", "VNFM_EM_TOKEN_URL": "https://em.example/token"}
LONGEST_COORDINATION = 3600


def _nfvo_url(url: str, setting: str = "VNFM_NFVO_GRANT_URL") -> str:
    """It is in clear only within this machine: the token goes there."""
    parts = urlsplit(url)
    local = parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost", "::1")
    plain = not (parts.username or parts.password or parts.query or parts.fragment)
    if url and not (plain and parts.hostname and (parts.scheme == "https" or local)):
        raise ImproperlyConfigured(
            f"{setting} must be as {_EXAMPLES.get(setting, 'https://nfvo.example/grant/v1')}, and hold no password."
        )
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
"""Files with the client certificate, and its key, that we show to the NFVO, the EM and to subscribers with TLS_CERT."""
if bool(CLIENT_CERT) != bool(CLIENT_KEY):
    raise ImproperlyConfigured("VNFM_CLIENT_CERT and VNFM_CLIENT_KEY belong together.")
NFVO_CACERT = os.environ.get("VNFM_NFVO_CACERT", "")
"""File with the CA certificates that the NFVO's certificate is checked against; "" means the usual public ones."""

EM_COORD_URL = _nfvo_url(os.environ.get("VNFM_EM_COORD_URL", ""), "VNFM_EM_COORD_URL")
"""Root of a foreign EM's coordination interface (SOL002 10); "" leaves draining to us (ADR-0074)."""
EM_TOKEN_FILE, EM_CACERT = os.environ.get("VNFM_EM_TOKEN_FILE", ""), os.environ.get("VNFM_EM_CACERT", "")
"""They mean the same as those of the NFVO."""
EM_CLIENT_ID, EM_SECRET_FILE = os.environ.get("VNFM_EM_CLIENT_ID", ""), os.environ.get("VNFM_EM_SECRET_FILE", "")
EM_TOKEN_URL = _nfvo_url(os.environ.get("VNFM_EM_TOKEN_URL", ""), "VNFM_EM_TOKEN_URL")
if bool(EM_CLIENT_ID) != bool(EM_SECRET_FILE) or (EM_TOKEN_URL and not EM_CLIENT_ID):
    raise ImproperlyConfigured("VNFM_EM_CLIENT_ID, VNFM_EM_SECRET_FILE and VNFM_EM_TOKEN_URL belong together.")
EM_ACTION = os.environ.get("VNFM_EM_ACTION", "drain")
"""coordinationActionName that the EM knows for VNFCs that go."""


def _seconds(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= LONGEST_COORDINATION:
        raise ImproperlyConfigured(f"VNFM_EM_SECONDS must be 1 to {LONGEST_COORDINATION} seconds.")
    return int(text)


EM_SECONDS = _seconds(os.environ.get("VNFM_EM_SECONDS", "600"))
"""Within which the EM must have ended a coordination."""
