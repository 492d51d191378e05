"""Ways in for programs (SOL013 8.3): OAuth 2.0 client credentials, HTTP Basic, X-Auth-Token, a client certificate."""

from base64 import b64decode, b64encode
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
import requests
from keystoneauth1 import http_basic
from keystoneauth1.session import Session
from keystoneauth1.token_endpoint import Token

from tests.factories.accounts import make_user
from tests.factories.tls import certificate_files
from tests.support.validating_client import ValidatingClient
from vnfm.accounts.domain.logins import Login
from vnfm.accounts.models import ApiToken, AuditEntry, User
from vnfm.accounts.roles import Role
from vnfm.accounts.services import LOGIN_ATTEMPTS, LOGIN_REFUSED, client_create, client_update
from vnfm.accounts.tokens import MAX_TOKENS, token_issue
from vnfm.kit import clock

pytestmark = pytest.mark.django_db
SESSION, TOKEN, REVOKE = "/api/v1/session", "/oauth/token", "/oauth/revoke"
FORM = "application/x-www-form-urlencoded"
HOUR = timedelta(hours=1)
GRANT = "grant_type=client_credentials"


def nfvo(role: Role = Role.OPERATOR) -> tuple[User, str]:
    return client_create(username="nfvo", role=role, full_name="The NFVO")


def basic(name: str, secret: str) -> str:
    return f"Basic {b64encode(f'{name}:{secret}'.encode()).decode()}"


def sending(**headers: str) -> ValidatingClient:
    return ValidatingClient(headers={name.replace("_", "-"): value for name, value in headers.items()})


def grant(secret: str, form: str = GRANT, path: str = TOKEN) -> Any:
    return sending(Authorization=basic("nfvo", secret)).generic("POST", path, form, content_type=FORM)


@pytest.mark.parametrize("path", [TOKEN, "/token"])
def test_a_client_gets_a_token_for_an_hour(path: str) -> None:
    _, secret = nfvo()
    answer = grant(secret, path=path)
    body = answer.json()
    assert (answer.status_code, body["token_type"], body["expires_in"], body["scope"]) == (
        200,
        "Bearer",
        3600,
        "operator",
    )
    assert (answer["Cache-Control"], answer["Content-Type"]) == ("no-store", "application/json")
    session = sending(Authorization=f"Bearer {body['access_token']}").get(SESSION).json()
    assert (session["username"], session["roles"]) == ("nfvo", ["viewer", "operator"])
    ApiToken.objects.update(expires_at=clock.now() - timedelta(seconds=1))
    late = sending(Authorization=f"Bearer {body['access_token']}").get(SESSION)
    assert (late.status_code, late["WWW-Authenticate"]) == (401, 'Bearer realm="vnfm", error="invalid_token"')
    grant(secret)
    assert ApiToken.objects.count() == 1, "the expired one is deleted"


def test_credentials_may_be_in_the_form() -> None:
    _, secret = nfvo()
    form = f"{GRANT}&client_id=nfvo&client_secret={secret}"
    assert ValidatingClient().generic("POST", TOKEN, form, content_type=FORM).status_code == 200
    wrong = ValidatingClient().generic("POST", TOKEN, form[:-1], content_type=FORM)
    assert (wrong.status_code, wrong.json()["error"], "WWW-Authenticate" in wrong) == (401, "invalid_client", False)


def test_a_scope_narrows_the_rights_of_the_token_and_of_its_children() -> None:
    _, secret = nfvo()
    token = grant(secret, f"{GRANT}&scope=viewer").json()["access_token"]
    narrow = sending(Authorization=f"Bearer {token}")
    assert narrow.get(SESSION).json()["roles"] == ["viewer"]
    assert narrow.get("/api/v1/subscriptions").status_code == 403
    child = narrow.post("/api/v1/api_tokens", {"name": "child"}, format="json").json()["token"]
    assert sending(Authorization=f"Bearer {child}").get("/api/v1/subscriptions").status_code == 403
    full = grant(secret, f"{GRANT}&scope=viewer+operator").json()
    assert full["scope"] == "operator"
    assert sending(Authorization=f"Bearer {full['access_token']}").get("/api/v1/subscriptions").status_code == 200


@pytest.mark.parametrize(
    ("scope", "roles"),
    [
        ("vnflcm:v2:all", ["viewer", "operator"]),
        ("vnflcm:v1:vnf_instances:readonly", ["viewer"]),
        ("vnffm:v1:readonly vnfpm:v2", ["viewer", "operator"]),
    ],
)
def test_scopes_of_sol013_are_words_for_roles(scope: str, roles: list[str]) -> None:
    _, secret = nfvo()
    body = grant(secret, f"{GRANT}&scope={scope}").json()
    assert body["scope"] == scope, "libraries refuse a scope that they did not ask for"
    assert sending(Authorization=f"Bearer {body['access_token']}").get(SESSION).json()["roles"] == roles


