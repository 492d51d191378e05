import asyncio
import json

import pytest

from vnfm.config.body_limit import BodyLimit

UPLOAD = "/vnfpkgm/v1/vnf_packages/0f/package_content"


async def reads_all(scope, receive, send):
    """An application that takes in the whole body, as Django does, and tells how much it was."""
    size = 0
    while True:
        message = await receive()
        size += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


def ask(*chunks, path="/api/v1/vims", method="POST", length=None, app=reads_all):
    """Status and body of the answer, and how many chunks were taken from the client."""
    left = [
        {"type": "http.request", "body": chunk, "more_body": at < len(chunks)} for at, chunk in enumerate(chunks, 1)
    ]
    sent = []

    async def receive():
        return left.pop(0)

    async def send(message):
        sent.append(message)

    headers = [] if length is None else [(b"content-length", length)]
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    asyncio.run(BodyLimit(app, most=10, most_of_package=100)(scope, receive, send))
    return sent[0]["status"], b"".join(m.get("body", b"") for m in sent), len(chunks) - len(left)


def test_what_is_small_enough_passes():
    assert ask(b"12345", b"67890", length=b"10") == (200, b"10", 2)


def test_an_announced_body_is_refused_before_it_is_read():
    status, body, taken = ask(b"12345678901", length=b"11")
    assert (status, taken) == (413, 0)
    assert json.loads(body)["code"] == "BODY_TOO_LARGE"
    assert json.loads(body)["detail"] == "At most 10 bytes are taken here."


def test_a_body_of_unknown_length_is_refused_as_soon_as_it_is_too_much():
    status, _, taken = ask(b"1234567890", b"1", b"never read")
    assert (status, taken) == (413, 2)


@pytest.mark.parametrize(
    ("method", "path", "size", "status"),
    [
        ("PUT", UPLOAD, 100, 200),
        ("PUT", UPLOAD, 101, 413),
        ("POST", UPLOAD, 11, 413),
        ("PUT", UPLOAD + "/more", 11, 413),
        ("PUT", "/x" + UPLOAD, 11, 413),
        ("POST", "/api/v1/packages/validate", 100, 200),
        ("POST", "/api/v1/packages/derive", 101, 413),
        ("PUT", "/api/v1/packages/derive", 11, 413),
    ],
)
def test_packages_have_a_limit_of_their_own(method, path, size, status):
    assert ask(b"x" * size, method=method, path=path)[0] == status


def test_what_is_no_request_passes():
    seen = []

    async def app(scope, receive, send):
        seen.append(scope["type"])

    asyncio.run(BodyLimit(app, most=1, most_of_package=1)({"type": "lifespan"}, None, None))
    assert seen == ["lifespan"]
