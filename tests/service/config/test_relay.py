"""The relay as a process: woken at commit, unharmed by a database restart, gone at SIGTERM."""

from contextlib import contextmanager
from uuid import uuid4

import psycopg
import pytest
import redis
from django.db import transaction

from launcher.postgres import EmbeddedPostgres
from tests.support.product import running
from tests.support.schema_template import copy_to
from vnfm.kit.durable import outbox
from vnfm.kit.models import OutboxEvent
from vnfm.notifications.services.sse_publisher import CHANNEL

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 90


def put() -> str:
    key = uuid4()
    with transaction.atomic():
        outbox.publish("vim.changed", key, 1)
    return str(key)


@contextmanager
def announcements(url: str):
    """Yields a function that waits for the next announcement."""
    with redis.Redis.from_url(url) as client, client.pubsub(ignore_subscribe_messages=True) as pubsub:
        pubsub.subscribe(CHANNEL)
        pubsub.get_message(ignore_subscribe_messages=False, timeout=PATIENCE)

        def announced() -> str:
            message = pubsub.get_message(timeout=PATIENCE)
            assert message is not None, "nothing was announced"
            return message["data"].decode()

        yield announced


def test_commits_are_published_and_sigterm_ends_it_cleanly(product_env: dict[str, str]) -> None:
    with announcements(product_env["REDIS_URL"]) as announced, running("manage.py", "relay", env=product_env) as relay:
        relay.expect("relay.kept_house")
        key = put()
        assert key in announced()
        assert relay.end() == 0
    assert OutboxEvent.objects.filter(delivered_at__isnull=True).count() == 0


def test_events_of_a_time_without_a_relay_are_delivered_later(product_env: dict[str, str]) -> None:
    keys = [put() for _ in range(outbox.BATCH + 1)]
    with announcements(product_env["REDIS_URL"]) as announced, running("manage.py", "relay", env=product_env):
        assert [key in announced() for key in keys] == [True] * len(keys)


def test_a_lost_connection_is_restored(product_env: dict[str, str]) -> None:
    with announcements(product_env["REDIS_URL"]) as announced, running("manage.py", "relay", env=product_env) as relay:
        relay.expect("relay.kept_house")
        with psycopg.connect(product_env["DATABASE_URL"], autocommit=True) as surgeon:
            surgeon.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'LISTEN%'"
            )
        relay.expect("listen.connection_lost")
        relay.expect("listen.ready")
        key = put()
        assert key in announced()


def test_it_survives_a_restart_of_the_database(product_env: dict[str, str], tmp_path) -> None:
    copy_to(tmp_path / "pg")
    server = EmbeddedPostgres(tmp_path / "pg", fsync=False).start()
    env = product_env | {"DATABASE_URL": server.url}
    try:
        with announcements(env["REDIS_URL"]) as announced, running("manage.py", "relay", env=env) as relay:
            relay.expect("relay.kept_house")
            server.stop()
            relay.expect("listen.connection_lost")
            server.start()
            relay.expect("listen.ready")
            with psycopg.connect(server.url, autocommit=True) as writer:
                writer.execute(
                    "INSERT INTO kit_outboxevent"
                    " (topic, aggregate_id, version, payload, delivered_to, attempts, last_error)"
                    " VALUES ('vim.changed', %s, 1, '{}', '[]', 0, '')",
                    [key := uuid4()],
                )
            assert str(key) in announced()
            assert relay.end() == 0
    finally:
        server.stop()
