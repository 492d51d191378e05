from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.factories.accounts import make_user
from tests.support.validating_client import ValidatingClient
from vnfm.accounts.models import ApiToken, User
from vnfm.accounts.tokens import MAX_TOKENS, token_issue
from vnfm.kit import clock

pytestmark = pytest.mark.django_db
SESSION = "/api/v1/session"


def bearer(secret: str) -> ValidatingClient:
    return ValidatingClient(headers={"Authorization": f"Bearer {secret}"})


def test_the_secret_authenticates_and_is_not_stored() -> None:
    token, secret = token_issue(user=make_user(username="ann", role="operator"), name="ci")
    answer = bearer(secret).get(SESSION)
    assert answer.status_code == 200
    assert answer.json()["username"] == "ann"
    assert answer.json()["roles"] == ["viewer", "operator"]
    assert secret.startswith("vnfm_")
    assert secret.encode() not in bytes(ApiToken.objects.get(id=token.id).digest)


def test_invalid_tokens_get_a_problem_and_a_challenge() -> None:
    active, inactive = make_user(), make_user(is_active=False)
    _, expired = token_issue(user=active, name="old", expires_at=clock.now() - timedelta(seconds=1))
    _, orphaned = token_issue(user=inactive, name="left")
    revoked, gone = token_issue(user=active, name="gone")
    revoked.delete()
    for secret in (expired, orphaned, gone, "vnfm_guess", ""):
        answer = bearer(secret).get(SESSION)
        assert answer.status_code == 401
        assert answer["Content-Type"] == "application/problem+json"
        assert answer["WWW-Authenticate"].startswith("Bearer")
        assert answer.json()["code"] == "AUTHENTICATION_FAILED"
        assert answer.json()["nextStep"]


def test_no_credentials_at_all(anonymous_api: ValidatingClient) -> None:
    answer = anonymous_api.get("/api/v1/api_tokens")
    assert (answer.status_code, answer.json()["code"]) == (401, "NOT_AUTHENTICATED")
    assert answer["WWW-Authenticate"] == 'Bearer realm="vnfm"'


def test_last_use_is_recorded_to_the_minute(django_assert_num_queries) -> None:
    token, secret = token_issue(user=make_user(), name="ci")
    client = bearer(secret)
    client.get(SESSION)
    first = ApiToken.objects.get(id=token.id).last_used_at
    assert first is not None
    with django_assert_num_queries(1):
        client.get(SESSION)
    ApiToken.objects.filter(id=token.id).update(last_used_at=first - timedelta(minutes=2))
    client.get(SESSION)
    used = ApiToken.objects.get(id=token.id).last_used_at
    assert used is not None
    assert used >= first


def test_a_user_issues_lists_and_revokes_own_tokens_only(
    viewer_api: ValidatingClient, operator_api: ValidatingClient
) -> None:
    issued = viewer_api.post("/api/v1/api_tokens", {"name": "laptop"}, format="json")
    assert issued.status_code == 201
    secret = issued.json()["token"]
    assert bearer(secret).get(SESSION).json()["roles"] == ["viewer"]

    listed = viewer_api.get("/api/v1/api_tokens").json()
    assert [row["name"] for row in listed] == ["test", "laptop"]
    assert all("token" not in row for row in listed)

    address = f"/api/v1/api_tokens/{issued.json()['id']}"
    assert operator_api.delete(address).status_code == 404
    assert viewer_api.delete(address).status_code == 204
    assert bearer(secret).get(SESSION).status_code == 401


def test_an_expiry_in_the_past_is_refused_at_its_field(viewer_api: ValidatingClient) -> None:
    answer = viewer_api.post("/api/v1/api_tokens", {"name": "x", "expiresAt": "2001-01-01T00:00:00Z"}, format="json")
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == ["/expiresAt"]


def issue(by: ValidatingClient, **body: object) -> dict:
    return by.post("/api/v1/api_tokens", {"name": "child", **body}, format="json").json()


def test_a_token_ends_no_later_than_its_parent() -> None:
    end = clock.now() + timedelta(hours=1)
    parent, secret = token_issue(user=make_user(), name="parent", expires_at=end)
    child = issue(bearer(secret), expiresAt=None)
    assert ApiToken.objects.get(id=child["id"]).expires_at == end
    later = issue(bearer(secret), expiresAt=(end + timedelta(seconds=1)).isoformat())
    assert (later["code"], later["errors"][0]["field"]) == ("TOKEN_TOO_LONG", "/expiresAt")
    grandchild = issue(bearer(child["token"]))
    assert ApiToken.objects.get(id=grandchild["id"]).expires_at == end
    parent.delete()
    for one in (child, grandchild):
        assert bearer(one["token"]).get(SESSION).status_code == 401, "revoked with its parent"


