"""The one place that turns what keystoneauth, openstacksdk, heatclient and requests raise into our taxonomy.

OpenStack's message, the HTTP status and the request id are preserved. The class of an error decides whether the driver
tries again (DESIGN "Driver"), so the odd statuses of ten years of OpenStack are mapped here: for a quota Neutron
answers 409 and Nova 403 or 413, for its limit on stacks Heat answers 400.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from email.utils import parsedate_to_datetime
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import requests
from heatclient import exc as heat
from keystoneauth1 import exceptions as keystone
from openstack import exceptions as sdk

from vnfm.clouds.errors import (
    CloudError,
    Conflict,
    Denied,
    Failed,
    NotFound,
    QuotaExceeded,
    RateLimited,
    Rejected,
    TooSlow,
    Transient,
    Unknown,
)
from vnfm.clouds.openstack.bounds import MAX_ERROR, AnswerTooLargeError
from vnfm.clouds.openstack.markup import plain_text
from vnfm.kit.clock import now
from vnfm.kit.patterns import pattern
from vnfm.kit.problem import Source

P = ParamSpec("P")
R = TypeVar("R")

_QUOTA = pattern(
    r"(?i)(?:^|[^:]|[^:]:)quota|overlimit|over limit|maximum number of|maximum resources per stack|maximum stacks per"
    r"|exceeds the limit|no more (floating )?ip addresses|image storage media is full|incoming image is too large"
)
"""Words of a limit: Nova "Quota exceeded for cores", Neutron "Quota exceeded for resources", Glance "The limit has been
exceeded … quota", and with 413 "Image storage media is full" and "The incoming image is too large", Heat "You have
reached the maximum stacks per tenant", "Maximum resources per stack exceeded"."""

_BY_STATUS: dict[int, type[CloudError]] = {
    401: Denied,
    403: Denied,
    404: NotFound,
    408: Transient,
    409: Conflict,
    410: NotFound,
    412: Conflict,
    413: RateLimited,
    429: RateLimited,
    501: Rejected,
    505: Rejected,
}
_CLIENT_ERRORS, _SERVER_ERRORS = 400, 500
_TEMPLATE_FAULT = pattern(r"Circular Dependency Found")
"""Heat's words for a fault of the template that it answers with 500 (CircularDependencyException)."""
_QUOTA_STATUSES = frozenset({400, 403, 409, 413})
_MAX_TEXT = 500
"""Characters of an answer that a message holds."""

TOKEN_PATHS = ("/auth/tokens", "/auth/projects")
"""Keystone's paths for tokens and their projects."""


