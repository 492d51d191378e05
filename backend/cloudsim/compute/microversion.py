"""Microversions as Liberty had them: 2.1 to 2.12 on /v2.1, none on /v2."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from cloudsim.compute.common import bad
from cloudsim.core.errors import ApiFault

if TYPE_CHECKING:
    from cloudsim.core.context import RequestContext
    from cloudsim.core.errors import Reply
    from cloudsim.core.service import Handler, Request

LOWEST, HIGHEST = (2, 1), (2, 12)
HEADER = "X-OpenStack-Nova-API-Version"


def version_of(request: Request) -> tuple[int, int]:
    """Return the requested microversion; the newer ``OpenStack-API-Version`` is ignored. Raises ApiFault 400 or 406."""
    if not request.path.startswith("/v2.1"):
        return LOWEST
    text = request.headers.get(HEADER.lower(), "")
    if not text:
        return LOWEST
    if text == "latest":
        return HIGHEST
    found = re.fullmatch(r"([1-9]\d*)\.([1-9]\d*|0)", text)
    if not found:
        raise bad(f"API Version String {text} is of invalid format. Must be of format MajorNum.MinorNum.")
    version = (int(found[1]), int(found[2]))
    if not LOWEST <= version <= HIGHEST:
        raise ApiFault(
            406,
            "InvalidGlobalAPIVersion",
            f"Version {text} is not supported by the API. Minimum is {_text(LOWEST)} and maximum is {_text(HIGHEST)}.",
        )
    return version


def _text(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"


def versioned(handler: Handler) -> Handler:
    """Check the URL's project and the microversion before the handler, and add the microversion to the answer."""

    async def answer(ctx: RequestContext, request: Request) -> Reply:
        version = version_of(request)
        if request.params["project_id"] != ctx.project_id:
            raise bad("Malformed request url")
        headers = {}
        if request.path.startswith("/v2.1"):
            headers = {HEADER: _text(version), "Vary": HEADER}
        try:
            reply = await handler(ctx, request)
        except ApiFault as fault:
            fault.headers = {**fault.headers, **headers}
            raise
        return replace(reply, headers={**reply.headers, **headers})

    return answer
