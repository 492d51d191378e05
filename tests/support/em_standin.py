"""A foreign EM that coordinates (SOL002 clause 10), over HTTP in a thread; a test sets what it answers next."""

import json
import ssl
from collections import deque
from typing import Any
from uuid import uuid4

from tests.support.http_standin import HttpStandIn, QuietHandler
from tests.support.nfvo_standin import Behaviour, Exchange, ReceivedRequest, problem, status

SAME = ("vnfInstanceId", "vnfLcmOpOccId", "lcmOperationType", "coordinationActionName", "_links")


def ending(result: str, **extra: Any) -> Behaviour:
    """201: it has done it, or will not."""

    def answer(exchange: Exchange) -> None:
        coordination = exchange.nfvo.begin(exchange.request.body) | {"coordinationResult": result, **extra}
        exchange.nfvo.coordinations[coordination["id"]] = coordination
        exchange.answer(201, coordination, Location=exchange.nfvo.uri(coordination["id"]))

    return answer


def working(retry_after: int = 1) -> Behaviour:
    """202: the end is the test's, by `end`."""

    def answer(exchange: Exchange) -> None:
        coordination = exchange.nfvo.begin(exchange.request.body)
        exchange.answer(202, Location=exchange.nfvo.uri(coordination["id"]), Retry_After=str(retry_after))

    return answer


def busy(retry_after: int = 1) -> Behaviour:
    """503: not now."""
    return status(503, {"title": "Busy", "status": 503, "detail": "A backup runs."}, Retry_After=str(retry_after))


class EmStandIn(HttpStandIn):
    """Ends every coordination with CONTINUE unless a test sets another answer."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(self._handler(), tls=tls)
        self.url = f"{self.base}/lcmcoord/v1"
        self.requests: list[ReceivedRequest] = []
        self.coordinations: dict[str, dict[str, Any]] = {}
        self.cancelled: list[str] = []
        self.searchable = self.obeys_cancel = True
        self._next: deque[Behaviour] = deque()

    def uri(self, coordination_id: str) -> str:
        return f"{self.url}/coordinations/{coordination_id}"

    def then(self, *behaviours: Behaviour) -> None:
        """The next requests get these answers, one each."""
        self._next.extend(behaviours)

    def coordination_requests(self) -> list[dict[str, Any]]:
        """The LcmCoordRequests that came in."""
        return [each.body for each in self.requests if each.method == "POST" and each.path.endswith("/coordinations")]

    def begin(self, request: dict[str, Any]) -> dict[str, Any]:
        coordination_id = str(uuid4())
        self.coordinations[coordination_id] = {"id": coordination_id, **{name: request[name] for name in SAME}}
        return self.coordinations[coordination_id]

    def end(self, result: str, **extra: Any) -> None:
        """End what it works on."""
        for coordination in self.coordinations.values():
            if "coordinationResult" not in coordination:
                coordination.update(coordinationResult=result, **extra)

    def _respond(self, exchange: Exchange) -> None:
        path = exchange.request.path
        if self._next:
            self._next.popleft()(exchange)
        elif path.endswith("/cancel"):
            self._cancel(exchange, path.split("/")[-2])
        elif exchange.request.method == "POST":
            ending("CONTINUE")(exchange)
        elif "?filter=" in path:
            self._search(exchange)
        else:
            self._show(exchange, path.rsplit("/", 1)[1])

    def _cancel(self, exchange: Exchange, coordination_id: str) -> None:
        self.cancelled.append(coordination_id)
        if self.obeys_cancel:
            self.coordinations[coordination_id]["coordinationResult"] = "CANCELLED"
        exchange.answer(202)

    def _search(self, exchange: Exchange) -> None:
        if not self.searchable:
            problem(405, "There is no list of coordinations.")(exchange)
            return
        exchange.answer(
            200, [row for row in self.coordinations.values() if row["vnfLcmOpOccId"] in exchange.request.path]
        )

    def _show(self, exchange: Exchange, coordination_id: str) -> None:
        row = self.coordinations.get(coordination_id)
        if row is None:
            problem(404, "There is no such coordination.")(exchange)
        else:
            exchange.answer(200 if "coordinationResult" in row else 202, row)

    def _handler(self) -> type[QuietHandler]:
        em = self

        class Handler(QuietHandler):
            def _take(self) -> None:
                data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                request = ReceivedRequest(self.command, self.path, dict(self.headers), json.loads(data or "{}"))
                em.requests.append(request)
                em._respond(Exchange(em, self, request))

            do_GET = do_POST = _take  # noqa: N815 - http.server calls them so

        return Handler
