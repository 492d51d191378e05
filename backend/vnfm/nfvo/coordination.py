"""A foreign element manager over HTTP: coordination of LCM operations (SOL002 clause 10), by the rules of `SolClient`.

SOL002 has no search among coordinations; an EM that has more than it must is asked for the one of a request whose
answer was lost.
"""

from collections.abc import Callable, Collection, Mapping
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import quote

from vnfm.nfvo.client import Reply, SolClient, bounded, is_identifier, problem_words
from vnfm.nfvo.errors import CoordinationRejected, CoordinationUnknown, EmUnreachable, NfvoError, NfvoUnreachable
from vnfm.nfvo.ports import Coordinated, CoordinationAnswer, CoordinationPending

RESULTS = ("CONTINUE", "ABORT", "CANCELLED")
NO_SEARCH = (HTTPStatus.NOT_IMPLEMENTED, HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)

T = TypeVar("T")


class HttpElementManager(SolClient):
    """`url` is the interface's root, such as https://em.example/lcmcoord/v1."""

    VERSION = "1.0.0"
    """The version of the interface in SOL002 3.6.1; later minor versions of it accept this one (SOL013 9.1)."""

    def coordinate(self, request: Mapping[str, Any]) -> CoordinationAnswer:
        return _translated(lambda: self._coordinate(request))

    def get_coordination(self, coordination_id: str) -> CoordinationAnswer:
        return _translated(lambda: self._get(coordination_id))

    def find_coordination(self, op_id: str, action: str, known: Collection[str]) -> CoordinationAnswer | None:
        return _translated(lambda: self._find(op_id, action, known))

    def cancel_coordination(self, coordination_id: str) -> None:
        _translated(lambda: self._cancel(coordination_id))

    def _coordinate(self, request: Mapping[str, Any]) -> CoordinationAnswer:
        reply = self.send("POST", "/coordinations", request)
        if reply.status == HTTPStatus.CREATED:
            return _answer(reply, reply.json, reply.identifier("coordinations"))
        if reply.status == HTTPStatus.ACCEPTED:
            coordination_id = reply.identifier("coordinations")
            if not coordination_id:
                raise CoordinationRejected("It answers 202 without a Location that names the coordination.")
            return CoordinationPending(coordination_id, reply.retry_after)
        raise _failure(reply)

    def _get(self, coordination_id: str) -> CoordinationAnswer:
        reply = self.send("GET", _path(coordination_id))
        if reply.status == HTTPStatus.OK:
            return _answer(reply, reply.json, coordination_id)
        if reply.status == HTTPStatus.ACCEPTED:
            return CoordinationPending(coordination_id, reply.retry_after)
        if reply.status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
            raise CoordinationUnknown(reply.message)
        raise _failure(reply)

    def _find(self, op_id: str, action: str, known: Collection[str]) -> CoordinationAnswer | None:
        reply = self.send("GET", f"/coordinations?filter=(eq,vnfLcmOpOccId,{quote(op_id, safe='')})")
        if reply.status != HTTPStatus.OK:
            if reply.status not in NO_SEARCH:
                reply.require_answer()
            return None
        for row in reply.json if isinstance(reply.json, list) else ():
            wanted = {"vnfLcmOpOccId": op_id, "coordinationActionName": action}
            if isinstance(row, dict) and wanted.items() <= row.items() and is_identifier(row.get("id")):
                if row["id"] in known:
                    continue
                if "coordinationResult" in row:
                    return _answer(reply, row, row["id"])
                return CoordinationPending(row["id"])
        return None

    def _cancel(self, coordination_id: str) -> None:
        reply = self.send("POST", f"{_path(coordination_id)}/cancel")
        reply.require_answer()
        if reply.status >= HTTPStatus.BAD_REQUEST:
            raise CoordinationRejected(reply.message)


def _path(coordination_id: str) -> str:
    return f"/coordinations/{quote(coordination_id, safe='')}"


def _answer(reply: Reply, body: object, coordination_id: str) -> Coordinated:
    """Read an LcmCoord (SOL002 clause 10)."""
    known = body if isinstance(body, dict) else {}
    found = coordination_id or known.get("id")
    result = known.get("coordinationResult")
    if not is_identifier(found) or result not in RESULTS:
        raise CoordinationRejected(f"Its answer {reply.status} is no LcmCoord with id and result: {reply.kind}.")
    warnings = known.get("warnings")
    texts = [warnings] if isinstance(warnings, str) else warnings if isinstance(warnings, list) else []
    words = bounded(" ".join(text for text in texts if isinstance(text, str)))
    return Coordinated(str(found), result, words, problem_words(known.get("error")))


def _failure(reply: Reply) -> NfvoError:
    reply.require_answer()
    if reply.status >= HTTPStatus.BAD_REQUEST:
        return CoordinationRejected(reply.message)
    return CoordinationRejected(f"It answers {reply.status}, which is not expected here.")


def _translated(call: Callable[[], T]) -> T:
    """Errors of the client as those of an EM."""
    try:
        return call()
    except NfvoUnreachable as error:
        raise EmUnreachable(error.message, error.retry_after) from error
    except (CoordinationRejected, CoordinationUnknown):
        raise
    except NfvoError as error:
        raise CoordinationRejected(error.message) from error
