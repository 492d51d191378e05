"""/vnffm/v1/subscriptions (SOL003 7.4.4): bodies, addresses and roles."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.factories.accounts import make_user
from tests.service.notifications.conftest import SUBSCRIPTIONS, run_endpoint_tests
from tests.support.etsi_schema import errors
from tests.support.subscriber import NO_CONTENT, Answer, NotifiedEndpoint, problem
from tests.support.validating_client import ValidatingClient
from vnfm.accounts.models import ApiToken
from vnfm.accounts.tokens import token_issue
from vnfm.kit import clock
from vnfm.kit.durable.worker_request import WAIT_SECONDS
from vnfm.notifications.domain.retry import GIVE_UP_AFTER
from vnfm.notifications.models import Subscription
from vnfm.notifications.reconcilers.endpoint_test import sweep

pytestmark = pytest.mark.django_db(transaction=True)
BASIC = {"authType": ["BASIC"], "paramsBasic": {"userName": "nfvo", "password": "pässword:1"}}

Subscribe = Callable[..., Any]


def test_created_viewed_listed_and_deleted(
    operator_api: APIClient, subscribe: Subscribe, endpoint: NotifiedEndpoint
) -> None:
    criteria = {
        "vnfInstanceSubscriptionFilter": {"vnfProductsFromProviders": [{"vnfProvider": "Nokia"}]},
        "perceivedSeverities": ["CRITICAL", "MAJOR"],
    }
    created = subscribe(endpoint.url, criteria)
    assert created.status_code == 201, created.json()
    subscription = created.json()
    assert errors("FmSubscription", subscription) == []
    assert (subscription["callbackUri"], subscription["filter"]) == (endpoint.url, criteria)
    assert created.headers["Location"] == subscription["_links"]["self"]["href"]
    assert [(each.method, each.path) for each in endpoint.received] == [("GET", "/notify?key=query-secret")]
    assert endpoint.received[0].headers["Version"] == "1.5.0"
    assert operator_api.get(created.headers["Location"]).json() == subscription
    assert operator_api.get(SUBSCRIPTIONS).json() == [subscription]
    assert operator_api.get(SUBSCRIPTIONS, {"filter": "(eq,callbackUri,elsewhere)"}).json() == []
    assert operator_api.delete(created.headers["Location"]).status_code == 204
    assert operator_api.get(created.headers["Location"]).status_code == 404
    assert operator_api.get(SUBSCRIPTIONS).json() == []


def test_an_equal_subscription_redirects_to_the_first(subscribe: Subscribe, endpoint: NotifiedEndpoint) -> None:
    first = subscribe(endpoint.url, {"perceivedSeverities": ["MAJOR", "CRITICAL"], "eventTypes": []})
    again = subscribe(endpoint.url, {"perceivedSeverities": ["CRITICAL", "MAJOR"]})
    assert (again.status_code, again.content) == (303, b"")
    assert again.headers["Location"] == first.headers["Location"]
    assert subscribe(endpoint.url, {"perceivedSeverities": ["MAJOR"]}).status_code == 201
    assert subscribe(endpoint.url).status_code == 201
    assert Subscription.objects.count() == 3


def test_other_operators_get_only_the_server_of_a_callback(
    api: APIClient,
    operator_api: APIClient,
    api_as: Callable[[str], APIClient],
    endpoint: NotifiedEndpoint,
) -> None:
    body = {"callbackUri": endpoint.url}
    own = operator_api.post(SUBSCRIPTIONS, body, format="json")
    path = own.headers["Location"]
    assert own.json()["callbackUri"] == endpoint.url
    other = api_as("operator")
    server = endpoint.url.partition("/notify")[0]
    for viewed, shown in ((other, f"{server}/…"), (operator_api, endpoint.url), (api, endpoint.url)):
        assert viewed.get(path).json()["callbackUri"] == shown
        assert [each["callbackUri"] for each in viewed.get("/api/v1/subscriptions").json()] == [shown]
    guesses = {"(cont,callbackUri,query-secret)", f"(eq,callbackUri,'{endpoint.url}')", "(gt,callbackUri,'https')"}
    for guess in guesses:
        assert other.get(SUBSCRIPTIONS, {"filter": guess}).json() == [], "a filter tells it piece by piece"
    assert len(operator_api.get(SUBSCRIPTIONS, {"filter": "(cont,callbackUri,query-secret)"}).json()) == 1
    assert len(other.get(SUBSCRIPTIONS, {"filter": f"(cont,callbackUri,{server})"}).json()) == 1


def test_a_narrow_scope_of_a_token_hides_what_its_administrator_may_read(
    operator_api: APIClient, endpoint: NotifiedEndpoint
) -> None:
    path = operator_api.post(SUBSCRIPTIONS, {"callbackUri": endpoint.url}, format="json").headers["Location"]
    token, secret = token_issue(user=make_user(role="admin"), name="test")
    administrator = ValidatingClient(headers={"Authorization": f"Bearer {secret}"})
    assert administrator.get(path).json()["callbackUri"] == endpoint.url
    ApiToken.objects.filter(id=token.id).update(scope="operator")
    assert administrator.get(path).json()["callbackUri"] == f"{endpoint.url.partition('/notify')[0]}/…"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer(200, b"hello", {"Content-Type": "text/html"}), "answers 200 with text/html. To a GET it must answer"),
        (problem(404, "No such thing."), "answers 404: No such thing."),
        (Answer(302, b"", {"Location": "http://127.0.0.2/"}), "answers 302. To a GET"),
    ],
)
def test_an_endpoint_that_fails_its_test(
    operator_api: APIClient, subscribe: Subscribe, endpoint: NotifiedEndpoint, answer: Answer, words: str
) -> None:
    endpoint.gets = answer
    assert subscribe(endpoint.url).status_code == 201
    condition = delivering(operator_api)
    assert (condition["status"], condition["reason"]) == ("False", "EndpointNeverAnswered")
    assert words in condition["message"]
    endpoint.gets = NO_CONTENT
    sweep(clock.now())
    assert len(endpoint.received) == 1, "not before its time"
    run_endpoint_tests()
    assert delivering(operator_api)["status"] == "True"
    run_endpoint_tests()
    assert len(endpoint.received) == 2, "tested until it answers"


def delivering(api: APIClient) -> dict[str, Any]:
    (condition,) = api.get("/api/v1/subscriptions").json()[0]["conditions"]
    shown: dict[str, Any] = condition
    return shown


def test_a_subscription_needs_no_worker(operator_api: APIClient, endpoint: NotifiedEndpoint) -> None:
    begin = time.monotonic()
    made = operator_api.post(SUBSCRIPTIONS, {"callbackUri": endpoint.url}, format="json")
    assert made.status_code == 201, made.json()
    assert time.monotonic() - begin < WAIT_SECONDS / 2, "no worker runs here, and none was waited for"
    condition = delivering(operator_api)
    assert (condition["status"], condition["reason"]) == ("Unknown", "EndpointNotTested")
    assert endpoint.received == []


def test_after_a_day_without_an_answer_only_notifications_are_tried(
    operator_api: APIClient, subscribe: Subscribe, endpoint: NotifiedEndpoint
) -> None:
    endpoint.gets = problem(404, "No such thing.")
    subscribe(endpoint.url)
    subscription = Subscription.objects.get()
    assert sweep(subscription.not_before + timedelta(seconds=1)) == 1
    Subscription.objects.update(settled_at=clock.now() - GIVE_UP_AFTER)
    assert sweep(subscription.not_before + timedelta(seconds=1)) == 0
    run_endpoint_tests()
    assert len(endpoint.received) == 1
    assert "never answered" in delivering(operator_api)["message"]


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({}, 400, "/callbackUri"),
        ({"callbackUri": "https://x.example/", "colour": "red"}, 400, "/colour"),
        ({"callbackUri": "https://x.example/", "filter": {"eventTypes": ["RAIN"]}}, 400, "/filter/eventTypes/0"),
        (
            {"callbackUri": "https://x.example/", "authentication": {"authType": ["TLS_CERT"]}},
            422,
            "/authentication/authType",
        ),
        (
            {"callbackUri": "https://x.example/", "authentication": {"authType": ["BASIC"]}},
            422,
            "/authentication/paramsBasic",
        ),
    ],
)
def test_invalid_bodies(operator_api: APIClient, body: dict[str, Any], status: int, field: str) -> None:
    answer = operator_api.post(SUBSCRIPTIONS, body, format="json")
    assert answer.status_code == status, answer.json()
    assert field in [error["field"] for error in answer.json()["errors"]]


def test_addresses_that_are_not_allowed(subscribe: Subscribe, endpoint: NotifiedEndpoint, settings: Any) -> None:
    assert "in clear" in subscribe(endpoint.url, authentication=BASIC).json()["detail"]
    settings.SUBSCRIBERS_ALLOWED = []
    refused = subscribe(endpoint.url)
    assert (refused.status_code, refused.json()["code"]) == (422, "CALLBACK_REFUSED")
    assert "127.0.0.1 has an address that is not public" in refused.json()["detail"]
    assert "VNFM_SUBSCRIBERS_ALLOWED" in refused.json()["nextStep"]
    for host in ("2130706433", "0x7f.1", "localhost", "[::ffff:7f00:1]"):
        again = subscribe(f"http://{host}:{endpoint.port}/notify")
        assert (again.status_code, again.json()["code"]) == (422, "CALLBACK_REFUSED"), host
    settings.SUBSCRIBERS_HTTP = False
    assert "by https, not by http" in subscribe(endpoint.url).json()["detail"]
    assert endpoint.received == []


@pytest.mark.parametrize("path", [SUBSCRIPTIONS, "/api/v1/subscriptions"])
def test_roles(viewer_api: APIClient, anonymous_api: APIClient, path: str) -> None:
    assert viewer_api.get(path).status_code == 403
    assert anonymous_api.get(path).status_code == 401
    assert viewer_api.post(SUBSCRIPTIONS, {"callbackUri": "https://x.example/"}, format="json").status_code == 403
