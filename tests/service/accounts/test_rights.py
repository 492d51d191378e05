"""Each role may do what the table says: every method of every path of the API as every kind of caller, against the
table in rights.yaml."""

import re
from collections.abc import Iterator
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from uuid import UUID

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from tests.conftest import CLOSED_BROKER
from tests.factories.accounts import make_user
from tests.support.validating_client import ValidatingClient
from tests.support.yaml_text import load_yaml, openapi
from vnfm.accounts.models import User
from vnfm.accounts.roles import Role
from vnfm.accounts.tokens import token_issue
from vnfm.config.views import anything_else
from vnfm.kit import clock

METHODS = ("get", "post", "put", "patch", "delete")
TABLE: dict[str, dict[str, str]] = load_yaml(Path(__file__).with_name("rights.yaml").read_text())
PUBLIC = "public"
EVENTS = "/api/v1/events"
"""It gives its database connection back before it answers, which a test's transaction does not survive."""
UNKNOWN = str(UUID(int=1))
_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


def served(resolver: URLResolver, prefix: str = "/") -> Iterator[tuple[str, str]]:
    """Method and path of all that the URL configuration leads to; a plain view counts as GET."""
    for pattern in resolver.url_patterns:
        path = prefix + _PARAMETER.sub(r"{\1}", str(pattern.pattern))
        if isinstance(pattern, URLResolver):
            yield from served(pattern, path)
        elif isinstance(pattern, URLPattern) and pattern.callback is not anything_else:
            view = getattr(pattern.callback, "view_class", None)
            yield from ((name.upper(), path) for name in METHODS if (hasattr(view, name) if view else name == "get"))


def described() -> set[tuple[str, str]]:
    paths = openapi()["paths"]
    return {(name.upper(), path) for path, methods in paths.items() for name in METHODS if name in methods}


def test_every_route_has_a_row() -> None:
    rows = {(method, path) for path, methods in TABLE.items() if "?" not in path for method in methods}
    routes = described() | set(served(get_resolver()))
    assert {"without a row": routes - rows, "not there": rows - routes} == {"without a row": set(), "not there": set()}
    assert {role for methods in TABLE.values() for role in methods.values()} == {PUBLIC, *Role.values}


def bearer(secret: str) -> ValidatingClient:
    return ValidatingClient(headers={"Authorization": f"Bearer {secret}"})


def expired() -> str:
    return token_issue(user=make_user(role="admin"), name="old", expires_at=clock.now() - timedelta(seconds=1))[1]


def revoked() -> str:
    token, secret = token_issue(user=make_user(role="admin"), name="gone")
    token.delete()
    return secret


def of_inactive_user() -> str:
    user = make_user(role="admin")
    _, secret = token_issue(user=user, name="left")
    User.objects.filter(id=user.id).update(is_active=False)
    return secret


STRANGERS = {
    "no token": ValidatingClient,
    "garbage": lambda: bearer("vnfm_garbage"),
    "expired": lambda: bearer(expired()),
    "revoked": lambda: bearer(revoked()),
    "inactive user": lambda: bearer(of_inactive_user()),
}


def answers(client: ValidatingClient) -> Iterator[tuple[str, str, int]]:
    """A request of each row but EVENTS, with unknown ids and an empty body: its name, the role it takes, the status."""
    for path, methods in TABLE.items():
        for method, role in methods.items() if path != EVENTS else ():
            url, body = re.sub(r"{\w+}", UNKNOWN, path), None if method == "GET" else "{}"
            answer = client.generic(method, url, body or "", content_type="application/json")
            yield f"{method} {path}", role, answer.status_code


@pytest.mark.django_db
@pytest.mark.parametrize("kind", STRANGERS)
def test_without_a_valid_token_only_public_routes_answer(kind: str) -> None:
    found = list(answers(STRANGERS[kind]()))
    assert {name: status for name, role, status in found if role != PUBLIC and status != HTTPStatus.UNAUTHORIZED} == {}
    if kind == "no token":
        refused = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
        assert [name for name, role, status in found if role == PUBLIC and status in refused] == []


@pytest.mark.django_db
@pytest.mark.parametrize("role", Role.values)
def test_a_role_has_exactly_the_rights_of_the_table(role: str, api_as) -> None:
    """403 comes before 404, 400 and 422, so no object and no body is needed to see it."""
    granted = {PUBLIC, *Role(role).includes}
    found = list(answers(api_as(role)))
    beyond = {
        name: status for name, needed, status in found if needed not in granted and status != HTTPStatus.FORBIDDEN
    }
    assert beyond == {}, "allowed to too low a role"
    refused = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.INTERNAL_SERVER_ERROR)
    assert {name: status for name, needed, status in found if needed in granted and status in refused} == {}


@pytest.mark.django_db(transaction=True)
def test_any_role_and_no_stranger_may_listen_to_events(api_as, settings) -> None:
    settings.REDIS_URL = CLOSED_BROKER  # a stream that starts would stay open
    strangers = {kind: client().get(EVENTS).status_code for kind, client in STRANGERS.items()}
    assert strangers == dict.fromkeys(STRANGERS, HTTPStatus.UNAUTHORIZED)
    users = {role: api_as(role).get(EVENTS).status_code for role in Role.values}
    assert users == dict.fromkeys(Role.values, HTTPStatus.SERVICE_UNAVAILABLE), "only the broker is missing"
