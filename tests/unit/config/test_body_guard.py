import asyncio
import json
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from vnfm.config.body_guard import BodyGuard, BodyLimits
from vnfm.kit.durable.places import reserved
from vnfm.kit.problem import Problem

UPLOAD = "/vnfpkgm/v1/vnf_packages/0f/package_content"
INCOMING = Path(tempfile.mkdtemp(prefix="vnfm-body-guard-")) / "incoming"
LIMITS = {"anonymous": 5, "known": 10, "package": 100, "free_share": 0.0, "linger_seconds": 0.01}


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


def ask(*chunks, path="/api/v1/vims", method="POST", length=None, app=reads_all, known=True, chunked=False, **limits):
    """Status and body of the answer, and how many chunks were taken from the client before it was begun."""
    left = [
        {"type": "http.request", "body": chunk, "more_body": at < len(chunks)} for at, chunk in enumerate(chunks, 1)
    ]
    sent, read_before_answer = [], []

    async def receive():
        if not left:
            await asyncio.Event().wait()  # a client that holds the line
        return left.pop(0)

    async def send(message):
        if not sent:
            read_before_answer.append(len(chunks) - len(left))
        sent.append(message)

    async def may_send(_):
        return known

    headers = [] if length is None else [(b"content-length", length)]
    headers += [(b"transfer-encoding", b"chunked")] if chunked else []
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    guard = BodyGuard(app, may_send, BodyLimits(INCOMING, **{**LIMITS, **limits}))
    asyncio.run(guard(scope, receive, send))
    return sent[0]["status"], b"".join(m.get("body", b"") for m in sent), read_before_answer[0]


def test_a_small_body_passes():
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


def test_an_upload_without_a_login_is_not_read():
    async def refuses(scope, receive, send):
        assert (await receive())["body"] == b""
        await send({"type": "http.response.start", "status": 401, "headers": []})
        await send({"type": "http.response.body", "body": b"log in"})

    for announced in ({"length": b"3"}, {"chunked": True}):
        upload = {"method": "PUT", "path": UPLOAD, "known": False, "app": refuses}
        assert ask(b"zip", **announced, **upload) == (401, b"log in", 0)


@pytest.mark.parametrize(("size", "status"), [(5, 200), (6, 413)])
@pytest.mark.parametrize("announces", [True, False])
def test_a_body_without_a_login_is_small(size, status, announces):
    length = str(size).encode() if announces else None
    assert ask(b"x" * size, length=length, known=False)[0] == status


def test_a_refusal_of_a_cut_body_stays_that_of_the_application():
    async def refuses(scope, receive, send):
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 401, "headers": []})
        await send({"type": "http.response.body", "body": b"log in"})

    assert ask(b"123456", length=b"6", known=False, app=refuses) == (401, b"log in", 0)
    assert ask(b"123", b"456", b"789", known=False, app=refuses) == (401, b"log in", 2)


def test_uploads_end_where_the_disk_is_nearly_full():
    status, body, taken = ask(b"zip", method="PUT", path=UPLOAD, length=b"3", free_share=0.9999)
    assert (status, taken) == (507, 0)
    assert json.loads(body)["code"] == "DISK_NEARLY_FULL"
    assert "Delete packages" in json.loads(body)["nextStep"]
    assert ask(b"123", length=b"3", free_share=0.9999)[0] == 200, "other requests go on"


def test_so_many_uploads_are_received_at_a_time():
    async def scenario():
        entered, leave, statuses = asyncio.Event(), asyncio.Event(), []

        async def app(scope, receive, send):
            entered.set()
            await leave.wait()
            await reads_all(scope, receive, send)

        async def may_send(_):
            return True

        guard = BodyGuard(app, may_send, BodyLimits(INCOMING, uploads=1, free_share=0.0))

        async def upload():
            async def receive():
                return {"type": "http.request", "body": b"zip", "more_body": False}

            async def send(message):
                if message["type"] == "http.response.start":
                    statuses.append((message["status"], dict(message["headers"]).get(b"retry-after")))

            scope = {"type": "http", "method": "PUT", "path": UPLOAD, "headers": [(b"content-length", b"3")]}
            await guard(scope, receive, send)

        first = asyncio.create_task(upload())
        await entered.wait()
        await upload()
        leave.set()
        await first
        await upload()
        return statuses

    assert asyncio.run(scenario()) == [(503, b"30"), (200, None), (200, None)]


