"""Idempotency-Key over real requests: one effect, one answer, and nothing at all after a crash."""

import signal
import threading
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from typing import Any
from uuid import uuid4

import psycopg
import pytest
import requests
from django.db import connections
from django.utils.crypto import salted_hmac
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tests.factories.accounts import make_user
from tests.support.product import PATIENCE, web, web_process
from tests.support.validating_client import ValidatingClient
from vnfm.accounts.models import ApiToken, AuditEntry, User
from vnfm.accounts.tokens import token_issue
from vnfm.kit import clock
from vnfm.kit.durable.database import direct_connection
from vnfm.kit.models import IdempotentAnswer, OutboxEvent
from vnfm.kit.web import idempotency

USERS, TOKENS = "/api/v1/users", "/api/v1/api_tokens"
BODY = {"username": "ann", "password": "correct horse battery", "role": "viewer"}

pytestmark = pytest.mark.django_db


def post(client: ValidatingClient, path: str, body: dict[str, Any], key: str) -> Any:
    return client.post(path, body, format="json", headers={"Idempotency-Key": key})


def test_a_repeated_request_gets_the_first_answer_and_has_no_second_effect(api: ValidatingClient) -> None:
    first = post(api, USERS, BODY, "k-1")
    again = post(api, USERS, BODY, "k-1")
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.headers["Content-Type"] == first.headers["Content-Type"] == "application/json"
    assert User.objects.filter(username="ann").count() == 1
    assert AuditEntry.objects.filter(object=USERS, action="POST 201").count() == 2, "who asked is kept, each time"


def test_without_a_key_nothing_is_stored(api: ValidatingClient) -> None:
    assert api.post(USERS, BODY, format="json").status_code == 201
    assert api.post(USERS, BODY, format="json").status_code == 409
    assert not IdempotentAnswer.objects.exists()


@pytest.mark.parametrize(("path", "change"), [(USERS, {"role": "operator"}), (f"{USERS}?x=1", {}), (TOKENS, {})])
def test_a_key_is_for_one_request(api: ValidatingClient, path: str, change: dict[str, str]) -> None:
    post(api, USERS, BODY, "k-1")
    other = post(api, path, BODY | change, "k-1")
    assert (other.status_code, other.json()["code"]) == (422, "IDEMPOTENCY_KEY_REUSED")
    assert other.headers["Content-Type"] == "application/problem+json"


def test_a_key_is_its_callers_and_not_its_tokens(api_as: Any) -> None:
    """A second token of the same user repeats the request; another user makes one of their own."""
    ann = make_user(role="viewer")
    clients = [
        ValidatingClient(headers={"Authorization": f"Bearer {token_issue(user=ann, name=n)[1]}"}) for n in ("a", "b")
    ]
    mine = [post(client, TOKENS, {"name": "ci"}, "k-1") for client in clients]
    assert mine[0].json() == mine[1].json()
    theirs = post(api_as("viewer"), TOKENS, {"name": "ci"}, "k-1")
    assert theirs.status_code == 201
    assert theirs.json()["id"] != mine[0].json()["id"]


def test_a_secret_in_an_answer_is_stored_sealed(api: ValidatingClient) -> None:
    """The caller who lost the answer gets the token after all; who reads the database does not."""
    secret = post(api, TOKENS, {"name": "ci"}, "k-1").json()["token"]
    assert post(api, TOKENS, {"name": "ci"}, "k-1").json()["token"] == secret
    assert ApiToken.objects.filter(name="ci").count() == 1
    row = IdempotentAnswer.objects.get()
    assert secret.encode() not in bytes(row.sealed_answer) + bytes(row.fingerprint)


def test_a_password_cannot_be_guessed_from_the_stored_row(api: ValidatingClient, settings: Any) -> None:
    """A reader of the table who knows all of the request but the password has nothing to try guesses against."""
    sent = f"{USERS}\0".encode() + JSONRenderer().render(BODY)
    first = post(api, USERS, BODY, "k-1")
    kept = bytes(IdempotentAnswer.objects.get().fingerprint)
    assert kept != sha256(sent).digest()
    assert kept == salted_hmac("vnfm.kit.web.idempotency", sent, algorithm="sha256").digest(), "of all that was sent"
    assert post(api, USERS, BODY, "k-1").json() == first.json()
    settings.SECRET_KEY = "another secret, by which the digest is another one"
    assert post(api, USERS, BODY, "k-1").json()["code"] == "IDEMPOTENCY_KEY_REUSED"


def test_a_refused_request_is_evaluated_again(api: ValidatingClient) -> None:
    taken = make_user(username="ann")
    assert post(api, USERS, BODY, "k-1").status_code == 409
    taken.delete()
    answer = post(api, USERS, BODY, "k-1")
    assert answer.status_code == 201
    assert "Idempotency-Replayed" not in answer.headers


