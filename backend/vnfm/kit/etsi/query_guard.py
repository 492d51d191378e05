"""Query parameters of ETSI's interfaces: one that a resource does not have is refused (SOL013 6.4: 400)."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from vnfm.kit.etsi.query import MARKER
from vnfm.kit.etsi.selection import ALL, DEFAULT, EXCLUDE, FIELDS
from vnfm.kit.problem import FieldError, Problem
from vnfm.kit.web.http import plain_problem_response
from vnfm.kit.web.middleware import Middleware

LISTED = frozenset({"filter", MARKER})
"""What `kit.etsi.query` reads."""
_SELECTORS = frozenset({ALL, FIELDS, EXCLUDE, DEFAULT})
SELECTED = LISTED | _SELECTORS
"""And `kit.etsi.selection`."""


class QueryGuard(Middleware):
    """400 for a parameter that is none of the view's `query`.

    Ignored, a misspelt filter would give everything, which a program might then delete. Attribute selectors are taken
    of every list, and change nothing where no attribute can be left out: clients send them with all (SOL013 5.3).
    """

    def process_view(self, request: HttpRequest, view: Any, *_: Any) -> HttpResponseBase | None:
        cls = getattr(view, "cls", None)
        if cls is None or not request.GET or request.path.split("/")[1] not in settings.ETSI_APIS:
            return None
        known: frozenset[str] = getattr(cls, "query", frozenset())
        unknown = sorted(set(request.GET) - known - (_SELECTORS if known >= LISTED else frozenset()))
        if not unknown:
            return None
        possible = ", ".join(sorted(known)) or "none"
        words = f"There is no query parameter {', '.join(unknown)} here; possible are {possible}."
        errors = tuple(FieldError(f"/{name}", "There is no such parameter here.") for name in unknown)
        problem = Problem(400, "UNKNOWN_PARAMETER", "Bad request", words, "Leave out what is named.", errors=errors)
        return plain_problem_response(problem)
