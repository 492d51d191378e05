from concurrent.futures import ThreadPoolExecutor
from threading import Event, Semaphore

import pytest
from django.contrib.auth.hashers import BasePasswordHasher
from django.db import connection

from tests.factories.accounts import make_user
from tests.support.validating_client import ValidatingClient
from vnfm.accounts.models import AuditEntry, User
from vnfm.accounts.services import (
    HASHES_AT_ONCE,
    LOGIN_ATTEMPTS,
    LOGIN_ATTEMPTS_OF_ADDRESS,
    LOGIN_ATTEMPTS_OF_NAME,
    LOGIN_REFUSED,
    audit,
    user_authenticate,
)
from vnfm.kit.durable.database import direct_connection
from vnfm.kit.problem import ProblemError

pytestmark = pytest.mark.django_db
SESSION = "/api/v1/session"
PASSWORD = "correct horse battery"


@pytest.fixture
def browser() -> ValidatingClient:
    """A client that keeps cookies and is held to CSRF, as a browser is."""
    client = ValidatingClient(enforce_csrf_checks=True)
    client.credentials(HTTP_X_CSRFTOKEN=client.get("/api/v1/session/csrf").json()["csrfToken"])
    return client


def log_in(client: ValidatingClient, username: str = "ann", password: str = PASSWORD, **extra):
    return client.post(SESSION, {"username": username, "password": password}, format="json", **extra)


def renew_csrf(client: ValidatingClient) -> None:
    client.credentials(HTTP_X_CSRFTOKEN=client.get("/api/v1/session/csrf").json()["csrfToken"])


def test_login_me_logout(browser: ValidatingClient) -> None:
    make_user(username="ann", full_name="Ann Operator", role="operator", password=PASSWORD)
    assert browser.get(SESSION).status_code == 401
    assert log_in(browser).status_code == 201
    assert browser.get(SESSION).json()["displayName"] == "Ann Operator"
    renew_csrf(browser)
    assert browser.delete(SESSION).status_code == 204
    assert browser.get(SESSION).status_code == 401


def test_login_without_the_csrf_token_is_refused() -> None:
    make_user(username="ann", password=PASSWORD)
    answer = log_in(ValidatingClient(enforce_csrf_checks=True))
    assert (answer.status_code, answer.json()["code"]) == (403, "CSRF_FAILED")
    assert "X-CSRFToken" in answer.json()["nextStep"]


def test_writes_of_a_session_need_the_csrf_token(browser: ValidatingClient) -> None:
    make_user(username="ann", password=PASSWORD)
    log_in(browser)
    browser.credentials()
    answer = browser.post("/api/v1/api_tokens", {"name": "x"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "CSRF_FAILED")
    renew_csrf(browser)
    assert browser.post("/api/v1/api_tokens", {"name": "x"}, format="json").status_code == 201


@pytest.mark.parametrize(
    ("username", "password"), [("ann", "wrong"), ("unknown", PASSWORD), ("gone", PASSWORD)], ids=str
)
def test_every_refusal_looks_the_same_and_is_audited(browser: ValidatingClient, username: str, password: str) -> None:
    make_user(username="ann", password=PASSWORD)
    make_user(username="gone", password=PASSWORD, is_active=False)
    answer = log_in(browser, username, password)
    assert answer.status_code == 401
    assert answer.json()["detail"] == "User name or password is wrong."
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.address) == (LOGIN_REFUSED, "127.0.0.1")
    assert (entry.actor == username) == User.objects.filter(username=username).exists()
    assert entry.request_id == answer["X-Request-ID"]


def test_guessing_is_slowed_down_for_the_name_and_address(browser: ValidatingClient) -> None:
    make_user(username="ann", password=PASSWORD)
    for _ in range(LOGIN_ATTEMPTS):
        assert log_in(browser, password="guess").status_code == 401
    throttled = log_in(browser)
    assert (throttled.status_code, throttled.json()["code"]) == (429, "TOO_MANY_LOGINS")
    assert int(throttled["Retry-After"]) > 0
    assert log_in(browser, REMOTE_ADDR="192.0.2.7").status_code == 201


def test_a_new_password_forgets_the_guesses(browser: ValidatingClient, api: ValidatingClient) -> None:
    ann = make_user(username="ann", password=PASSWORD)
    for _ in range(LOGIN_ATTEMPTS):
        log_in(browser, password="guess")
    assert log_in(browser).status_code == 429
    assert api.patch(f"/api/v1/users/{ann.id}", {"password": "another good phrase"}, format="json").status_code == 200
    assert log_in(browser, password="another good phrase").status_code == 201
    browser.credentials()
    for _ in range(LOGIN_ATTEMPTS):
        renew_csrf(browser)
        log_in(browser, password="guess")
    assert log_in(browser, password="another good phrase").status_code == 429, "guesses after it count"


def test_guessing_a_name_from_many_addresses_is_slowed_down_as_well(browser: ValidatingClient) -> None:
    make_user(username="ann", password=PASSWORD)
    for number in range(LOGIN_ATTEMPTS_OF_NAME):
        audit(actor="ann", action=LOGIN_REFUSED, address=f"192.0.2.{number}")
    assert log_in(browser).status_code == 429


