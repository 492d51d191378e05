"""The test client that validates every answer of the API against `backend/openapi.yaml` and ETSI's own schemas.

An answer that has an undocumented status, media type or attribute, or lacks a required one, fails the test that got it.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError, best_match
from rest_framework.test import APIClient

from tests.support import etsi_schema
from tests.support.yaml_text import openapi

OPENAPI = Path(__file__).parents[2] / "backend" / "openapi.yaml"
DESCRIPTIONS = ("/api/v1/schema", "/api/v1/docs", "/api/v1/docs.css")
"""The description itself, which does not describe itself."""
OURS = ("/api/v1/", "/oauth/", "/vnflcm/", "/vnffm/", "/vnfpkgm/", "/vnfpm/", "/vnfind/")
EARLIER_EDITION = ("/vnflcm/v1/", "/vnfpm/v1/")
"""ETSI's schemas alone describe them: `backend/openapi.yaml` has the newest edition of each interface."""
ETSI_ROOTS = {
    "/vnflcm/v1/vnf_instances": "VnfInstance",
    "/vnflcm/v2/vnf_instances": "VnfInstance",
    "/vnflcm/v1/vnf_lcm_op_occs": "VnfLcmOpOcc",
    "/vnflcm/v2/vnf_lcm_op_occs": "VnfLcmOpOcc",
    "/vnflcm/v1/subscriptions": "LccnSubscription",
    "/vnflcm/v2/subscriptions": "LccnSubscription",
    "/vnfpkgm/v1/vnf_packages": "VnfPkgInfo",
    "/vnfpm/v1/pm_jobs": "PmJob",
    "/vnfpm/v2/pm_jobs": "PmJob",
    "/vnfpm/v1/thresholds": "Threshold",
    "/vnfpm/v2/thresholds": "Threshold",
    "/vnffm/v1/alarms": "Alarm",
    "/vnffm/v1/subscriptions": "FmSubscription",
}
"""Collection → ETSI's type of its members."""
SELECTORS = {"fields", "exclude_fields", "exclude_default"}
"""Attribute selectors (SOL013 5.3), by which an answer may lack required attributes."""


class ValidatingClient(APIClient):
    def request(self, **kwargs: Any) -> Any:
        response = super().request(**kwargs)
        if not getattr(response, "streaming", False):
            found = mismatches(kwargs["REQUEST_METHOD"], kwargs["PATH_INFO"], kwargs.get("QUERY_STRING", ""), response)
            assert not found, f"{kwargs['REQUEST_METHOD']} {kwargs['PATH_INFO']}: " + "; ".join(found)
        return response


class Route(NamedTuple):
    pattern: re.Pattern[str]
    template: str
    operations: Mapping[str, Any]


def mismatches(method: str, path: str, query: str, response: Any) -> list[str]:
    """Return what the answer has that the description does not, or lacks."""
    if response.status_code == HTTPStatus.NOT_MODIFIED:
        return []
    path = path.replace("/vnfind/v1/indicators/subscriptions/", "/vnfind/v1/subscriptions/")  # the same resource
    if path.endswith("/api_versions") or path.startswith(EARLIER_EDITION):
        return _etsi_mismatches(path, method, response) if response.content else []
    route = next((route for route in _routes() if route.pattern.fullmatch(path)), None)
    operation = route.operations.get(method.lower()) if route else None
    if route is None or operation is None:
        elsewhere = response.status_code in {404, 405} or path in DESCRIPTIONS or not path.startswith(OURS)
        return [] if elsewhere else ["is not described"]
    partial = not SELECTORS.isdisjoint(parse_qs(query, keep_blank_values=True))
    found = _openapi_mismatches(route, method.lower(), response, partial=partial)
    return found or ([] if partial or not _has_result(response) else _etsi_mismatches(path, method, response))


def _has_result(response: Any) -> bool:
    return bool(response.content) and response.status_code < HTTPStatus.BAD_REQUEST


def _openapi_mismatches(route: Route, method: str, response: Any, *, partial: bool) -> list[str]:
    responses, status = route.operations[method]["responses"], str(response.status_code)
    if status not in responses and response.status_code < HTTPStatus.BAD_REQUEST:
        return [f"status {status} is not described"]
    key = status if status in responses else "default"
    content = responses[key].get("content", {})
    if not response.content:
        return ["the described body is missing"] if content and key == status else []
    media = response.headers.get("Content-Type", "").partition(";")[0]
    if media not in content:
        return [f"{media} is not described for {status}"]
    if not media.endswith("json"):
        return []
    pointer = ("paths", route.template, method, "responses", key, "content", media, "schema")
    errors = _validator(pointer, partial=partial).iter_errors(json.loads(response.content))
    return [_sentence(error) for error in errors]


def _sentence(error: ValidationError) -> str:
    """Return the faults of the alternative that fits best."""
    deepest = best_match([error]) or error
    return f"/{'/'.join(str(step) for step in deepest.absolute_path)}: {deepest.message[:300]}"


def _etsi_mismatches(path: str, method: str, response: Any) -> list[str]:
    if response.status_code >= HTTPStatus.BAD_REQUEST:
        return etsi_schema.errors("ProblemDetails", response.json())
    if path.endswith("/api_versions"):
        return etsi_schema.errors("ApiVersionInformation", response.json())
    root = next((root for root in ETSI_ROOTS if re.fullmatch(rf"{root}(/[^/]+)?", path)), None)
    if root is None or method not in {"GET", "POST"}:
        return []
    body, name, earlier = response.json(), ETSI_ROOTS[root], path.startswith(EARLIER_EDITION)
    members = body if isinstance(body, list) else [body]
    edition = "v1" if earlier else "v2"  # the newer one is closed by our own description
    return [f"{name}: {e}" for each in members for e in etsi_schema.errors(name, each, edition, extended=not earlier)]


@cache
def _document() -> dict[str, Any]:
    document: dict[str, Any] = etsi_schema.closed(openapi())
    document["components"]["schemas"]["ProblemDetails"]["additionalProperties"] = True  # RFC 7807 lets them be extended
    return document


@cache
def _routes() -> list[Route]:
    """Literal segments win over parameters, as in Django's list of URLs."""
    paths: dict[str, Any] = _document()["paths"]
    routes = [
        Route(re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))), path, operations)
        for path, operations in paths.items()
    ]
    return sorted(routes, key=lambda route: route.template.count("{"))


@cache
def _validator(pointer: tuple[str, ...], *, partial: bool) -> Draft202012Validator:
    """`partial` answers leave required attributes out, as the request chose (SOL013 5.3)."""
    document = _partial_document() if partial else _document()
    reference = "#/" + "/".join(part.replace("~", "~0").replace("/", "~1") for part in pointer)
    return Draft202012Validator({"$ref": reference, **document}, format_checker=FormatChecker())


@cache
def _partial_document() -> dict[str, Any]:
    return _without_required(_document())


def _without_required(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_required(each) for each in schema]
    if isinstance(schema, dict):
        is_list = isinstance(schema.get("required"), list)  # else it is an attribute of that name
        return {key: _without_required(value) for key, value in schema.items() if key != "required" or not is_list}
    return schema
