from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.apps import apps
from django.db import connection

from tests.factories.accounts import make_user
from tests.factories.elements import make_element
from tests.support.validating_client import ValidatingClient
from vnfm.accounts.models import ApiToken, AuditEntry, User
from vnfm.accounts.services import audit, audit_prune
from vnfm.accounts.tokens import token_issue
from vnfm.kit import clock

pytestmark = pytest.mark.django_db
USERS = "/api/v1/users"
NEW = {"username": "bob", "displayName": "Bob", "role": "operator", "password": "long enough to pass"}


def test_an_administrator_adds_users_who_can_log_in(api: ValidatingClient) -> None:
    made = api.post(USERS, NEW, format="json")
    assert made.status_code == 201
    assert made.json() | {"role": "operator", "isActive": True, "lastLogin": None} == made.json()
    assert User.objects.get(username="bob").check_password(NEW["password"])
    assert [row["username"] for row in api.get(USERS).json()][-1] == "bob"


@pytest.mark.parametrize("role", ["viewer", "operator"])
def test_others_may_neither_see_nor_change_users(api_as, role: str) -> None:
    client = api_as(role)
    for answer in (client.get(USERS), client.post(USERS, NEW, format="json")):
        assert (answer.status_code, answer.json()["code"]) == (403, "PERMISSION_DENIED")


@pytest.mark.parametrize(
    ("change", "status", "field"),
    [
        ({"username": "two words"}, 400, "/username"),
        ({"role": "king"}, 400, "/role"),
        ({"password": "short"}, 422, "/password"),
        ({"password": "password123"}, 422, "/password"),
    ],
    ids=str,
)
def test_errors_are_at_their_field(api: ValidatingClient, change: dict, status: int, field: str) -> None:
    answer = api.post(USERS, NEW | change, format="json")
    assert answer.status_code == status
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert not User.objects.filter(username=NEW["username"]).exists()


@pytest.mark.parametrize(
    ("password", "next_step"),
    [("short", "Choose a longer one."), ("password123", "Choose one that is in no list of common passwords")],
)
def test_a_weak_password_is_refused_with_what_to_do(api: ValidatingClient, password: str, next_step: str) -> None:
    answer = api.post(USERS, NEW | {"password": password}, format="json").json()
    assert answer["nextStep"].startswith(next_step)


def test_a_name_is_unique(api: ValidatingClient) -> None:
    make_user(username="bob")
    answer = api.post(USERS, NEW, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "USERNAME_TAKEN")


def test_changing_role_activity_and_password(api: ValidatingClient) -> None:
    bob = make_user(username="bob", role="viewer")
    body = {"role": "admin", "isActive": False, "password": "another long enough"}
    changed = api.patch(f"{USERS}/{bob.id}", body, format="json")
    assert changed.status_code == 200
    assert (changed.json()["role"], changed.json()["isActive"]) == ("admin", False)
    bob.refresh_from_db()
    assert bob.check_password("another long enough")
    entry = AuditEntry.objects.get(action="user.update")
    changes = {"role": "admin", "isActive": False, "password": "changed", "apiTokensEnded": 0}
    assert (entry.object, entry.detail) == ("bob", changes)


def test_a_change_is_decided_on_a_version(api: ValidatingClient) -> None:
    bob = make_user(username="bob", role="viewer")
    url = f"{USERS}/{bob.id}"
    seen = api.get(url)
    assert (seen["ETag"], seen.json()["version"]) == ('"1"', 1)
    decided = {"headers": {"If-Match": seen["ETag"]}, "format": "json"}
    first = api.patch(url, {"role": "operator"}, **decided)
    assert (first.status_code, first["ETag"]) == (200, '"2"')
    assert api.patch(url, {"role": "admin"}, **decided).status_code == 412
    bob.refresh_from_db()
    assert bob.role == "operator"


@pytest.mark.django_db(transaction=True)
def test_two_administrators_who_demote_each_other_leave_one() -> None:
    ann, bob = make_user(username="ann"), make_user(username="bob")
    both = Barrier(2)

    def take(by: User, of: User) -> int:
        client = ValidatingClient()
        client.force_authenticate(by)
        both.wait()
        try:
            return client.patch(f"{USERS}/{of.id}", {"role": "viewer"}, format="json").status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as crowd:
        answers = list(crowd.map(take, (ann, bob), (bob, ann)))
    assert sorted(answers) == [200, 409]
    assert User.objects.filter(role="admin").count() == 1