@pytest.mark.parametrize("key", ["", "two words", "é", "k" * 256], ids=["empty", "space", "not ASCII", "long"])
def test_a_key_that_is_none_is_refused(api: ValidatingClient, key: str) -> None:
    answer = post(api, USERS, BODY, key)
    assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_IDEMPOTENCY_KEY")
    assert not User.objects.filter(username="ann").exists()


def test_an_anonymous_request_is_refused(anonymous_api: ValidatingClient) -> None:
    assert post(anonymous_api, USERS, BODY, "k-1").status_code == 401
    assert not IdempotentAnswer.objects.exists()


def test_a_replay_needs_a_caller_who_may_still_come_in(api: ValidatingClient) -> None:
    post(api, TOKENS, {"name": "ci"}, "k-1")
    ApiToken.objects.filter(name="test").delete()
    assert post(api, TOKENS, {"name": "ci"}, "k-1").status_code == 401


def test_old_answers_are_forgotten(api: ValidatingClient) -> None:
    post(api, TOKENS, {"name": "old"}, "k-1")
    IdempotentAnswer.objects.update(created_at=clock.now() - idempotency.KEEP - timedelta(seconds=1))
    post(api, TOKENS, {"name": "new"}, "k-2")
    assert idempotency.prune(idempotency.KEEP) == 1
    assert IdempotentAnswer.objects.get().key == "k-2"


class FailsLate(APIView):
    """Writes, and then cannot answer."""

    def post(self, request: Request) -> Response:
        OutboxEvent.objects.create(topic="half.done", aggregate_id=uuid4(), version=1)
        raise RuntimeError("on our side")


def test_a_failure_of_ours_leaves_nothing(api: ValidatingClient, settings: Any) -> None:
    from django.urls import path

    settings.ROOT_URLCONF = (path("fails", FailsLate.as_view()),)
    answer = post(api, "/fails", {}, "k-1")
    assert (answer.status_code, answer.json()["code"]) == (500, "INTERNAL_ERROR")
    assert not OutboxEvent.objects.filter(topic="half.done").exists()
    assert not IdempotentAnswer.objects.exists()


@pytest.fixture
def uncommitted_user(transactional_db: None) -> Iterator[psycopg.Connection]:
    """Another transaction has inserted the user name: a request that wants it waits until this one ends."""
    with direct_connection() as other:
        other.autocommit = False
        other.execute(
            "INSERT INTO accounts_user (id, username, password, full_name, role, is_active, version) "
            "VALUES (%s, 'ann', '', '', 'viewer', true, 1)",
            [uuid4()],
        )
        yield other
        other.rollback()


def wait_until_blocked(other: psycopg.Connection) -> None:
    """Wait until `other` blocks a request."""
    waiting = "SELECT 1 FROM pg_stat_activity WHERE %s = ANY(pg_blocking_pids(pid))"
    pause = threading.Event()
    with direct_connection() as watch:
        for _ in range(int(PATIENCE / 0.02)):
            if watch.execute(waiting, [other.info.backend_pid]).fetchone():
                return
            pause.wait(0.02)
    raise AssertionError("no request waits")


@pytest.mark.django_db(transaction=True)
def test_a_repetition_during_the_first_is_refused(api: ValidatingClient, uncommitted_user: psycopg.Connection) -> None:
    answers: list[Any] = []

    def first() -> None:
        answers.append(post(api, USERS, BODY, "k-1"))
        connections.close_all()

    thread = threading.Thread(target=first)
    thread.start()
    wait_until_blocked(uncommitted_user)
    second = post(api, USERS, BODY, "k-1")
    assert (second.status_code, second.json()["code"]) == (409, "IDEMPOTENCY_KEY_IN_USE")
    uncommitted_user.rollback()
    thread.join(PATIENCE)
    assert answers[0].status_code == 201
    assert post(api, USERS, BODY, "k-1").json() == answers[0].json()


@pytest.mark.django_db(transaction=True)
def test_a_crash_leaves_neither_claim_nor_effect(
    product_env: dict[str, str], uncommitted_user: psycopg.Connection
) -> None:
    _, secret = token_issue(user=make_user(role="admin"), name="test")
    headers = {"Authorization": f"Bearer {secret}", "Idempotency-Key": "k-1"}
    with web_process(product_env) as (url, process):
        lost = threading.Thread(target=_post_in_vain, args=(f"{url}{USERS}", headers))
        lost.start()
        wait_until_blocked(uncommitted_user)
        process.end(signal.SIGKILL)
        lost.join(PATIENCE)
    uncommitted_user.rollback()
    with web(product_env) as url:
        again = [requests.post(f"{url}{USERS}", json=BODY, headers=headers, timeout=30) for _ in range(2)]
    assert [answer.status_code for answer in again] == [201, 201]
    assert [answer.headers.get("Idempotency-Replayed") for answer in again] == [None, "true"]
    assert again[0].json() == again[1].json()
    assert User.objects.filter(username="ann").count() == 1


def _post_in_vain(url: str, headers: dict[str, str]) -> None:
    with pytest.raises(requests.ConnectionError):
        requests.post(url, json=BODY, headers=headers, timeout=PATIENCE)
