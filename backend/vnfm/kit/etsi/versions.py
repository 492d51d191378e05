"""Versions of the ETSI interfaces (SOL013 clause 9): the `Version` header both ways, and GET …/api_versions.

`settings.ETSI_APIS` says what we serve: interface, major version, and the versions of it whose shapes ours are, the
newest last. A minor version only adds (SOL013 9.1.2), so a client of an older one is served as well.
"""

import re
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.kit.problem import Problem
from vnfm.kit.web.http import plain_problem_response
from vnfm.kit.web.middleware import Middleware

HEADER = "Version"
RESOURCE = "api_versions"

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-impl:.*)?")


class VersionHeader(Middleware):
    """Refuses a version that we do not serve (406), and says in every answer which one was used."""

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponseBase | None:
        served, wanted = _served(request), request.headers.get(HEADER, "")
        if not served or not wanted or request.path.endswith(f"/{RESOURCE}") or _serves(served[-1], wanted):
            return None
        words = f"Version {wanted} is not served here, but {', '.join(served)} and what they are compatible with."
        return plain_problem_response(
            Problem(
                406,
                "VERSION_NOT_SUPPORTED",
                "Not acceptable",
                words,
                f"Ask for one of these; GET /{request.path.split('/')[1]}/{RESOURCE} lists them.",
            )
        )

    def after(self, request: HttpRequest, response: HttpResponseBase) -> None:
        served, wanted = _served(request), request.headers.get(HEADER, "")
        if served:
            response.headers[HEADER] = wanted if _serves(served[-1], wanted) else served[-1]


def _served(request: HttpRequest) -> list[str]:
    """The versions of the interface that the path belongs to; none outside of ETSI's."""
    api, _, rest = request.path.removeprefix("/").partition("/")
    versions: list[str] = settings.ETSI_APIS.get(api, {}).get(rest.partition("/")[0], [])
    return versions


def _serves(newest: str, wanted: str) -> bool:
    ours, theirs = _VERSION.fullmatch(newest), _VERSION.fullmatch(wanted)
    if ours is None or theirs is None:
        return False
    return ours[1] == theirs[1] and int(theirs[2]) <= int(ours[2])


class ApiVersionsApi(APIView):
    """ApiVersionInformation (SOL013 7.1.6 and 9.3.3) of one major version of an interface, or of all of them."""

    api: str = ""
    major: str | None = None

    def get(self, request: Request) -> Response:
        majors: dict[str, list[str]] = settings.ETSI_APIS.get(self.api, {})
        shown = [version for major, versions in majors.items() if self.major in (None, major) for version in versions]
        return Response(
            {
                "uriPrefix": request.build_absolute_uri(request.path.removesuffix(f"/{RESOURCE}")),
                "apiVersions": [{"version": version, "isDeprecated": False} for version in shown],
            }
        )


def urls() -> list[URLPattern]:
    """The api_versions resources of each interface. Not in our OpenAPI document: ETSI's describes them."""
    places = []
    for api, majors in settings.ETSI_APIS.items():
        places.append(path(f"{api}/{RESOURCE}", ApiVersionsApi.as_view(api=api, schema=None)))
        places += [
            path(f"{api}/{major}/{RESOURCE}", ApiVersionsApi.as_view(api=api, major=major, schema=None))
            for major in majors
        ]
    return places