def test_a_body_that_stands_still_is_refused_and_one_that_moves_is_not():
    async def stands_still():
        sent = []

        async def receive():
            await asyncio.Event().wait()

        async def send(message):
            sent.append(message)

        async def may_send(_):
            return True

        guard = BodyGuard(reads_all, may_send, BodyLimits(INCOMING, progress_seconds=0.05, linger_seconds=0.01))
        await guard({"type": "http", "method": "POST", "path": "/", "headers": []}, receive, send)
        return sent[0]["status"]

    async def moves():
        sent, left = [], 8

        async def receive():
            nonlocal left
            await asyncio.sleep(0.06)
            left -= 1
            return {"type": "http.request", "body": b"12345", "more_body": left > 0}

        async def send(message):
            sent.append(message)

        async def may_send(_):
            return True

        limits = BodyLimits(INCOMING, progress_bytes=5, progress_seconds=0.4)
        await BodyGuard(reads_all, may_send, limits)(
            {"type": "http", "method": "POST", "path": "/", "headers": []}, receive, send
        )
        return sent[0]["status"]

    assert asyncio.run(stands_still()) == 408
    assert asyncio.run(moves()) == 200, "0.48 s in all, each part within 0.4 s"


def test_non_http_scopes_pass():
    seen = []

    async def app(scope, receive, send):
        seen.append(scope["type"])

    asyncio.run(BodyGuard(app, None, BodyLimits(INCOMING))({"type": "lifespan"}, None, None))
    assert seen == ["lifespan"]


def test_an_upload_beyond_a_quota_is_refused_and_one_within_it_reserves_its_size():
    def quota(announced):
        return Problem(507, "QUOTA_EXCEEDED", "x", f"{announced} more do not fit.") if announced > 4 else None

    status, body, taken = ask(b"12345", method="PUT", path=UPLOAD, length=b"5", quota=quota)
    assert (status, taken) == (507, 0)
    assert json.loads(body)["detail"] == "5 more do not fit."
    seen = []

    async def looks(scope, receive, send):
        seen.append(reserved(INCOMING.parent / "places", "upload"))
        await reads_all(scope, receive, send)

    assert ask(b"123", method="PUT", path=UPLOAD, length=b"3", quota=quota, app=looks)[0] == 200
    assert (seen, reserved(INCOMING.parent / "places", "upload")) == ([3], 0)


def test_an_upload_of_unknown_size_reserves_as_it_comes():
    status, body, _ = ask(b"1", b"2", method="PUT", path=UPLOAD, chunked=True, quota=refuses_large)
    assert (status, json.loads(body)["code"]) == (507, "QUOTA_EXCEEDED")


def refuses_large(announced):
    return Problem(507, "QUOTA_EXCEEDED", "x", "y") if announced > 1 else None


async def allowed(_):
    return True


def upload(guard, statuses, *headers):
    """Three bytes, to be awaited; its status is added to `statuses`."""

    async def receive():
        await asyncio.sleep(0)  # it comes over a network
        return {"type": "http.request", "body": b"zip", "more_body": False}

    async def send(message):
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    return guard({"type": "http", "method": "PUT", "path": UPLOAD, "headers": list(headers)}, receive, send)


@pytest.mark.parametrize("header", [(b"content-length", b"3"), (b"transfer-encoding", b"chunked")])
def test_other_requests_go_on_while_the_quota_is_measured(header):
    async def scenario():
        loop, answers, statuses = asyncio.get_running_loop(), [], []

        def quota(_):
            others = threading.Event()
            loop.call_soon_threadsafe(others.set)
            answers.append(others.wait(30))

        guard = BodyGuard(reads_all, allowed, BodyLimits(INCOMING, free_share=0.0, quota=quota))
        await upload(guard, statuses, header)
        return statuses, set(answers)

    assert asyncio.run(scenario()) == ([200], {True})


def test_a_slow_quota_is_not_the_fault_of_the_client():
    async def scenario():
        statuses, waited = [], threading.Event()
        limits = BodyLimits(INCOMING, free_share=0.0, progress_seconds=0.1, quota=lambda _: waited.wait(0.2) or None)
        await upload(BodyGuard(reads_all, allowed, limits), statuses, (b"content-length", b"3"))
        return statuses

    assert asyncio.run(scenario()) == [200]


def test_uploads_at_the_same_time_do_not_get_the_same_room():
    async def scenario():
        both, decided, statuses = threading.Barrier(2), asyncio.Barrier(2), []

        def quota(announced):
            used = reserved(INCOMING.parent / "places", "upload")
            with suppress(threading.BrokenBarrierError):
                both.wait(0.2)  # without order, the other one is measuring now as well
            return Problem(507, "QUOTA_EXCEEDED", "x", "y") if used + announced > 5 else None

        async def app(scope, receive, send):
            await decided.wait()
            await reads_all(scope, receive, send)

        async def one():
            await upload(guard, statuses, (b"content-length", b"3"))
            if statuses == [507]:
                await decided.wait()

        guard = BodyGuard(app, allowed, BodyLimits(INCOMING, free_share=0.0, quota=quota))
        await asyncio.gather(one(), one())
        return sorted(statuses)

    assert asyncio.run(scenario()) == [200, 507]
