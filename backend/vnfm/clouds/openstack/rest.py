"""Reading JSON through an SDK proxy. Polls carry thousands of rows, too many for the SDK's resource objects."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from openstack.proxy import Proxy

Params = list[tuple[str, str]]


def get(proxy: Proxy, path: str, params: Params | None = None) -> Any:
    """The JSON body; its shape is the service's."""
    return proxy.get(path, params=params or [], raise_exc=True).json()


def pages(proxy: Proxy, path: str, key: str, params: Params | None = None) -> Iterator[Mapping[str, Any]]:
    """Every element of a list, page after page, until the service names no next one."""
    query = params or []
    while True:
        body = get(proxy, path, query)
        yield from body[key]
        following = _next_page(body, key)
        if not following or following == query:
            return
        query = following


def _next_page(body: Mapping[str, Any], key: str) -> Params:
    """Only the query of the next link is used: hosts in links are often wrong behind a proxy."""
    links = {link["rel"]: link["href"] for link in body.get(f"{key}_links", ())}
    href = links.get("next") or body.get("next") or ""
    return parse_qsl(urlsplit(href).query, keep_blank_values=True)
