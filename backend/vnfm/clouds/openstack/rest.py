"""Reading JSON through an SDK proxy. Polls carry thousands of rows, too many for the SDK's resource objects."""

from collections.abc import Iterator, Mapping
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from openstack.proxy import Proxy

from vnfm.clouds.errors import TooSlow, Unknown

Params = list[tuple[str, str]]

MAX_PAGES = 1000
"""Of one list."""

LIST_SECONDS = 180.0
"""Of one list with all its pages, between pages: the last one has its own time."""


def get(proxy: Proxy, path: str, params: Params | None = None) -> Any:
    """The JSON body; its shape is the service's."""
    return proxy.get(path, params=params or [], raise_exc=True).json()


def pages(proxy: Proxy, path: str, key: str, params: Params | None = None) -> Iterator[Mapping[str, Any]]:
    """Every element of a list, page after page, until the service names no next one; each id once.

    Raises Unknown for a list that does not end, and TooSlow for one that takes longer than LIST_SECONDS.
    """
    query, known = params or [], set[str]()
    until = monotonic() + LIST_SECONDS
    for _ in range(MAX_PAGES):
        body = get(proxy, path, query)
        rows = list(_new_rows(body[key], known))
        yield from rows
        following = _next_page(body, key)
        if not following:
            return
        if not rows or following == query:
            raise Unknown(f"The list {path} does not end: a page has nothing that earlier ones do not have.")
        if monotonic() > until:
            raise TooSlow(f"The list {path} was not complete after {LIST_SECONDS:.0f} s.")
        query = following
    raise Unknown(f"The list {path} does not end: it has more than {MAX_PAGES} pages.")


def _new_rows(rows: Any, known: set[str]) -> Iterator[Mapping[str, Any]]:
    """Those whose id no earlier row has: a list that changes between two pages repeats some."""
    for row in rows:
        name = row.get("id")
        if name is not None:
            if name in known:
                continue
            known.add(name)
        yield row


def _next_page(body: Mapping[str, Any], key: str) -> Params:
    """Only the query of the next link is used: hosts in links are often wrong behind a proxy."""
    links = {link["rel"]: link["href"] for link in body.get(f"{key}_links", ())}
    href = links.get("next") or body.get("next") or ""
    return parse_qsl(urlsplit(href).query, keep_blank_values=True)
