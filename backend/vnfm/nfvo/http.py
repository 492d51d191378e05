"""The NFVO over HTTP (SOL003 9.4, SOL013)."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from vnfm.nfvo.client import Reply, SolClient
from vnfm.nfvo.errors import GrantDenied, GrantRejected, NfvoError, NfvoUnreachable, Unusable
from vnfm.nfvo.ports import Answer, Granted, Pending


class HttpNfvo(SolClient):
    """`url` is the interface's root, such as https://nfvo.example/grant/v1."""

    VERSION = "1.7.0"
    """The version of the interface in SOL003 3.7.1, whose data types we use."""

    def request_grant(self, request: Mapping[str, Any]) -> Answer:
        reply = self.send("POST", "/grants", request)
        if reply.status == HTTPStatus.CREATED:
            grant = _grant(reply)
            return Granted(reply.identifier("grants") or str(grant.get("id", "")), grant)
        if reply.status == HTTPStatus.ACCEPTED:
            grant_id = reply.identifier("grants")
            if not grant_id:
                raise Unusable("It answers 202 without a Location that names the grant to come.")
            return Pending(grant_id, reply.retry_after)
        raise _failure(reply)

    def get_grant(self, grant_id: str) -> Answer:
        reply = self.send("GET", f"/grants/{quote(grant_id, safe='')}")
        if reply.status == HTTPStatus.OK:
            return Granted(grant_id, _grant(reply))
        if reply.status == HTTPStatus.ACCEPTED:
            return Pending(grant_id, reply.retry_after)
        raise _failure(reply)

    def find_grant(self, op_id: str) -> Granted | None:
        reply = self.send("GET", f"/grants?filter=(eq,vnfLcmOpOccId,{quote(op_id, safe='')})")
        if reply.status != HTTPStatus.OK:
            failure = _failure(reply)
            if isinstance(failure, NfvoUnreachable) and reply.status != HTTPStatus.NOT_IMPLEMENTED:
                raise failure
            return None
        found = reply.json if isinstance(reply.json, list) else []
        grants = [grant for grant in found if isinstance(grant, dict) and grant.get("vnfLcmOpOccId") == op_id]
        return Granted(str(grants[0].get("id", "")), grants[0]) if grants else None

    def grant_uri(self, grant_id: str) -> str:
        return f"{self.url}/grants/{quote(grant_id, safe='')}"


def _grant(reply: Reply) -> Mapping[str, Any]:
    grant = reply.json
    if not isinstance(grant, dict):
        raise Unusable(f"Its answer {reply.status} is no Grant: {reply.kind}.")
    return grant


def _failure(reply: Reply) -> NfvoError:
    try:
        reply.require_answer()
    except NfvoError as error:
        return error
    if reply.status == HTTPStatus.FORBIDDEN:
        return GrantDenied(reply.message)
    if reply.status >= HTTPStatus.BAD_REQUEST:
        return GrantRejected(reply.message)
    return Unusable(f"It answers {reply.status}, which is not expected here.")