def test_a_new_password_ends_the_users_api_tokens(api: ValidatingClient) -> None:
    bob, ann = make_user(username="bob"), make_user(username="ann")
    for user in (bob, ann):
        token_issue(user=user, name="ci")
    api.patch(f"{USERS}/{bob.id}", {"displayName": "Bob"}, format="json")
    assert ApiToken.objects.filter(user=bob).exists()
    api.patch(f"{USERS}/{bob.id}", {"password": "another long enough"}, format="json")
    assert list(ApiToken.objects.filter(user__in=(bob, ann)).values_list("user__username", flat=True)) == ["ann"]


@pytest.mark.parametrize("change", [{"role": "viewer"}, {"isActive": False}], ids=str)
def test_the_last_administrator_stays(api: ValidatingClient, change: dict) -> None:
    admin = User.objects.get(role="admin")
    answer = api.patch(f"{USERS}/{admin.id}", change, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "LAST_ADMINISTRATOR")
    make_user(role="admin")
    assert api.patch(f"{USERS}/{admin.id}", change, format="json").status_code == 200


def test_every_write_leaves_a_trace_without_its_body(api: ValidatingClient) -> None:
    answer = api.post(USERS, NEW, format="json", headers={"X-Request-ID": "call-42"})
    entry = AuditEntry.objects.get()
    admin = User.objects.get(role="admin")
    assert (entry.actor, entry.action, entry.object) == (admin.username, "POST 201", USERS)
    assert entry.request_id == answer["X-Request-ID"] == "call-42"
    assert NEW["password"] not in str(entry.detail)
    api.get(USERS)
    assert AuditEntry.objects.count() == 1


def test_the_trail_names_action_and_token(api: ValidatingClient) -> None:
    token = ApiToken.objects.get()
    by = {"token": str(token.id), "tokenName": "test"}
    made = api.post(USERS, NEW, format="json").json()
    (entry,) = AuditEntry.objects.all()
    assert entry.detail == by | {"id": made["id"], "username": NEW["username"], "role": NEW["role"]}
    issued = api.post("/api/v1/api_tokens", {"name": "laptop"}, format="json").json()
    entry = AuditEntry.objects.latest("id")
    assert entry.detail == by | {"id": issued["id"], "name": "laptop"}
    assert issued["token"] not in str(list(AuditEntry.objects.values()))
    element = make_element(name="core-1")
    assert api.delete(f"/api/v1/elements/{element.id}").status_code == 204
    assert AuditEntry.objects.latest("id").detail == by | {"names": {"elements": "core-1"}}
    api.delete(f"{USERS}/{made['id']}/api_tokens/{issued['id']}")
    names = {"users": NEW["username"], "api_tokens": "laptop"}
    reason = f"There is no token {issued['id']}."
    assert AuditEntry.objects.latest("id").detail == by | {"names": names, "reason": reason}


def test_the_trail_has_the_session() -> None:
    ann = make_user(username="ann")
    seen = set()
    for _ in range(2):
        browser = ValidatingClient()
        browser.force_login(ann)
        browser.post("/api/v1/sites", {"name": f"site-{len(seen)}"}, format="json")
        entry = AuditEntry.objects.latest("id")
        seen.add(entry.detail["session"])
        assert browser.session.session_key not in str(entry.detail)
    assert len(seen) == 2


def test_every_audited_collection_has_its_name(settings) -> None:
    for model, column in settings.AUDITED_OBJECTS.values():
        assert list(apps.get_model(model).objects.values_list(column)[:1]) is not None


def test_a_name_that_looks_like_anothers_is_refused(api: ValidatingClient) -> None:
    make_user(username="ann")
    for name in ("Ann", "\u0430nn"):
        refused = api.post(USERS, {**NEW, "username": name}, format="json")
        assert (refused.status_code, refused.json()["code"]) == (409, "USERNAME_TAKEN"), name
        assert "looks the same" in refused.json()["detail"]


def test_refused_writes_leave_a_trace_too(viewer_api: ValidatingClient) -> None:
    viewer_api.post(USERS, NEW, format="json")
    assert AuditEntry.objects.get().action == "POST 403"


def test_the_trail_is_pruned_by_age() -> None:
    audit(actor="ann", action="old")
    AuditEntry.objects.update(at=clock.now() - timedelta(days=366))
    audit(actor="ann", action="new")
    assert audit_prune(timedelta(days=365)) == 1
    assert AuditEntry.objects.get().action == "new"
