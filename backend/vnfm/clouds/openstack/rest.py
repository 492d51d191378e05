"""Reading JSON through an SDK proxy. Polls carry thousands of rows, too many for the SDK's resource objects."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from openstack.proxy import Proxy

from vnfm.clouds.errors import TooSlow, Unknown

Params = list[tuple[str, str]]

MAX_PAGES = 1000
"""It bounds one list."""

LIST_SECONDS = 180.0
"""It bounds one list with all its pages, between pages: the last one has its own time."""


SLOW_PAGE, FAST_PAGE = 5.0, 1.0
"""Seconds for a page after which the next is smaller, and below which it is larger."""
_MIN_ROWS, _MAX_ROWS = 25, 1000
"""Nova's own limit is 1,000 unless its operator has set another."""


@dataclass(slots=True)
class PageSize:
    """Rows of a page of a long list, by how long the cloud needed for the last one; shared by all threads."""

    rows: int = 500

    def answered(self, seconds: float) -> None:
        if seconds < FAST_PAGE:
            self.rows = min(_MAX_ROWS, self.rows * 2)
        else:
            self.failed(seconds)

    def failed(self, seconds: float) -> None:
        """There was no page: a refusal that comes at once shows nothing of how long pages take."""
        if seconds > SLOW_PAGE:
            self.rows = max(_MIN_ROWS, self.rows // 2)

    def of(self, query: Params) -> Params:
        """The query for a page of this size."""
        return [*((name, value) for name, value in query if name != "limit"), ("limit", str(self.rows))]


def get(proxy: Proxy, path: str, params: Params | None = None) -> Any:
    """The JSON body; its shape is the service's."""
    return proxy.get(path, params=params or [], raise_exc=True).json()


def pages(
    proxy: Proxy, path: str, key: str, params: Params | None = None, size: PageSize | None = None
) -> Iterator[Mapping[str, Any]]:
    """Every element of a list, page after page, until the service names no next one; each id once.

    With a `size` the pages are as large as the cloud answers in time.

    Raises Unknown for a list that does not end, and TooSlow for one that takes longer than LIST_SECONDS.
    """
    query, known = params or [], set[str]()
    until = monotonic() + LIST_SECONDS
    for _ in range(MAX_PAGES):
        body = get(proxy, path, query) if size is None else _sized(proxy, path, query, size)
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


def _sized(proxy: Proxy, path: str, query: Params, size: PageSize) -> Any:
    began = monotonic()
    try:
        body = get(proxy, path, size.of(query))
    except Exception:
        size.failed(monotonic() - began)
        raise
    size.answered(monotonic() - began)
    return body


def _new_rows(rows: Any, known: set[str]) -> Iterator[Mapping[str, Any]]:
    """Yield those whose id no earlier row has: a list that changes between two pages repeats some."""
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
