"""VRP never prints a secret that it was given: what follows `cipher` is printed encrypted, and taken back that way."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode

_MARK = "%^%#"
_PLAIN = re.compile(r"(?<=\bcipher )(?!%\^%#)\S+")
_CIPHER = re.compile(r"%\^%#(\S+)%\^%#")


def encrypted(line: str) -> str:
    """The line as the router prints it. This is no encryption: it only hides the secret from a comparison."""
    return _PLAIN.sub(lambda found: _MARK + urlsafe_b64encode(found[0].encode()).decode() + _MARK, line)


def decrypted(line: str) -> str:
    """The line with the secrets of what the router has printed before."""
    return _CIPHER.sub(lambda found: urlsafe_b64decode(found[1]).decode(), line)