def test_a_viewer_gets_no_scope_that_writes() -> None:
    _, secret = nfvo(Role.VIEWER)
    assert grant(secret, f"{GRANT}&scope=vnflcm:v2:all").json()["error"] == "invalid_scope"
    assert grant(secret, f"{GRANT}&scope=vnflcm:v2:readonly").status_code == 200
    assert grant(secret, f"{GRANT}&scope=vnfxyz:v2:readonly").json()["error"] == "invalid_scope"


def test_the_oldest_tokens_of_a_client_end(api: ValidatingClient) -> None:
    client, secret = nfvo()
    first, second = (grant(secret).json()["access_token"] for _ in range(2))
    ApiToken.objects.bulk_create(
        ApiToken(user=client, name="x", scope="operator", digest=number.to_bytes(32), expires_at=clock.now() + HOUR)
        for number in range(MAX_TOKENS - 2)
    )
    last = grant(secret).json()["access_token"]
    assert ApiToken.objects.filter(user=client).count() == MAX_TOKENS
    statuses = [sending(Authorization=f"Bearer {each}").get(SESSION).status_code for each in (first, second, last)]
    assert statuses == [401, 200, 200]
    listed = f"/api/v1/api_clients/{client.id}/api_tokens"
    row = next(row for row in api.get(listed).json() if row["name"] == "OAuth 2.0")
    assert "token" not in row
    assert api.delete(f"{listed}/{row['id']}").status_code == 204
    assert sending(Authorization=f"Bearer {second}").get(SESSION).status_code == 401
    assert api.delete(f"{listed}/{row['id']}").status_code == 404
    assert api.get(f"/api/v1/api_clients/{make_user(username='ann').id}/api_tokens").status_code == 404


@pytest.mark.parametrize(
    ("form", "error"),
    [
        ("", "invalid_request"),
        (f"{GRANT}&{GRANT}", "invalid_request"),
        ("grant_type=password", "unsupported_grant_type"),
        (f"{GRANT}&scope=admin", "invalid_scope"),
        (f"{GRANT}&scope=everything", "invalid_scope"),
    ],
    ids=str,
)
def test_a_wrong_request_gets_the_word_of_rfc_6749(form: str, error: str) -> None:
    _, secret = nfvo()
    answer = grant(secret, form)
    assert (answer.status_code, answer.json()["error"]) == (400, error)
    assert answer.json()["error_description"]
    assert not ApiToken.objects.exists()


def test_a_token_is_revoked_by_its_client_alone() -> None:
    _, secret = nfvo()
    token = grant(secret).json()["access_token"]
    _, other = client_create(username="other", role=Role.VIEWER)
    foreign = sending(Authorization=basic("other", other)).generic("POST", REVOKE, f"token={token}", content_type=FORM)
    assert foreign.status_code == 200
    assert sending(Authorization=f"Bearer {token}").get(SESSION).status_code == 200
    assert grant(secret, f"token={token}", REVOKE).status_code == 200
    assert sending(Authorization=f"Bearer {token}").get(SESSION).status_code == 401


def test_basic_is_for_api_clients_and_not_for_people() -> None:
    _, secret = nfvo()
    make_user(username="ann", password="correct horse battery")
    login = sending(Authorization=basic("nfvo", secret))
    assert login.get(SESSION).json()["username"] == "nfvo"
    refused = sending(Authorization=basic("ann", "correct horse battery")).get(SESSION)
    assert (refused.status_code, refused["WWW-Authenticate"]) == (401, 'Basic realm="vnfm", charset="UTF-8"')
    assert login.get("/api/v1/users").status_code == 403, "rights are another refusal"
    login.post("/api/v1/api_tokens", {"name": "child"}, format="json")
    written = AuditEntry.objects.get(action="POST 201")
    assert (written.actor, written.detail["login"]) == ("nfvo", "basic")
    assert User.objects.get(username="nfvo").last_login is not None


def test_wrong_secrets_are_audited_and_limited_and_lock_no_client_out() -> None:
    _, secret = nfvo()
    guess = sending(Authorization=basic("nfvo", "vnfm_guess"))
    assert [guess.get(SESSION).status_code for _ in range(LOGIN_ATTEMPTS + 1)] == [401] * LOGIN_ATTEMPTS + [429]
    assert AuditEntry.objects.filter(actor="nfvo", action=LOGIN_REFUSED).count() == LOGIN_ATTEMPTS
    assert grant("vnfm_guess").status_code == 429
    assert sending(Authorization=basic("nfvo", secret)).get(SESSION).status_code == 200


@pytest.mark.parametrize("header", ["Bear x", "Digest username=x", "Basic ???", "Basic bm9jb2xvbg=="])
def test_a_malformed_header_is_400(header: str) -> None:
    answer = sending(Authorization=header).get(SESSION)
    assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_AUTHORIZATION")


