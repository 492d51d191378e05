"""Fetching a package from where somebody says it is, for the worker: never called in a web request.

Each redirect is a new address, judged like the first; see `kit.outbound`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPResponse

from vnfm.catalog.domain.origin import PACKAGES, Source
from vnfm.catalog.store import Readable
from vnfm.kit.addresses import Place, Policy
from vnfm.kit.outbound import Deadline, answered, basic, told
from vnfm.kit.problem import Problem, ProblemError

MOST_REDIRECTS = 5
CHUNK = 64 * 1024
_REDIRECTS = (301, 302, 303, 307, 308)
_DENIED = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


@contextmanager
def opened(source: Source, policy: Policy, seconds: float, most: int) -> Iterator[Readable]:
    """The package's bytes, which raise ProblemError like this does: SOURCE_… or PACKAGE_TOO_LARGE.

    `seconds` bounds the fetch as a whole; `most` is the length, in bytes, beyond which nothing is begun.
    """
    first = place = policy.place(source.url)
    with Deadline(seconds) as deadline:
        for _ in range(MOST_REDIRECTS + 1):
            headers = _headers(source if place.origin == first.origin else None)
            with answered(place, policy, deadline, headers=headers) as answer:
                location = answer.headers.get("Location")
                if answer.status not in _REDIRECTS or location is None:
                    yield _body(answer, place, deadline, most)
                    return
            place = policy.redirected(place, location)
    raise PACKAGES.refused(f"There are more than {MOST_REDIRECTS} redirects.", "Give the address where they lead.")


def _headers(login: Source | None) -> dict[str, str]:
    headers = {"Accept": "application/zip, */*"}
    if login is not None and login.user_name:
        headers["Authorization"] = basic(login.user_name, login.password)
    return headers


class _Body:
    """Reads an answer to its announced end, and says when it ends before."""

    def __init__(self, answer: HTTPResponse, place: Place, deadline: Deadline) -> None:
        self._answer, self._place, self._deadline = answer, place, deadline

    def read(self, size: int, /) -> bytes:
        with told(self._place, PACKAGES, self._deadline):
            chunk = self._answer.read(min(size, CHUNK))
        if not chunk and self._answer.length:
            missing = f"{self._place.host} ended {self._answer.length} bytes before what it announced."
            raise PACKAGES.problem("INCOMPLETE", missing)
        return chunk


def _body(answer: HTTPResponse, place: Place, deadline: Deadline, most: int) -> Readable:
    if answer.status != HTTPStatus.OK:
        step = "Check userName and password." if answer.status in _DENIED else "Check the address."
        raise PACKAGES.problem("ANSWERS", f"{place.host} answers {answer.status}.", step)
    if answer.length is not None and answer.length > most:
        raise ProblemError(
            Problem(
                422,
                "PACKAGE_TOO_LARGE",
                PACKAGES.title,
                f"{place.host} announces {answer.length} bytes; {most} are allowed.",
                "Leave images out and upload them to Glance.",
            )
        )
    return _Body(answer, place, deadline)
