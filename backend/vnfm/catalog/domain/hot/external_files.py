"""Files that templates name by URLs: fetched at onboarding, if the user allows it, and stored with the package."""

import re
from hashlib import sha256
from urllib.parse import urljoin, urlsplit

from vnfm.kit.patterns import pattern

FOLDER = "fetched"
"""Folder of the package with the copies, by scheme, host and path of their URLs."""
_LONGEST = 250
_PLAIN = pattern(r"https?://[a-z0-9.-]+(?::\d+)?(?:/[\w~-][\w.~-]*)+")
_UNSAFE = re.compile(r"[^\w.-]", re.ASCII)
_LOGIN = pattern(r"://[^/?#]*@")
_QUERY = pattern(r"(?s)(://[^?#]*)[?#].*")


def external_url(referrer: str, written: str) -> str:
    """The URL that a name stands for in the file `referrer`; "" for a path.

    As the OpenStack client does it, a name in a fetched template starts at the URL of that template.
    """
    try:
        url = urljoin(_url_of(referrer), written)
        return url if urlsplit(url).scheme in ("http", "https") and url.isprintable() and " " not in url else ""
    except ValueError:
        return ""


def stored_path(url: str) -> str:
    """Return the path of the copy in the package: legible where the URL is plain, else under its hash."""
    if _PLAIN.fullmatch(url) and len(url) <= _LONGEST:
        return f"{FOLDER}/{url.replace('://', '/')}"
    name = _UNSAFE.sub("_", urlsplit(url).path.rpartition("/")[2])[-60:]
    return f"{FOLDER}/{sha256(url.encode()).hexdigest()[:16]}/_{name}"


def redacted_url(written: str) -> str:
    """A file's name for messages: a URL without its login and query, which can be secret."""
    return _QUERY.sub(lambda found: f"{found[1]}?…", _LOGIN.sub("://", written))


def is_copy(path: str) -> bool:
    return path.startswith(f"{FOLDER}/")


def _url_of(path: str) -> str:
    """The URL of a copy; "" for other files, and for a URL that is not plain."""
    folder, _, rest = path.partition("/")
    scheme, _, place = rest.partition("/")
    url = f"{scheme}://{place}"
    return url if folder == FOLDER and _PLAIN.fullmatch(url) else ""