def test_forwarded_addresses_are_not_trusted(browser: ValidatingClient) -> None:
    make_user(username="ann", password=PASSWORD)
    assert log_in(browser, password="guess", HTTP_X_FORWARDED_FOR="192.0.2.9").status_code == 401
    assert AuditEntry.objects.get().address == "127.0.0.1"


@pytest.mark.parametrize("address", ["", "unix:", "fe80::1%eth0", "1.2.3.4:80"])
def test_a_peer_without_an_ip_address_can_log_in(browser: ValidatingClient, address: str) -> None:
    make_user(username="ann", password=PASSWORD)
    assert log_in(browser, password="guess", REMOTE_ADDR=address).status_code == 401
    assert log_in(browser, REMOTE_ADDR=address).status_code == 201


@pytest.mark.django_db(transaction=True)
def test_guesses_at_the_same_time_are_counted_one_after_the_other() -> None:
    def guess(_: int) -> int:
        try:
            user_authenticate(username="ann", password="guess", address="127.0.0.1")
        except ProblemError as refused:
            return refused.problem.status
        finally:
            connection.close()
        return 200

    with ThreadPoolExecutor(LOGIN_ATTEMPTS * 2) as crowd:
        answers = list(crowd.map(guess, range(LOGIN_ATTEMPTS * 2)))
    assert sorted(answers) == [401] * LOGIN_ATTEMPTS + [429] * LOGIN_ATTEMPTS


def test_a_flood_of_unknown_names_locks_no_user_out_and_stops_being_recorded(browser: ValidatingClient) -> None:
    make_user(username="ann", password=PASSWORD)
    for number in range(LOGIN_ATTEMPTS_OF_ADDRESS):
        audit(actor=f"name-{number}", action=LOGIN_REFUSED, address="127.0.0.1")
    assert log_in(browser, username="unknown").status_code == 401
    assert AuditEntry.objects.filter(action=LOGIN_REFUSED).count() == LOGIN_ATTEMPTS_OF_ADDRESS
    assert log_in(browser, password="guess").status_code == 401
    assert AuditEntry.objects.filter(actor="ann", action=LOGIN_REFUSED).count() == 1
    assert log_in(browser).status_code == 201


class Hasher(BasePasswordHasher):
    """Hashes for as long as the test lets it."""

    algorithm = "slow"
    entered, leave = Semaphore(0), Event()

    def encode(self, password: str, salt: str, **_) -> str:
        return f"slow${salt}${password}"

    def verify(self, password: str, encoded: str) -> bool:
        self.entered.release()
        assert self.leave.wait(30)
        return encoded.rpartition("$")[2] == password

    def decode(self, encoded: str) -> dict[str, str]:
        return dict(zip(("algorithm", "salt", "hash"), encoded.split("$"), strict=True))

    def must_update(self, encoded: str) -> bool:
        return False


@pytest.mark.django_db(transaction=True)
def test_hashing_holds_no_connection_and_others_wait_their_turn(settings) -> None:
    """A login that finds no place to hash in gets Retry-After; hashing keeps no transaction open."""
    settings.PASSWORD_HASHERS = [f"{__name__}.Hasher"]
    make_user(username="ann", password=PASSWORD)

    def attempt(_: int) -> int:
        try:
            user_authenticate(username="ann", password=PASSWORD, address="127.0.0.1")
        except ProblemError as refused:
            return refused.problem.extra["retryAfter"]
        finally:
            connection.close()
        return 200

    with ThreadPoolExecutor(HASHES_AT_ONCE) as crowd:
        hashing = crowd.map(attempt, range(HASHES_AT_ONCE))
        try:
            for _ in range(HASHES_AT_ONCE):
                assert Hasher.entered.acquire(timeout=30)
            with direct_connection() as own:
                rows = own.execute(
                    "SELECT state, count(*) FROM pg_stat_activity WHERE datname = current_database() "
                    "AND pid <> pg_backend_pid() AND state LIKE 'idle in%' GROUP BY 1"
                ).fetchall()
            assert rows == []
            assert attempt(0) == 2
        finally:
            Hasher.leave.set()
        assert list(hashing) == [200] * HASHES_AT_ONCE
    assert not AuditEntry.objects.filter(action=LOGIN_REFUSED).exists()


def test_a_deactivated_user_is_out_at_once(browser: ValidatingClient) -> None:
    user = make_user(username="ann", password=PASSWORD)
    log_in(browser)
    user.is_active = False
    user.save()
    assert browser.get(SESSION).status_code == 401


def test_a_password_typed_as_the_name_is_not_written_down_and_slowed_down_all_the_same(
    browser: ValidatingClient,
) -> None:
    make_user(username="ann", password=PASSWORD)
    for _ in range(LOGIN_ATTEMPTS):
        assert log_in(browser, username=PASSWORD, password="").status_code in (400, 401)
        assert log_in(browser, username=PASSWORD, password="x").status_code in (401, 429)
    assert log_in(browser, username=PASSWORD, password="x").status_code == 429
    actors = set(AuditEntry.objects.values_list("actor", flat=True))
    (actor,) = actors
    assert PASSWORD not in actor
    assert actor.startswith("unknown name ")
