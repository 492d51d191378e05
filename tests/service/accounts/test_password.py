"""PUT /api/v1/session/password: a user's own new password."""

import pytest

from tests.factories.accounts import make_user
from tests.support.validating_client import ValidatingClient
from vnfm.accounts.models import ApiToken, AuditEntry, User
from vnfm.accounts.services import LOGIN_ATTEMPTS, LOGIN_REFUSED
from vnfm.accounts.tokens import token_issue

pytestmark = pytest.mark.django_db
SESSION = "/api/v1/session"
OWN = f"{SESSION}/password"
OLD, NEW = "correct horse battery", "staple of another kind"
CHANGE = {"presentPassword": OLD, "password": NEW}


def renew_csrf(client: ValidatingClient) -> None:
    client.credentials(HTTP_X_CSRFTOKEN=client.get(f"{SESSION}/csrf").json()["csrfToken"])


def logged_in(username: str = "ann", password: str = OLD) -> ValidatingClient:
    """A browser of that user, held to CSRF."""
    client = ValidatingClient(enforce_csrf_checks=True)
    renew_csrf(client)
    assert client.post(SESSION, {"username": username, "password": password}, format="json").status_code == 201
    renew_csrf(client)
    return client


@pytest.fixture
def ann() -> User:
    return make_user(username="ann", role="viewer", password=OLD)


def test_it_ends_all_sessions_but_its_own(ann: User) -> None:
    here, elsewhere = logged_in(), logged_in()
    token_issue(user=ann, name="ci")
    bob = make_user(username="bob")
    token_issue(user=bob, name="ci")
    answer = here.put(OWN, CHANGE, format="json")
    assert (answer.status_code, answer.content) == (204, b"")
    assert here.get(SESSION).json()["username"] == "ann"
    assert elsewhere.get(SESSION).status_code == 401
    assert list(ApiToken.objects.values_list("user__username", flat=True)) == ["bob"]
    again = ValidatingClient()
    assert again.post(SESSION, {"username": "ann", "password": OLD}, format="json").status_code in (401, 403)
    assert logged_in(password=NEW).get(SESSION).status_code == 200


def test_a_wrong_present_password_is_refused_at_its_field_and_guessing_is_limited(ann: User) -> None:
    here = logged_in()
    wrong = CHANGE | {"presentPassword": "guess"}
    for _ in range(LOGIN_ATTEMPTS):
        answer = here.put(OWN, wrong, format="json")
        assert (answer.status_code, answer.json()["code"]) == (422, "WRONG_PASSWORD")
        assert [error["field"] for error in answer.json()["errors"]] == ["/presentPassword"]
    assert here.put(OWN, CHANGE, format="json").json()["code"] == "TOO_MANY_LOGINS"
    assert here.get(SESSION).status_code == 200, "who mistypes stays logged in"
    ann.refresh_from_db()
    assert ann.check_password(OLD)
    assert AuditEntry.objects.filter(actor="ann", action=LOGIN_REFUSED).count() == LOGIN_ATTEMPTS


def test_a_weak_one_is_refused_and_nothing_ends(ann: User) -> None:
    here, elsewhere = logged_in(), logged_in()
    answer = here.put(OWN, CHANGE | {"password": "short"}, format="json")
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == ["/password"]
    assert elsewhere.get(SESSION).status_code == 200


def test_it_is_audited_without_either_password(ann: User) -> None:
    logged_in().put(OWN, CHANGE, format="json")
    entries = AuditEntry.objects.order_by("id").values_list("actor", "action", "object", "detail")
    assert [entry[:3] for entry in entries][-2:] == [("ann", "user.update", "ann"), ("ann", "PUT 204", OWN)]
    assert entries[len(entries) - 2][3] == {"password": "changed", "apiTokensEnded": 0}
    assert OLD not in str(list(entries))
    assert NEW not in str(list(entries))


def test_a_token_may_do_it_too_and_ends_with_it(ann: User) -> None:
    _, secret = token_issue(user=ann, name="ci")
    program = ValidatingClient(headers={"Authorization": f"Bearer {secret}"})
    assert program.put(OWN, CHANGE, format="json").status_code == 204
    assert "sessionid" not in str(program.cookies)
    assert program.get(SESSION).status_code == 401


def test_without_the_csrf_token_or_a_login_nothing_happens(ann: User) -> None:
    here = logged_in()
    here.credentials()
    assert here.put(OWN, CHANGE, format="json").json()["code"] == "CSRF_FAILED"
    assert ValidatingClient().put(OWN, CHANGE, format="json").status_code == 401
    ann.refresh_from_db()
    assert ann.check_password(OLD)
