"""`Idempotency-Key` on any POST: a request repeated because its answer was lost gets that answer, and no second effect.

ETSI leaves this open; the header is that of draft-ietf-httpapi-idempotency-key-header. The effect and the record of its
answer are one transaction, and the claim on the key is an advisory lock that lives exactly as long: a crash at any
moment leaves neither, and the request may be repeated.

That transaction spans the whole view, also where the view waits up to 15 s for a worker (POST /api/v1/vims, instantiate
with credentials of an unknown cloud, a subscription). `kit.durable.worker_request` writes its row outside of it, on a
connection of its own, so that the worker sees it. No row is locked and no snapshot held while the view waits.

Only successful answers are kept. A refusal (4xx) changed nothing, so the same request is evaluated again, as a caller
expects who waited for a state to change; a 5xx is rolled back, whatever the view had written. An answer that is not to
be stored (`Cache-Control: no-store`, such as a console's URL) is not kept either.
"""

import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.crypto import salted_hmac
from rest_framework.exceptions import APIException
from rest_framework.status import is_client_error, is_server_error
from rest_framework.views import APIView

from vnfm.kit import clock
from vnfm.kit.models import IdempotentAnswer
from vnfm.kit.problem import Problem, ProblemError
from vnfm.kit.seal import seal, unseal
from vnfm.kit.web.http import plain_problem_response
from vnfm.kit.web.middleware import Middleware

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"

KEEP = timedelta(hours=24)
"""An answer is repeated for this time; afterwards the key counts as new."""

_KEY = re.compile(r"[!-~]{1,255}")

View = Callable[..., HttpResponseBase]


class Idempotency(Middleware):
    """Wraps every POST that carries the header and whose caller is known; the innermost of our middlewares.

    The key belongs to its caller. Without a user the header is ignored.
    """

    def process_view(
        self, request: HttpRequest, view: View, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponseBase | None:
        key = request.headers.get(HEADER)
        if request.method != "POST" or key is None:
            return None
        caller = _caller(request, view)
        if caller is None:
            return None
        if not _KEY.fullmatch(key):
            return plain_problem_response(_INVALID)
        with transaction.atomic():
            return _once(caller, key, request, lambda: view(request, *args, **kwargs))


def _caller(request: HttpRequest, view: View) -> str | None:
    """The id of the request's user; None without one: the view then answers with its own refusal."""
    cls = getattr(view, "cls", None)
    if cls is None or not issubclass(cls, APIView):
        return None
    try:
        user = cls().initialize_request(request).user
    except (APIException, ProblemError):
        return None
    return str(user.pk) if isinstance(user, AbstractBaseUser) else None


def _once(caller: str, key: str, request: HttpRequest, effect: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """The answer of the first request with this key, or `effect` and what it answers."""
    with connection.cursor() as cursor:
        name = f"idempotency {caller} {key}"
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        if cursor.fetchone() != (True,):
            return plain_problem_response(_UNDER_WAY)
    # Read after the lock: its previous holder had committed when it was released, so we see its answer.
    fingerprint = _fingerprint(request)
    known = IdempotentAnswer.objects.filter(caller=caller, key=key).first()
    if known is not None:
        return _replay(known) if bytes(known.fingerprint) == fingerprint else plain_problem_response(_REUSED)
    answer = effect()
    if is_server_error(answer.status_code):
        transaction.set_rollback(True)
    elif not is_client_error(answer.status_code) and isinstance(answer, HttpResponse) and _may_be_stored(answer):
        _keep(caller, key, fingerprint, answer)
    return answer


def _fingerprint(request: HttpRequest) -> bytes:
    """Keyed, as a body may hold a password: a plain digest would allow guessing offline.

    With another SECRET_KEY, or after a change of this digest, none matches: a repeated request then gets the answer
    that its key was used for another.
    """
    content = request.get_full_path().encode() + b"\0" + request.body
    return salted_hmac("vnfm.kit.web.idempotency", content, algorithm="sha256").digest()


def _may_be_stored(answer: HttpResponse) -> bool:
    return "no-store" not in str(answer.get("Cache-Control", ""))


def _keep(caller: str, key: str, fingerprint: bytes, answer: HttpResponse) -> None:
    """Sealed as a whole: an answer may hold a secret, such as a new token, that is stored nowhere else."""
    if hasattr(answer, "render"):
        answer.render()
    content = {
        "status": answer.status_code,
        "headers": dict(answer.headers.items()),
        "body": answer.content.decode(),
    }
    IdempotentAnswer.objects.create(caller=caller, key=key, fingerprint=fingerprint, sealed_answer=seal(content))


def _replay(known: IdempotentAnswer) -> HttpResponse:
    content = unseal(known.sealed_answer)
    headers: Mapping[str, str] = content["headers"]
    return HttpResponse(content["body"], status=content["status"], headers={**headers, REPLAYED: "true"})


def prune(keep: timedelta) -> int:
    """Forget answers older than `keep`; returns how many."""
    return IdempotentAnswer.objects.filter(created_at__lt=clock.now() - keep).delete()[0]


_INVALID = Problem(
    400,
    "INVALID_IDEMPOTENCY_KEY",
    "Bad request",
    f"The {HEADER} must be 1 to 255 printable ASCII characters without spaces.",
    "Send a fresh UUID for every new request, and the same one when you repeat it.",
)
_UNDER_WAY = Problem(
    409,
    "IDEMPOTENCY_KEY_IN_USE",
    "Conflict",
    f"The first request with this {HEADER} is still under way.",
    "Wait a moment and repeat it: the answer will be that of the first.",
)
_REUSED = Problem(
    422,
    "IDEMPOTENCY_KEY_REUSED",
    "Invalid input",
    f"This {HEADER} was used for another request.",
    "Use a fresh key for every new request; repeat a request with the same path and the same body.",
)