def test_a_certificate_logs_its_client_in(tmp_path, settings) -> None:
    client, _ = nfvo()
    pem, _ = certificate_files(tmp_path)
    base64 = "".join(pem.read_text().split("-----")[2].split())
    fingerprint = sha256(b64decode(base64)).digest()
    login = sending(Client_Cert=f":{base64}:")
    assert login.get(SESSION).status_code == 401
    client_update(client=client, by="admin", certificate=fingerprint)
    assert login.get(SESSION).json()["username"] == "nfvo"
    assert sending(Client_Cert="garbage").get(SESSION).status_code == 400
    settings.API_LOGINS = frozenset(Login) - {Login.CERTIFICATE}
    assert login.get(SESSION).status_code == 401


def test_each_way_in_can_be_switched_off(settings) -> None:
    _, secret = nfvo()
    made = token_issue(user=make_user(username="ann"), name="made")[1]
    oauth = grant(secret).json()["access_token"]
    browser = ValidatingClient()
    browser.force_login(User.objects.get(username="ann"))
    ways = {
        Login.TOKEN: sending(Authorization=f"Bearer {made}"),
        Login.OAUTH2: sending(Authorization=f"Bearer {oauth}"),
        Login.BASIC: sending(Authorization=basic("nfvo", secret)),
        Login.X_AUTH_TOKEN: sending(X_Auth_Token=made),
        Login.SESSION: browser,
    }
    for off in ways:
        settings.API_LOGINS = frozenset(Login) - {off}
        opened = {way: client.get(SESSION).status_code == 200 for way, client in ways.items()}
        closed = {off} | ({Login.X_AUTH_TOKEN} if off == Login.TOKEN else set())
        assert opened == {way: way not in closed for way in ways}
    settings.API_LOGINS = frozenset(Login) - {Login.OAUTH2}
    assert grant(secret).json()["error"] == "unauthorized_client"


def test_foreign_clients_log_in(live_server) -> None:
    """keystoneauth's `http_basic` and `admin_token`, by which python-tackerclient logs in, and requests'."""
    _, secret = nfvo()
    token = token_issue(user=make_user(username="ann"), name="tacker")[1]
    url = f"{live_server.url}/vnflcm/v2/vnf_instances"
    plugins = [
        http_basic.HTTPBasicAuth(endpoint=live_server.url, username="nfvo", password=secret),
        Token(endpoint=live_server.url, token=token),
    ]
    for plugin in plugins:
        answer = Session(auth=plugin).get(url)
        assert (answer.status_code, answer.json()) == (200, [])
    granted = requests.post(
        f"{live_server.url}{TOKEN}", {"grant_type": "client_credentials"}, auth=("nfvo", secret), timeout=10
    ).json()
    headers = {"Authorization": f"Bearer {granted['access_token']}"}
    assert requests.get(url, headers=headers, timeout=10).status_code == 200


def test_an_administrator_manages_clients(api: ValidatingClient) -> None:
    made = api.post("/api/v1/api_clients", {"clientId": "nfvo", "role": "viewer"}, format="json")
    assert (made.status_code, made.json()["isActive"], made.json()["lastUsedAt"]) == (201, True, None)
    path, secret = f"/api/v1/api_clients/{made.json()['id']}", made.json()["secret"]
    assert "secret" not in api.get(path).json()
    assert [row["clientId"] for row in api.get("/api/v1/api_clients").json()] == ["nfvo"]
    assert "nfvo" not in [row["username"] for row in api.get("/api/v1/users").json()]
    taken = api.post("/api/v1/api_clients", {"clientId": "NFVO", "role": "viewer"}, format="json")
    assert (taken.status_code, taken.json()["code"]) == (409, "USERNAME_TAKEN")
    assert grant(secret).status_code == 200
    renewed = api.post(f"{path}/secret").json()["secret"]
    assert (grant(secret).status_code, grant(renewed).status_code) == (401, 200)
    stale = api.patch(path, {"role": "operator"}, format="json", headers={"If-Match": '"1"'})
    assert stale.status_code == 412
    pinned = api.patch(path, {"certificateFingerprint": "AB:" * 31 + "cd", "isActive": False}, format="json")
    assert pinned.json()["certificateFingerprint"] == "ab" * 31 + "cd"
    assert not ApiToken.objects.filter(user__username="nfvo").exists()
    assert grant(renewed).status_code == 401
    other = api.post("/api/v1/api_clients", {"clientId": "other", "role": "viewer"}, format="json").json()
    both = api.patch(f"/api/v1/api_clients/{other['id']}", {"certificateFingerprint": "ab" * 31 + "cd"}, format="json")
    assert (both.status_code, both.json()["code"]) == (409, "CERTIFICATE_TAKEN")
