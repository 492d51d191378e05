import structlog
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.permissions import SAFE_METHODS

from vnfm.accounts.models import User
from vnfm.accounts.services import audit
from vnfm.kit.middleware import Middleware

log = structlog.get_logger(__name__)


class AuditTrail(Middleware):
    """Records every request of a known user that may change something, and how it ended.

    A middleware, because only here is the final status known. Refused logins are recorded by their service.
    """

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
            )
        except DatabaseError:
            # The work is done; to answer with an error now would lie about it.
            log.exception("audit.lost", actor=user.username, action=action, path=request.path)
