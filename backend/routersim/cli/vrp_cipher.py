"""Secrets after `cipher`, which VRP prints encrypted and accepts in that form."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode

_MARK = "%^%#"
_PLAIN = re.compile(r"(?<=\bcipher )(?!%\^%#)\S+")
_CIPHER = re.compile(r"%\^%#(\S+)%\^%#")


def encrypted(line: str) -> str:
    """Return the line as the router prints it, with secrets encoded only, so that a comparison does not find them."""
    return _PLAIN.sub(lambda found: _MARK + urlsafe_b64encode(found[0].encode()).decode() + _MARK, line)


def decrypted(line: str) -> str:
    """Return a line that the router has printed with its secrets in clear."""
    return _CIPHER.sub(lambda found: urlsafe_b64decode(found[1]).decode(), line)
