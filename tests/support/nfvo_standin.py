"""An NFVO that grants (SOL003 clause 9), over HTTP in a thread; a test sets what it answers next."""

import json
import ssl
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl
from uuid import uuid4

from tests.support.http_standin import HttpStandIn, QuietHandler

LISTS = ("addResources", "removeResources", "updateResources")


@dataclass(frozen=True)
class ReceivedRequest:
    method: str
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


class Exchange:
    """One request, and its answer."""

    def __init__(self, nfvo: "NfvoStandIn", handler: BaseHTTPRequestHandler, request: ReceivedRequest) -> None:
        self.nfvo, self.handler, self.request = nfvo, handler, request

    def answer(self, status: int, body: Any = None, **headers: str) -> None:
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        self.handler.send_response(status)
        for name, value in {"Content_Type": "application/json", **headers}.items():
            self.handler.send_header(name.replace("_", "-"), value)
        self.handler.send_header("Content-Length", str(len(data)))
        self.handler.end_headers()
        self.handler.wfile.write(data)


Behaviour = Callable[[Exchange], None]


def status(code: int, body: Any = None, **headers: str) -> Behaviour:
    return lambda exchange: exchange.answer(code, body, **headers)


def problem(code: int, detail: str) -> Behaviour:
    return status(code, {"title": "No", "status": code, "detail": detail}, Content_Type="application/problem+json")


def granting(**extra: Any) -> Behaviour:
    """201 with a grant of the requested resources, and `extra`."""

    def answer(exchange: Exchange) -> None:
        grant = exchange.nfvo.grant(exchange.request.body, **extra)
        exchange.answer(201, grant, Location=exchange.nfvo.uri(grant["id"]))

    return answer


def undecided(exchange: Exchange) -> None:
    """202: the decision is the test's, by `decide`."""
    grant_id = str(uuid4())
    exchange.nfvo.undecided[grant_id] = exchange.request.body
    exchange.answer(202, Location=exchange.nfvo.uri(grant_id))


def hanging(exchange: Exchange) -> None:
    """Accepts the request and never answers."""
    exchange.nfvo.closing.wait()


def dripping(exchange: Exchange) -> None:
    """An answer without an end, byte after byte."""
    handler = exchange.handler
    handler.send_response(201)
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    while not exchange.nfvo.closing.wait(0.05):
        handler.wfile.write(b" ")
        handler.wfile.flush()


class NfvoStandIn(HttpStandIn):
    """Grants everything unless a test sets another answer."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(self._handler(), tls=tls)
        self.url = f"{self.base}/grant/v1"
        self.requests: list[ReceivedRequest] = []
        self.grants: dict[str, dict[str, Any]] = {}
        self.undecided: dict[str, dict[str, Any]] = {}
        self.denied: dict[str, str] = {}
        self.searchable = False
        self._next: deque[Behaviour] = deque()

    def uri(self, grant_id: str) -> str:
        return f"{self.url}/grants/{grant_id}"

    def then(self, *behaviours: Behaviour) -> None:
        """The next requests get these answers, one each."""
        self._next.extend(behaviours)

    def grant_requests(self) -> list[dict[str, Any]]:
        """The grant requests that came in."""
        return [request.body for request in self.requests if request.method == "POST"]

    def grant(self, request: Mapping[str, Any], grant_id: str = "", **extra: Any) -> dict[str, Any]:
        grant_id = grant_id or str(uuid4())
        granted = {
            name: [{"resourceDefinitionId": row["id"]} for row in request[name]] for name in LISTS if name in request
        }
        links = {"self": {"href": self.uri(grant_id)}, **request["_links"]}
        ids = {name: request[name] for name in ("vnfInstanceId", "vnfLcmOpOccId")}
        self.grants[grant_id] = {"id": grant_id, **ids, **granted, "_links": links, **extra}
        return self.grants[grant_id]

    def decide(self, *, denied: str = "", **extra: Any) -> None:
        """Decide on everything that is pending."""
        for grant_id, request in list(self.undecided.items()):
            if denied:
                self.denied[grant_id] = denied
            else:
                self.grant(request, grant_id, **extra)
            del self.undecided[grant_id]

    def _respond(self, exchange: Exchange) -> None:
        if self._next:
            self._next.popleft()(exchange)
        elif exchange.request.method == "POST":
            granting()(exchange)
        elif "?filter=" in exchange.request.path:
            self._search(exchange)
        else:
            self._show(exchange, exchange.request.path.rsplit("/", 1)[1])

    def _search(self, exchange: Exchange) -> None:
        if not self.searchable:
            problem(405, "There is no list of grants.")(exchange)
            return
        found = [grant for grant in self.grants.values() if grant["vnfLcmOpOccId"] in exchange.request.path]
        exchange.answer(200, found)

    def _show(self, exchange: Exchange, grant_id: str) -> None:
        if grant_id in self.grants:
            exchange.answer(200, self.grants[grant_id])
        elif grant_id in self.denied:
            problem(403, self.denied[grant_id])(exchange)
        elif grant_id in self.undecided:
            exchange.answer(202)
        else:
            problem(404, "There is no such grant.")(exchange)

    def _handler(self) -> type[QuietHandler]:
        nfvo = self

        class Handler(QuietHandler):
            def _take(self) -> None:
                data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                is_json = self.headers.get("Content-Type") == "application/json"
                body = json.loads(data) if is_json else dict(parse_qsl(data.decode()))
                request = ReceivedRequest(self.command, self.path, dict(self.headers), body)
                nfvo.requests.append(request)
                nfvo._respond(Exchange(nfvo, self, request))

            do_GET = do_POST = _take  # noqa: N815 - http.server calls them so

        return Handler
