"""The event stream with as many browsers as an operations centre has."""

import asyncio
import json
from statistics import median
from time import perf_counter
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest

from tests.support.product import running, web

pytestmark = [pytest.mark.bench, pytest.mark.django_db(transaction=True)]

CLIENTS = 200
EVENTS = 30
LATENCY_BUDGET = 1.0
"""Seconds from commit to the slowest client, the load of the two hundred clients themselves on the machine included."""
CONNECTION_BUDGET = 25
"""PostgreSQL connections of web and relay together: they must not grow with the number of listeners."""


class Client:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def connect(cls, site: str, secret: str) -> "Client":
        url = urlsplit(site)
        client = cls(*await asyncio.open_connection(url.hostname, url.port))
        client.writer.write(
            f"GET /api/v1/events HTTP/1.1\r\nHost: {url.netloc}\r\nAuthorization: Bearer {secret}\r\n\r\n".encode()
        )
        await client.line(b"HTTP/1.1 200")
        await client.line(b"retry:")
        return client

    async def line(self, start: bytes) -> bytes:
        while not (line := await self.reader.readline()).startswith(start):
            assert line, "the stream ended"
        return line

    async def arrivals(self) -> list[tuple[str, float]]:
        """Return which events came, and when."""
        met = []
        while len(met) < EVENTS:
            data = json.loads((await self.line(b"data: ")).removeprefix(b"data: "))
            met.append((data["id"], perf_counter()))
        return met


async def measure(site: str, secret: str, database_url: str) -> tuple[list[float], int]:
    """Latencies of every event at every client, and the database connections in use at that time."""
    clients = await asyncio.gather(*(Client.connect(site, secret) for _ in range(CLIENTS)))
    listening = asyncio.gather(*(client.arrivals() for client in clients))
    sent = {}
    async with await psycopg.AsyncConnection.connect(database_url) as writer:
        for _ in range(EVENTS):
            key = str(uuid4())
            await writer.execute(
                "INSERT INTO kit_outboxevent"
                " (topic, aggregate_id, version, payload, delivered_to, attempts, last_error)"
                " VALUES ('op_occ.changed', %s, 1, '{}', '[]', 0, '')",
                [key],
            )
            await writer.execute("NOTIFY vnfm_outbox")
            await writer.commit()
            sent[key] = perf_counter()
            await asyncio.sleep(0.1)  # the rhythm of the load, not a wait for anything
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        row = await (await writer.execute(query)).fetchone()
    arrivals = await asyncio.wait_for(listening, 60)
    for client in clients:
        client.writer.close()
    assert row is not None
    return [at - sent[key] for met in arrivals for key, at in met], row[0]


def test_two_hundred_listeners(product_env: dict[str, str], record_property) -> None:
    from tests.factories.accounts import make_user
    from vnfm.accounts.tokens import token_issue

    _, secret = token_issue(user=make_user(role="viewer"), name="bench")
    with running("manage.py", "relay", env=product_env) as relay, web(product_env) as site:
        relay.expect("relay.kept_house")
        latencies, connections = asyncio.run(measure(site, secret, product_env["DATABASE_URL"]))
    figures = {
        "clients": CLIENTS,
        "median_ms": round(median(latencies) * 1000, 1),
        "worst_ms": round(max(latencies) * 1000, 1),
        "connections": connections,
    }
    record_property("events", figures)
    assert len(latencies) == CLIENTS * EVENTS
    assert max(latencies) <= LATENCY_BUDGET
    assert connections <= CONNECTION_BUDGET
