import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import structlog
from django.apps import apps
from django.conf import settings
from django.db import DatabaseError
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import salted_hmac
from rest_framework.permissions import SAFE_METHODS

from vnfm.accounts.domain.logins import Login
from vnfm.accounts.models import ApiToken, User
from vnfm.accounts.services import audit
from vnfm.kit.web.middleware import Middleware

_OBJECT = re.compile(r"/([a-z_]+)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=/|$)")
_ID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_OPERATION = re.compile(r"/vnf_lcm_op_occs/([0-9a-f-]{36})$")
CREATED = ("id", "name", "username", "vnfInstanceName", "role", "managementAddress", "dryRun")
"""Attributes of a created object that the trail copies, as far as it has them."""
REQUESTED = ("name", "username", "vnfInstanceName", "managementAddress", "dryRun")
"""The part of a refused request that says which object was meant; the rest of its body may be secret."""
OPERATION_PARAMS = (
    *("changeStateTo", "stopType", "terminationType", "type", "aspectId", "numberOfSteps"),
    *("instantiationLevelId", "newFlavourId"),
)
"""Attributes of an accepted request that the trail copies; the names of its VNFCs come with them."""
MOST_NAMED = 20
"""VNFCs that an entry names."""
LONGEST = 300
"""Characters of a reason or of a requested name."""

log = structlog.get_logger(__name__)


class AuditTrail(Middleware):
    """Records every request of a known user that may change something, and how it ended.

    A middleware, because only here is the final status known. Refused logins are recorded by their service.
    """

    def before(self, request: HttpRequest) -> None:
        """The names of the objects in the path, before the request deletes or renames them."""
        if request.method not in SAFE_METHODS:
            try:
                request.META["vnfm.object_names"] = _object_names(request.path)
            except DatabaseError:
                log.warning("audit.names_unknown", path=request.path)  # the view answers that the database is away

    def after(self, request: HttpRequest, response: HttpResponseBase) -> None:
        user = getattr(request, "user", None)  # DRF puts the one it authenticated here
        if request.method in SAFE_METHODS or not isinstance(user, User):
            return
        action = f"{request.method} {response.status_code}"
        try:
            audit(
                actor=user.username,
                action=action,
                target=request.path,
                address=request.META.get("REMOTE_ADDR"),
                detail=_detail(request, response),
            )
        except DatabaseError:
            # The work is done; to answer with an error now would lie about it.
            log.exception("audit.lost", actor=user.username, action=action, path=request.path)


def _object_names(path: str) -> dict[str, str]:
    """Collection → name of its object in the path; see `AUDITED_OBJECTS`."""
    names: dict[str, str] = {}
    for collection, key in _OBJECT.findall(path):
        if collection in settings.AUDITED_OBJECTS:
            model, column = settings.AUDITED_OBJECTS[collection]
            rows: QuerySet[Model] = apps.get_model(model).objects.filter(pk=key)
            name = rows.values_list(column, flat=True).first()
            if name:
                names[collection] = name
    return names


def _detail(request: HttpRequest, response: HttpResponseBase) -> dict[str, Any]:
    """The token or session, the names of the objects in the path, and what was created; never a secret."""
    detail: dict[str, Any] = dict(_credential(request))
    if names := request.META.get("vnfm.object_names"):
        detail["names"] = names
    body = getattr(response, "data", None)
    if response.status_code in (201, 202) and isinstance(body, dict):
        detail |= {name: _copied(body[name]) for name in CREATED if body.get(name)}
    if response.status_code >= HTTPStatus.BAD_REQUEST:
        detail |= _requested(response) | _reason(body)
    if operation := _OPERATION.search(response.headers.get("Location", "")):
        detail |= {"operation": operation[1]} | _operation_params(response)
    return detail


def _operation_params(response: HttpResponseBase) -> dict[str, Any]:
    """The parameters of the operation that an accepted request began; see OPERATION_PARAMS."""
    body = _body(response)
    params: dict[str, Any] = {
        name: _copied(body[name]) for name in OPERATION_PARAMS if isinstance(body.get(name), str | bool | int)
    }
    ids = [each for each in body.get("vnfcInstanceId") or () if _ID.fullmatch(str(each))]
    if ids:
        model, column = settings.AUDITED_OBJECTS["vnfcs"]
        rows: QuerySet[Model] = apps.get_model(model).objects.filter(pk__in=ids)
        params["vnfcs"] = list(rows.order_by(column).values_list(column, flat=True)[:MOST_NAMED])
    return params


def _copied(value: object) -> str | bool:
    return value if isinstance(value, bool) else str(value)[:LONGEST]


def _requested(response: HttpResponseBase) -> dict[str, Any]:
    """The object that a refused request meant, as far as its JSON was read; see REQUESTED."""
    body = _body(response)
    return {name: _copied(body[name]) for name in REQUESTED if isinstance(body.get(name), str | bool) and body[name]}


def _body(response: HttpResponseBase) -> Mapping[str, Any]:
    """The JSON object of the request, as far as it was read: `data` would parse what was refused unread."""
    request = getattr(response, "renderer_context", {}).get("request")
    body = getattr(request, "_full_data", None)
    return body if isinstance(body, Mapping) else {}


def _reason(problem: object) -> dict[str, str]:
    """The sentences that the user got: those of the fields, else that of the whole."""
    if not isinstance(problem, Mapping):
        return {}
    errors = problem.get("errors") or ()
    words = " ".join(dict.fromkeys(str(each["message"]) for each in errors)) or str(problem.get("detail") or "")
    return {"reason": words[:LONGEST]} if words else {}


def _credential(request: HttpRequest) -> dict[str, str]:
    """Id and name of the token, or a keyed digest of the session's key, which itself would let a reader act."""
    token = getattr(request, "auth", None)
    if isinstance(token, ApiToken):
        return {"token": str(token.id), "tokenName": token.name}
    if isinstance(token, Login):
        return {"login": token}
    key = request.session.session_key
    return {"session": salted_hmac("vnfm.accounts.session", key).hexdigest()[:12]} if key else {}