def test_no_token_is_valid_for_longer_than_the_setting(viewer_api: ValidatingClient, settings) -> None:
    settings.TOKEN_MAX_DAYS = 7
    longest = clock.now() + timedelta(days=7)
    made = ApiToken.objects.get(id=issue(viewer_api)["id"])
    assert made.expires_at is not None
    assert abs(made.expires_at - longest) < timedelta(minutes=1)
    too_long = issue(viewer_api, expiresAt=(longest + timedelta(hours=1)).isoformat())
    assert (too_long["code"], too_long["errors"][0]["field"]) == ("TOKEN_TOO_LONG", "/expiresAt")
    with pytest.raises(CommandError, match="1 to 7 days"):
        call_command("issue_token", username=User.objects.get().username, days=8)


def test_an_administrator_lists_and_revokes_the_tokens_of_a_user(
    api: ValidatingClient, operator_api: ValidatingClient
) -> None:
    ann = make_user(username="ann", role="viewer")
    token, secret = token_issue(user=ann, name="laptop")
    path = f"/api/v1/users/{ann.id}/api_tokens"
    assert operator_api.get(path).status_code == operator_api.delete(f"{path}/{token.id}").status_code == 403
    (listed,) = api.get(path).json()
    assert (listed["id"], listed["name"], "token" in listed) == (str(token.id), "laptop", False)
    other = make_user()
    assert api.delete(f"/api/v1/users/{other.id}/api_tokens/{token.id}").status_code == 404
    assert api.delete(f"{path}/{token.id}").status_code == 204
    assert bearer(secret).get(SESSION).status_code == 401


def test_tokens_and_sessions_of_an_inactive_user_stay_ended(api: ValidatingClient) -> None:
    ann = make_user(username="ann", role="viewer")
    _, secret = token_issue(user=ann, name="laptop")
    browser = ValidatingClient()
    browser.force_login(ann)
    assert browser.get(SESSION).status_code == 200
    for active in (False, True):
        answer = api.patch(f"/api/v1/users/{ann.id}", {"isActive": active}, format="json")
        assert answer.status_code == 200
        assert bearer(secret).get(SESSION).status_code == 401
        assert browser.get(SESSION).status_code in (401, 403)


def test_the_first_administrators_token_from_the_command_line(capsys) -> None:
    from django.core.management import CommandError, call_command

    make_user(username="admin")
    call_command("issue_token", username="admin")
    assert bearer(capsys.readouterr().out.strip()).get("/api/v1/users").status_code == 200
    User.objects.update(is_active=False)
    with pytest.raises(CommandError, match="no active user 'admin'"):
        call_command("issue_token", username="admin")


def test_a_token_of_the_command_line_expires() -> None:
    make_user(username="ann")
    for days, options in ((30, {}), (2, {"days": 2})):
        ApiToken.objects.all().delete()
        said = StringIO()
        call_command("issue_token", username="ann", stdout=said, **options)
        expires_at = ApiToken.objects.get().expires_at
        assert expires_at is not None
        assert abs(expires_at - clock.now() - timedelta(days=days)) < timedelta(minutes=1)
        assert bearer(said.getvalue().strip()).get(SESSION).status_code == 200


@pytest.mark.parametrize("days", [0, -1, 10**9])
def test_a_token_is_not_issued_for_odd_times(days: int) -> None:
    make_user(username="ann")
    with pytest.raises(CommandError, match="1 to 90 days"):
        call_command("issue_token", username="ann", days=days)


def test_a_user_has_so_many_tokens_and_no_more() -> None:
    ann = make_user(username="ann")
    _, secret = token_issue(user=ann, name="first")
    over = clock.now() - timedelta(seconds=1)
    ApiToken.objects.bulk_create(
        ApiToken(user=ann, name="x", digest=number.to_bytes(32), expires_at=None if number else over)
        for number in range(MAX_TOKENS - 1)
    )
    client = ValidatingClient(headers={"Authorization": f"Bearer {secret}"})
    assert client.post("/api/v1/api_tokens", {"name": "y"}, format="json").status_code == 201, "the expired one went"
    refused = client.post("/api/v1/api_tokens", {"name": "z"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "TOO_MANY_TOKENS")
    assert ApiToken.objects.filter(user=ann).count() == MAX_TOKENS
    with pytest.raises(CommandError, match="Revoke tokens that are not used"):
        call_command("issue_token", username="ann")
    ApiToken.objects.filter(user=ann, name="y").update(name="issued on the command line")
    call_command("issue_token", username="ann", stdout=StringIO())
    assert ApiToken.objects.filter(user=ann).count() == MAX_TOKENS, "the oldest of the command line ended for it"
    token_issue(user=make_user(username="bob"), name="own")
