"""/vnflcm/v2/subscriptions (SOL003 5.4.18): the differences to those of alarms."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.service.notifications.conftest import SUBSCRIPTIONS as TO_ALARMS
from tests.service.notifications.conftest import run_endpoint_tests
from tests.support.etsi_schema import errors
from tests.support.subscriber import NotifiedEndpoint, problem
from vnfm.notifications.models import Subscription

pytestmark = pytest.mark.django_db(transaction=True)
SUBSCRIPTIONS = "/vnflcm/v2/subscriptions"
OCCURRENCE = "VnfLcmOperationOccurrenceNotification"

Subscribe = Callable[..., Any]


@pytest.fixture
def subscribe(operator_api: APIClient) -> Subscribe:
    def post(url: str, **body: Any) -> Any:
        answer = operator_api.post(SUBSCRIPTIONS, {"callbackUri": url, **body}, format="json")
        run_endpoint_tests()
        return answer

    return post


def test_created_viewed_listed_and_deleted(
    operator_api: APIClient, subscribe: Subscribe, endpoint: NotifiedEndpoint
) -> None:
    criteria = {
        "vnfInstanceSubscriptionFilter": {"vnfInstanceNames": ["pe-1"]},
        "notificationTypes": [OCCURRENCE, "VnfIdentifierDeletionNotification"],
        "operationTypes": ["HEAL"],
        "operationStates": ["COMPLETED", "FAILED_TEMP"],
    }
    created = subscribe(endpoint.url, filter=criteria, verbosity="SHORT")
    assert created.status_code == 201, created.json()
    subscription = created.json()
    assert errors("LccnSubscription", subscription) == []
    assert (subscription["callbackUri"], subscription["filter"], subscription["verbosity"]) == (
        endpoint.url,
        criteria,
        "SHORT",
    )
    assert subscription["_links"]["self"]["href"] == f"http://testserver{SUBSCRIPTIONS}/{subscription['id']}"
    assert [each.method for each in endpoint.received] == ["GET"]
    assert endpoint.received[0].headers["Version"] == "2.3.0"
    assert operator_api.get(created.headers["Location"]).json() == subscription
    assert operator_api.get(SUBSCRIPTIONS).json() == [subscription]
    assert operator_api.get(TO_ALARMS).json() == [], "each interface has its own"
    assert operator_api.get(f"{TO_ALARMS}/{subscription['id']}").status_code == 404
    (ours,) = operator_api.get("/api/v1/subscriptions").json()
    assert (ours["interface"], ours["href"]) == ("vnflcm", f"{SUBSCRIPTIONS}/{subscription['id']}")
    assert operator_api.delete(created.headers["Location"]).status_code == 204
    assert operator_api.get(SUBSCRIPTIONS).json() == []


def test_an_equal_subscription_redirects_to_the_first(subscribe: Subscribe, endpoint: NotifiedEndpoint) -> None:
    first = subscribe(endpoint.url, filter={"operationStates": ["COMPLETED", "FAILED"]})
    assert first.json()["verbosity"] == "FULL"
    again = subscribe(endpoint.url, filter={"operationStates": ["FAILED", "COMPLETED"], "operationTypes": []})
    assert (again.status_code, again.headers["Location"]) == (303, first.headers["Location"])
    shorter = subscribe(endpoint.url, filter={"operationStates": ["COMPLETED", "FAILED"]}, verbosity="SHORT")
    assert shorter.status_code == 201, "who wants less is another subscriber"
    assert subscribe(endpoint.url).status_code == 201
    assert Subscription.objects.count() == 3


def test_an_endpoint_that_fails_its_test(subscribe: Subscribe, endpoint: NotifiedEndpoint) -> None:
    endpoint.gets = problem(404, "No such thing.")
    assert subscribe(endpoint.url).status_code == 201
    assert "answers 404: No such thing." in Subscription.objects.get().last_error


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"filter": {"operationTypes": ["DANCE"]}}, "/filter/operationTypes/0"),
        ({"filter": {"operationStates": ["HAPPY"]}}, "/filter/operationStates/0"),
        ({"filter": {"perceivedSeverities": ["MAJOR"]}}, "/filter/perceivedSeverities"),
        ({"verbosity": "LOUD"}, "/verbosity"),
        (
            {"filter": {"notificationTypes": ["VnfIdentifierCreationNotification"], "operationTypes": ["HEAL"]}},
            "/filter/operationTypes",
        ),
    ],
)
def test_invalid_bodies(operator_api: APIClient, body: dict[str, Any], field: str) -> None:
    answer = operator_api.post(SUBSCRIPTIONS, {"callbackUri": "https://x.example/", **body}, format="json")
    assert answer.status_code == 400, answer.json()
    assert field in [error["field"] for error in answer.json()["errors"]]


def test_roles(viewer_api: APIClient, anonymous_api: APIClient) -> None:
    assert viewer_api.get(SUBSCRIPTIONS).status_code == 403
    assert anonymous_api.get(SUBSCRIPTIONS).status_code == 401
    assert viewer_api.post(SUBSCRIPTIONS, {"callbackUri": "https://x.example/"}, format="json").status_code == 403
