"""The endpoint of a subscriber: it stores what it receives and answers as the test says."""

import json
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.support.http_standin import HttpStandIn, QuietHandler


@dataclass(frozen=True)
class Received:
    method: str
    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True)
class Answer:
    status: int = 204
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


NO_CONTENT = Answer()


def problem(status: int, detail: str) -> Answer:
    body = json.dumps({"status": status, "detail": detail}).encode()
    return Answer(status, body, {"Content-Type": "application/problem+json"})


def token(text: str) -> Answer:
    """Return the answer of a token endpoint (RFC 6749 5.1)."""
    body = json.dumps({"access_token": text, "token_type": "Bearer", "expires_in": 60}).encode()
    return Answer(200, body, {"Content-Type": "application/json"})


class NotifiedEndpoint(HttpStandIn):
    """204 to everything; `posts`, `gets` and the answers at a path are the test's to change. `hang`: never answers."""

    def __init__(self, *, tls: ssl.SSLContext | None = None, port: int = 0) -> None:
        super().__init__(self._handler(), tls=tls, port=port)
        self.received: list[Received] = []
        self.posts = self.gets = NO_CONTENT
        self.at: dict[str, Answer] = {}
        self.hang = False
        self.requested = threading.Event()

    @property
    def url(self) -> str:
        return f"{self.base}/notify?key=query-secret"

    def notifications(self) -> list[dict[str, Any]]:
        return [each.body for each in self.received if each.method == "POST" and each.path.startswith("/notify")]

    def notification_types(self) -> list[str]:
        return [each["notificationType"] for each in self.notifications()]

    def _answer(self, handler: QuietHandler) -> None:
        content = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        is_json = handler.headers.get("Content-Type") == "application/json"
        body = json.loads(content) if is_json else content.decode()
        self.received.append(Received(handler.command, handler.path, dict(handler.headers.items()), body))
        if self.hang and handler.command == "POST":
            self.requested.set()
            self.closing.wait()
            return
        answer = self.at.get(handler.path, self.posts if handler.command == "POST" else self.gets)
        handler.send_response(answer.status)
        for name, value in answer.headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(answer.body)))
        handler.end_headers()
        handler.wfile.write(answer.body)

    def _handler(self) -> type[QuietHandler]:
        endpoint = self

        class Handler(QuietHandler):
            def do_GET(self) -> None:  # noqa: N802 - http.server calls it so
                endpoint._answer(self)

            do_POST = do_GET  # noqa: N815

        return Handler
