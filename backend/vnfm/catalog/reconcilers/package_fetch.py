"""Downloads a package, or a file that its templates name, from a URL, in the worker: never called in a web request.

The address policy is applied to each redirect; see `kit.outgoing.outbound`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http import HTTPStatus
from http.client import HTTPResponse
from time import monotonic

from vnfm.catalog.artifacts.store import ByteSource
from vnfm.catalog.domain.documents import MAX_BYTES
from vnfm.catalog.domain.errors import PackageError
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.hot.external_files import redacted_url
from vnfm.catalog.domain.package_source import TEMPLATE_FILES, PackageUri
from vnfm.catalog.services.onboarding import fetch_policy
from vnfm.kit.outgoing.addresses import OutboundPolicy, OutboundPurpose, OutboundUrl
from vnfm.kit.outgoing.outbound import Deadline, basic, send, translate_errors
from vnfm.kit.problem import Problem, ProblemError

MAX_REDIRECTS = 5
CHUNK = 64 * 1024
FILE_SECONDS = 60.0
"""For one file of a template."""
FILES_SECONDS = 180.0
"""Limit for all files of the templates of one package, during which its slot is not free for another package."""
_SMALLER = "Name a smaller file in the template."
_REDIRECTS = (301, 302, 303, 307, 308)
_DENIED = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


@contextmanager
def open_source(source: PackageUri, policy: OutboundPolicy, seconds: float, max_bytes: int) -> Iterator[ByteSource]:
    """The bytes at the URL. Opening and reading raise ProblemError: SOURCE_… or PACKAGE_TOO_LARGE.

    `seconds` limits the whole download; a body that announces more than `max_bytes` is not read.
    """
    first = place = policy.parse_url(source.url)
    with Deadline(seconds) as deadline:
        for _ in range(MAX_REDIRECTS + 1):
            headers = _headers(source if place.origin == first.origin else None)
            with send(place, policy, deadline, headers=headers) as answer:
                location = answer.headers.get("Location")
                if answer.status not in _REDIRECTS or location is None:
                    yield _body(answer, place, policy, deadline, max_bytes)
                    return
            place = policy.redirected(place, location)
    raise policy.purpose.refused(f"There are more than {MAX_REDIRECTS} redirects.", "Give the final address.")


class FileFetcher:
    """Fetches the files of one package's templates, under the rules for packages; all together within `seconds`."""

    def __init__(self, seconds: float = FILES_SECONDS) -> None:
        self._seconds = self._left = seconds

    def fetch(self, missing: Finding) -> bytes:
        """The file at the finding's URL; raises PackageError with the template's line."""
        began = monotonic()
        try:
            return self._fetch(missing.url)
        except ProblemError as error:
            problem = error.problem
            fault = replace(missing.as_fault(), message=f"{redacted_url(missing.url)} is not fetched. {problem.detail}")
            finding = replace(missing, code="FILE_NOT_FETCHED", message=fault.message)
            step = _SMALLER if problem.code == "PACKAGE_TOO_LARGE" else problem.next_step
            raise PackageError("FILE_NOT_FETCHED", [fault], step, findings=[finding.as_json()]) from error
        finally:
            self._left -= monotonic() - began

    def _fetch(self, url: str) -> bytes:
        if self._left <= 0:
            raise TEMPLATE_FILES.problem(
                "TOO_SLOW", f"The files before it took {self._seconds:.0f} s, all that they may."
            )
        policy, seconds = fetch_policy(TEMPLATE_FILES), min(FILE_SECONDS, self._left)
        with open_source(PackageUri(url), policy, seconds, MAX_BYTES) as body:
            return _whole(body)


def _whole(body: ByteSource) -> bytes:
    data = b""
    while chunk := body.read(CHUNK):
        data += chunk
        if len(data) > MAX_BYTES:
            raise TEMPLATE_FILES.problem("TOO_LARGE", f"It has more than {MAX_BYTES} bytes.", _SMALLER)
    return data


def _headers(login: PackageUri | None) -> dict[str, str]:
    headers = {"Accept": "application/zip, */*"}
    if login is not None and login.user_name:
        headers["Authorization"] = basic(login.user_name, login.password)
    return headers


class _Body:
    """Raises ProblemError when the answer ends before its announced length."""

    def __init__(self, answer: HTTPResponse, place: OutboundUrl, purpose: OutboundPurpose, deadline: Deadline) -> None:
        self._answer, self._place, self._purpose, self._deadline = answer, place, purpose, deadline

    def read(self, size: int, /) -> bytes:
        with translate_errors(self._place, self._purpose, self._deadline):
            chunk = self._answer.read(min(size, CHUNK))
        if not chunk and self._answer.length:
            missing = f"{self._place.host} sent {self._answer.length} bytes less than it announced."
            raise self._purpose.problem("INCOMPLETE", missing)
        return chunk


def _body(
    answer: HTTPResponse, place: OutboundUrl, policy: OutboundPolicy, deadline: Deadline, max_bytes: int
) -> ByteSource:
    purpose = policy.purpose
    if answer.status != HTTPStatus.OK:
        login = answer.status in _DENIED and purpose.login
        step = f"Check {login}." if login else f"Check the address{purpose.or_else(', or ')}."
        raise purpose.problem("ANSWERS", f"{place.host} answers {answer.status}.", step)
    if answer.length is not None and answer.length > max_bytes:
        raise ProblemError(
            Problem(
                422,
                "PACKAGE_TOO_LARGE",
                purpose.title,
                f"{place.host} announces {answer.length} bytes; {max_bytes} are allowed.",
                "Leave images out and upload them to Glance.",
            )
        )
    return _Body(answer, place, purpose, deadline)
