"""The event stream through a real web process: over HTTP, PostgreSQL and Valkey."""

import asyncio
import http.client
import json
from collections.abc import Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction

from tests.factories.accounts import make_user
from tests.support.installation import until
from tests.support.product import web, web_process
from vnfm.accounts.models import ApiToken
from vnfm.accounts.tokens import token_issue
from vnfm.kit import clock
from vnfm.kit.durable.outbox import deliver_pending, publish
from vnfm.kit.models import OutboxEvent
from vnfm.notifications.api.events import stream_of
from vnfm.notifications.api.listeners import MOST_OF_LOGIN, Listener, Listeners
from vnfm.notifications.selectors.events import REPLAY_LIMIT
from vnfm.notifications.services.sse_publisher import SSE_PUBLISHER

pytestmark = pytest.mark.django_db(transaction=True)


USER = uuid4()


@pytest.fixture(scope="module")
def site(product_env) -> Iterator[str]:
    with web(product_env) as url:
        yield url


@pytest.fixture
def secret() -> str:
    return token_issue(user=make_user(role="viewer"), name="test")[1]


class Stream:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.response = response

    def message(self) -> dict[str, str]:
        """The fields of the next message; {} at the end of the stream."""
        fields: dict[str, str] = {}
        while line := self.response.readline().decode():
            if line == "\n":
                return fields
            name, _, value = line.rstrip("\n").partition(": ")
            fields[name] = value
        return fields

    def problem(self) -> dict:
        return json.loads(self.response.read())


@contextmanager
def listening(site: str, secret: str = "", **headers: str) -> Iterator[Stream]:
    """A stream that has started: it receives all events published from now on."""
    http_connection = http.client.HTTPConnection(urlsplit(site).netloc, timeout=30)
    try:
        if secret:
            headers["Authorization"] = f"Bearer {secret}"
        http_connection.request("GET", "/api/v1/events", headers={k.replace("_", "-"): v for k, v in headers.items()})
        stream = Stream(http_connection.getresponse())
        if stream.status == 200:
            assert stream.message() == {"retry": "2000"}
        yield stream
    finally:
        http_connection.close()


def announce(topic: str = "vim.changed", version: int = 1) -> OutboxEvent:
    with transaction.atomic():
        publish(topic, uuid4(), version)
    deliver_pending([SSE_PUBLISHER])
    return OutboxEvent.objects.latest("id")


def test_every_client_gets_an_event(site: str, secret: str) -> None:
    with listening(site, secret) as one, listening(site, secret) as two:
        assert one.headers["Content-Type"] == "text/event-stream"
        assert "no-cache" in one.headers["Cache-Control"]
        row = announce("op_occ.changed", version=3)
        for stream in (one, two):
            message = stream.message()
            assert (message["id"], message["event"]) == (str(row.id), "op_occ.changed")
            data = {"topic": "op_occ.changed", "id": str(row.aggregate_id), "version": 3}
            assert json.loads(message["data"]) == data


def test_a_client_that_reconnects_gets_missed_events_then_new_ones(site: str, secret: str) -> None:
    last, missed = announce(), [announce(), announce()]
    with listening(site, secret, Last_Event_ID=str(last.id)) as stream:
        assert [stream.message()["id"] for _ in missed] == [str(row.id) for row in missed]
        new = announce()
        assert stream.message()["id"] == str(new.id)


def test_an_event_that_committed_late_is_not_lost(site: str, secret: str) -> None:
    """Its id is lower than that of the last event, as its transaction started earlier and took longer."""
    late, last = announce(), announce()
    OutboxEvent.objects.filter(id=late.id).update(delivered_at=clock.now())
    with listening(site, secret, Last_Event_ID=str(last.id)) as stream:
        assert stream.message()["id"] == str(late.id)


@pytest.mark.parametrize("last", ["999999999", "nonsense"])
def test_a_client_resets_when_missed_events_are_unknown(site: str, secret: str, last: str) -> None:
    with listening(site, secret, Last_Event_ID=last) as stream:
        assert stream.message()["event"] == "reset"


def test_too_many_missed_events_are_not_replayed(site: str, secret: str) -> None:
    last = announce()
    OutboxEvent.objects.bulk_create(
        OutboxEvent(topic="vim.changed", aggregate_id=uuid4(), version=1, delivered_at=clock.now())
        for _ in range(REPLAY_LIMIT + 1)
    )
    with listening(site, secret, Last_Event_ID=str(last.id)) as stream:
        assert stream.message()["event"] == "reset"


def test_internal_topics_are_not_streamed(site: str, secret: str) -> None:
    with listening(site, secret) as stream:
        announce("internal.changed")
        published = announce("vim.changed")
        assert stream.message()["id"] == str(published.id)


def test_a_session_may_open_the_stream(site: str, client, settings) -> None:
    client.force_login(make_user(role="viewer"))
    name = settings.SESSION_COOKIE_NAME
    with listening(site, Cookie=f"{name}={client.cookies[name].value}") as stream:
        assert stream.status == 200