def translate_errors(service: Source) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorates a call to `service`: anything it raises becomes a `CloudError`."""

    def decorate(call: Callable[P, R]) -> Callable[P, R]:
        @wraps(call)
        def translated(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return call(*args, **kwargs)
            except CloudError:
                raise
            except Exception as error:
                raise translate(error, service) from error

        return translated

    return decorate


def translate(error: Exception, service: Source) -> CloudError:
    """The class of the taxonomy for an error of a call to `service`."""
    if isinstance(error, keystone.UnknownConnectionError) and isinstance(error.original, AnswerTooLargeError):
        error = error.original
    response = _response(error)
    status = _status(error)
    if status is not None:
        return _from_status(status, _message_of(error, response), _service_of(error, response, service), response)
    if isinstance(error, keystone.SSLError | requests.exceptions.SSLError):
        return Transient(
            _message_of(error, None), service=_service_of(error, None, service), offending_fields=("cacert",)
        )
    kind = TooSlow if _is_late(error) else _by_type(error)
    return kind(_message_of(error, response), service=_service_of(error, response, service))


def _is_late(error: Exception) -> bool:
    """True if the connection was there and the answer was not: keystoneauth calls both a ConnectTimeout."""
    return isinstance(error, keystone.ConnectTimeout) and isinstance(error.__context__, requests.exceptions.ReadTimeout)


def class_of_status(answer: requests.Response) -> str:
    """The name of the class for an answer with an error that the client did not raise."""
    return type(_from_status(answer.status_code, "", "openstack", answer)).__name__


def _by_type(error: Exception) -> type[CloudError]:
    kinds: tuple[tuple[tuple[type[Exception], ...], type[CloudError]], ...] = (
        (
            (keystone.EndpointNotFound, keystone.EmptyCatalog, sdk.EndpointNotFound, sdk.ServiceDisabledException),
            NotFound,
        ),
        ((keystone.ConnectFailure, keystone.ConnectTimeout, keystone.UnknownConnectionError), Transient),
        ((keystone.ConnectionError, heat.CommunicationError, sdk.ResourceTimeout), Transient),
        ((sdk.ResourceFailure,), Failed),
        ((sdk.DuplicateResource,), Conflict),
        ((sdk.InvalidRequest, sdk.ValidationException, sdk.InvalidResourceQuery, heat.CommandError), Rejected),
        ((keystone.AuthorizationFailure, keystone.MissingAuthMethods), Denied),
        ((requests.exceptions.JSONDecodeError, json.JSONDecodeError, AnswerTooLargeError), Unknown),
        ((requests.exceptions.RequestException, TimeoutError, ConnectionError), Transient),
    )
    return next((ours for theirs, ours in kinds if isinstance(error, theirs)), Unknown)


def _from_status(status: int, words: str, service: Source, response: requests.Response | None) -> CloudError:
    kind = _BY_STATUS.get(status, Transient if status >= _SERVER_ERRORS else Rejected)
    if status < _CLIENT_ERRORS:
        kind = Unknown
    if status in _QUOTA_STATUSES and _QUOTA.search(words):
        kind = QuotaExceeded
    if status >= _SERVER_ERRORS and _TEMPLATE_FAULT.search(words):
        kind = Rejected
    error = kind(words, service=service, http_status=status, request_id=request_id_of(response))
    if isinstance(error, RateLimited):
        error.retry_after = _retry_after(response)
    return error


def _retry_after(response: requests.Response | None) -> float | None:
    """Seconds; HTTP allows a date as well, and a cloud without either leaves it to us."""
    value = response.headers.get("retry-after", "") if response is not None else ""
    if value.isdecimal():
        return float(value)
    with suppress(ValueError, TypeError):
        return max(0.0, (parsedate_to_datetime(value) - now()).total_seconds())
    return None


def _response(error: Exception) -> requests.Response | None:
    response = getattr(error, "response", None)
    return response if isinstance(response, requests.Response) else None


def _status(error: Exception) -> int | None:
    if isinstance(error, keystone.HttpError):
        return error.http_status
    if isinstance(error, sdk.HttpException):
        return error.status_code
    if isinstance(error, heat.HTTPException):
        return error.code if isinstance(error.code, int) else None
    return None


def request_id_of(response: requests.Response | None) -> str:
    """Nova of Liberty has a header name of its own."""
    if response is None:
        return ""
    headers = response.headers
    return headers.get("x-openstack-request-id") or headers.get("x-compute-request-id") or ""


def _service_of(error: Exception, response: requests.Response | None, called: Source) -> Source:
    """Keystone, if the token was to be renewed within a call to another service."""
    url = (response.url if response is not None else "") or ""
    if any(path in url for path in TOKEN_PATHS):
        return "keystone"
    if response is None and any(path in str(error) for path in TOKEN_PATHS):
        return "keystone"
    return called


def _message_of(error: Exception, response: requests.Response | None) -> str:
    """Return the text of the service itself, else the client's own message."""
    text = _text_of_answer(response) if response is not None else ""
    if text:
        return text
    if isinstance(error, LookupError | TypeError | AttributeError | json.JSONDecodeError):
        return f"The answer is not as OpenStack's API has it ({type(error).__name__}: {error})."
    if isinstance(error, heat.HTTPException):
        body: Any = error.error
        answer = body["error"] if isinstance(body, dict) else None
        # Heat gives every error a type; without one, heatclient has put the whole page in the message's place.
        return (
            str(answer["message"])
            if isinstance(answer, dict) and "type" in answer
            else _without_message(error.code, "")
        )
    return str(getattr(error, "details", None) or getattr(error, "message", None) or error or type(error).__name__)


def _text_of_answer(response: requests.Response) -> str:
    """OpenStack's message in the answer; of any other page only its type; "" without content.

    A VIM's URL may lead to any server: its content must not be readable through us.
    """
    kind = response.headers.get("content-type", "")
    text = ""
    if "json" in kind:
        with suppress(ValueError, RecursionError):
            text = _message_in(response.json())
    elif request_id_of(response):
        text = plain_text(response.text[:MAX_ERROR])
    elif not response.content:
        return ""
    text = " ".join(text.split())
    if not text:
        return _without_message(response.status_code, kind)
    return text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]}…"


def _without_message(status: int | None, kind: str) -> str:
    return f"HTTP {status} ({kind or 'of no content type'}) without a message of OpenStack's."


def _message_in(body: Any) -> str:
    """Every service wraps its message in an object of its own naming; Heat adds a platitude."""
    if not isinstance(body, dict):
        return ""
    if "error" in body:
        return body["error"] if isinstance(body["error"], str) else _message_in(body["error"])
    message = body.get("message") or body.get("faultstring")
    if isinstance(message, str):
        return message
    return next((words for words in map(_message_in, body.values()) if words), "")
