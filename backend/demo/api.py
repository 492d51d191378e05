"""A small client of the public API."""

import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO, TypeVar

import requests
from requests.adapters import HTTPAdapter

T = TypeVar("T")

UNREACHABLE = "UNREACHABLE"
"""The code of a DemoError when the product does not answer."""
SERVER_ERROR = 500
"""The first status that says nothing about the request itself."""


class DemoError(Exception):
    """A failure or an unexpected result; the message is a sentence for the terminal.

    `code` is that of the API's problem document, "" without one; `status` is the HTTP status, 0 without an answer.
    """

    def __init__(self, message: str, code: str = "", status: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


class _OwnCertificate(HTTPAdapter):
    """Trusts one certificate, for any host name: the product on this machine serves it."""

    def __init__(self, cert: str) -> None:
        self._cert = cert
        super().__init__()

    def init_poolmanager(self, *args: Any, **keywords: Any) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        context.load_verify_locations(cafile=self._cert)
        super().init_poolmanager(*args, ssl_context=context, assert_hostname=False, **keywords)


class Api:
    """JSON over HTTP with a bearer token; a problem+json answer raises DemoError with its whole explanation.

    `tls_cert` is a file with the only certificate to trust; "" trusts those of this machine.
    """

    def __init__(self, url: str, token: str, tls_cert: str = "") -> None:
        self.url = url.rstrip("/")
        self._session = requests.Session()
        if tls_cert:
            self._session.mount(self.url, _OwnCertificate(tls_cert))
        self._session.headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str) -> Any:
        return self._call("GET", path).json()

    def pages(self, path: str) -> list[Any]:
        """Return all rows of a list, from all its pages."""
        rows: list[Any] = []
        while path:
            answer = self._call("GET", path)
            rows += answer.json()
            path = answer.links.get("next", {}).get("url", "")
        return rows

    def put_file(self, path: str, content: BinaryIO, content_type: str) -> None:
        """Send a file from its current position, without loading it into memory."""
        self._call("PUT", path, data=content, headers={"Content-Type": content_type})

    def post(self, path: str, body: Mapping[str, Any] | None = None) -> requests.Response:
        return self._call("POST", path, body)

    def patch(self, path: str, body: Mapping[str, Any]) -> Any:
        return self._call("PATCH", path, body).json()

    def delete(self, path: str) -> None:
        self._call("DELETE", path)

    def _call(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, **more: Any
    ) -> requests.Response:  # Any: what requests takes
        url = path if path.startswith("http") else self.url + path
        try:
            response = self._session.request(method, url, json=body, timeout=60, **more)
        except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError) as error:
            raise DemoError(f"{self.url} does not answer: is ./vnfm up running? ({error})", UNREACHABLE) from error
        if not response.ok:
            message = f"{method} {path} answered {response.status_code}\n{explain(response)}"
            raise DemoError(message, _problem(response).get("code", ""), response.status_code)
        return response


def explain(response: requests.Response) -> str:
    """Return a problem as lines for a terminal: title, detail, fields and next step; else the start of the body."""
    problem = _problem(response)
    return explain_problem(problem) if problem else response.text[:500]


def _problem(response: requests.Response) -> Mapping[str, Any]:
    """Return the problem document, empty if the answer is not one."""
    try:
        problem = response.json()
    except requests.JSONDecodeError:
        return {}
    return problem if isinstance(problem, dict) else {}


def explain_problem(problem: Mapping[str, Any]) -> str:
    lines = [str(problem.get("detail") or problem.get("title") or "")]
    lines += [f"  at {error['field'] or '/'}: {error['message']}" for error in problem.get("errors", [])]
    lines += [f"  {cause['source']}: {cause['message']}" for cause in problem.get("causes", [])]
    if problem.get("nextStep"):
        lines.append(f"  next: {problem['nextStep']}")
    return "\n".join(lines)


def wait_for(what: str, look: Callable[[], T | None], seconds: float, every: float = 0.2) -> T:
    """Poll until `look` returns something. Raises DemoError with `what` if it does not within `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        found = look()
        if found is not None:
            return found
        if time.monotonic() > deadline:
            raise DemoError(f"{what}: this did not happen within {seconds:.0f} s.")
        time.sleep(every)


def unless_away(look: Callable[[], T | None], seconds: float = 60) -> Callable[[], T | None]:
    """Wrap `look` for `wait_for`: no answer and 5xx count as nothing found, unless they last for `seconds`.

    The awaited work continues while the server restarts or hands over to another one.
    """
    away_since: float | None = None

    def look_again() -> T | None:
        nonlocal away_since
        try:
            found = look()
        except DemoError as error:
            if error.code != UNREACHABLE and error.status < SERVER_ERROR:
                raise
            away_since = away_since or time.monotonic()
            if time.monotonic() - away_since > seconds:
                raise
            return None
        away_since = None
        return found

    return look_again


@contextmanager
def timed() -> Iterator[Callable[[], float]]:
    """Yield a function that returns the seconds since the block began."""
    start = time.monotonic()
    yield lambda: time.monotonic() - start