def test_a_stream_ends_within_seconds_of_its_token_or_session(site: str, secret: str, client, settings) -> None:
    client.force_login(make_user(role="viewer"))
    name = settings.SESSION_COOKIE_NAME
    cookie = f"{name}={client.cookies[name].value}"
    with listening(site, secret) as by_token, listening(site, Cookie=cookie) as by_session:
        ApiToken.objects.all().delete()
        client.logout()
        for stream in (by_token, by_session):
            assert stream.message() == {}, "an end, within the time that the client waits"


def test_a_login_has_so_many_streams_and_another_of_its_user_has_its_own(site: str) -> None:
    user = make_user(role="viewer")
    one, other = (token_issue(user=user, name=name)[1] for name in ("one", "other"))
    with ExitStack() as streams:
        for _ in range(MOST_OF_LOGIN):
            assert streams.enter_context(listening(site, one)).status == 200
        refused = streams.enter_context(listening(site, one))
        assert (refused.status, refused.headers["Retry-After"]) == (429, "30")
        assert refused.problem()["code"] == "TOO_MANY_STREAMS"
        assert streams.enter_context(listening(site, other)).status == 200

    def again() -> bool | None:
        with listening(site, one) as stream:
            return stream.status == 200 or None

    until(again, 30, "closed streams make room")


def test_one_look_up_serves_all_requests_of_a_moment() -> None:
    asked, answer = [], asyncio.Event()

    async def look_up() -> UUID:
        asked.append(1)
        await answer.wait()
        return USER

    async def crowd() -> list[UUID | None]:
        everyone = Listeners()
        waiting = [asyncio.ensure_future(everyone.user_of(b"login", look_up)) for _ in range(50)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        answer.set()
        found = [await each for each in waiting[1:]]
        await everyone.user_of(b"login", look_up)
        return found

    assert asyncio.run(crowd()) == [USER] * 49, "one client that goes away takes the answer from no other"
    assert len(asked) == 2


def test_one_too_many_of_those_that_begin_at_once_ends() -> None:
    everyone, listener = Listeners(), Listener(b"login", USER)
    with ExitStack() as streams:
        room = [streams.enter_context(everyone.counted(listener)) for _ in range(MOST_OF_LOGIN + 1)]
    assert room == [True] * MOST_OF_LOGIN + [False]
    assert not everyone.full(listener)


async def played(frames: asyncio.Queue[bytes | None], **limits: float) -> list[bytes]:
    class Sender:
        @asynccontextmanager
        async def listen(self):
            yield frames

    async def always() -> UUID:
        return USER

    return [frame async for frame in stream_of(Sender(), "", always, **limits)]


def test_heartbeats_until_the_client_must_authenticate_again() -> None:
    frames = asyncio.run(played(asyncio.Queue(), heartbeat=0.01, lifetime=0.1))
    assert frames[0].startswith(b"retry: ")
    assert len(frames) > 2
    assert set(frames[1:]) == {b": still here\n\n"}


def test_a_stream_ends_with_its_queue() -> None:
    async def ended() -> list[bytes]:
        frames: asyncio.Queue[bytes | None] = asyncio.Queue()
        for frame in (b"one", None, b"two"):
            frames.put_nowait(frame)
        return await played(frames)

    assert asyncio.run(ended())[1:] == [b"one"]


def test_a_stream_needs_a_login(site: str, secret: str) -> None:
    for wrong in ("", "vnfm_guess"):
        with listening(site, wrong) as stream:
            assert stream.status == 401
            assert stream.headers["WWW-Authenticate"].startswith("Bearer")
            assert stream.problem()["code"] == "NOT_AUTHENTICATED"


def test_without_a_broker_the_answer_is_503(product_env, secret: str) -> None:
    with web(product_env | {"REDIS_URL": "redis://127.0.0.1:1/0"}) as site, listening(site, secret) as stream:
        assert stream.status == 503
        assert stream.problem()["code"] == "EVENTS_UNAVAILABLE"


def test_a_lost_broker_ends_the_stream_and_replay_closes_the_gap(product_env, secret: str, tmp_path) -> None:
    from launcher.valkey import EmbeddedValkey

    broker = EmbeddedValkey(tmp_path / "valkey").start()
    try:
        with web(product_env | {"REDIS_URL": broker.url}) as site:
            before = announce()
            with listening(site, secret) as stream:
                broker.stop()
                assert stream.message() == {}
            during = announce()
            broker.start()
            with listening(site, secret, Last_Event_ID=str(before.id)) as stream:
                assert stream.message()["id"] == str(during.id)
    finally:
        broker.stop()


def test_listeners_hold_no_database_connections(site: str) -> None:
    user = make_user(role="viewer")
    secrets = [token_issue(user=user, name=name)[1] for name in ("one", "other")] * MOST_OF_LOGIN
    streams = [listening(site, secret) for secret in secrets]
    entered = [stream.__enter__() for stream in streams]
    try:
        announce()
        assert all(stream.message()["event"] == "vim.changed" for stream in entered)
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
            (connections,) = cursor.fetchone()
        assert connections <= 16 + 4, "one pool, and what the tests use"
    finally:
        for stream in streams:
            stream.__exit__(None, None, None)


def test_a_web_process_with_open_streams_stops(product_env, secret: str) -> None:
    with web_process(product_env) as (site, process), listening(site, secret) as stream:
        process.popen.terminate()
        assert stream.message() == {}
        process.popen.wait(30)
