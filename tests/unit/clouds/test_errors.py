"""The table of errors: what OpenStack's services really answer, and the class that decides what we do about it."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
import requests
from heatclient import exc as heat
from keystoneauth1 import exceptions as keystone
from openstack import exceptions as sdk

from vnfm.clouds import errors as ours
from vnfm.clouds.openstack.errors import translate, translate_errors


def response(status: int, body: Any, url: str = "http://cloud.example/v1/x", **headers: str) -> requests.Response:
    answer = requests.Response()
    answer.status_code = status
    answer.url = url
    kind = "text/html" if isinstance(body, str) else "application/json"
    answer.headers.update({"content-type": kind} | {name.replace("_", "-"): value for name, value in headers.items()})
    answer._content = (body if isinstance(body, str) else json.dumps(body)).encode()
    return answer


def by_keystoneauth(status: int, body: Any, **rest: str) -> Exception:
    return keystone.from_response(response(status, body, **rest), "GET", "http://cloud.example/v1/x")


NOVA_QUOTA = {"forbidden": {"code": 403, "message": "Quota exceeded for cores: Requested 8, but already used 16 of 20"}}
NOVA_OVER = {"overLimit": {"code": 413, "message": "This request was rate-limited."}}
NOVA_STATE = {
    "conflictingRequest": {"code": 409, "message": "Cannot 'stop' instance x while it is in vm_state stopped"}
}
NOVA_POLICY = {"forbidden": {"code": 403, "message": "Policy doesn't allow os_compute_api:os-flavor-manage"}}
NEUTRON_QUOTA = {
    "NeutronError": {"type": "OverQuota", "message": "Quota exceeded for resources: ['port'].", "detail": ""}
}
NEUTRON_INUSE = {
    "NeutronError": {"type": "NetworkInUse", "message": "Unable to complete operation on network x.", "detail": ""}
}
NEUTRON_IPS = {
    "NeutronError": {
        "type": "IpAddressGenerationFailure",
        "message": "No more IP addresses available on network x.",
        "detail": "",
    }
}
GLANCE_QUOTA = "<html><title>413</title><body>The limit has been exceeded on quota.</body></html>"
GLANCE_FULL = (
    "<html><title>413</title><body>Image storage media is full: There is not enough disk space on the image storage "
    "media.</body></html>"
)
GLANCE_LIMIT = (
    "<html><title>413</title><body>The incoming image is too large: The provided image is too large.</body></html>"
)
HEAT_STACKS = {
    "explanation": "The server could not comply",
    "code": 403,
    "title": "Forbidden",
    "error": {
        "type": "RequestLimitExceeded",
        "message": "You have reached the maximum stacks per tenant, 100. Please delete some.",
    },
}
HEAT_INVALID = {
    "explanation": "The server could not comply",
    "code": 400,
    "title": "Bad Request",
    "error": {
        "type": "StackValidationFailed",
        "message": "Property error: server.Properties.flavor: The Flavor ID (x) could not be found.",
    },
}
HEAT_EXISTS = {
    "explanation": "There was a conflict",
    "code": 409,
    "error": {"type": "StackExists", "message": "The Stack (vsr) already exists."},
}
HEAT_CIRCLE = {
    "code": 500,
    "error": {"message": "Circular Dependency Found: {a, b}", "type": "CircularDependencyException"},
}
HEAT_BUSY = {
    "code": 409,
    "error": {"type": "ActionInProgress", "message": "Stack vsr already has an action (UPDATE) in progress."},
}
HEAT_LIMIT = {
    "code": 403,
    "error": {"type": "StackResourceLimitExceeded", "message": "Maximum resources per stack exceeded."},
}
KEYSTONE_NO = {
    "error": {"code": 401, "message": "The request you have made requires authentication.", "title": "Unauthorized"}
}


@pytest.mark.parametrize(
    ("status", "body", "kind", "words"),
    [
        (400, HEAT_INVALID, ours.Rejected, "The Flavor ID (x) could not be found"),
        (400, {"badRequest": {"message": "Invalid flavorRef", "code": 400}}, ours.Rejected, "Invalid flavorRef"),
        (401, KEYSTONE_NO, ours.Denied, "requires authentication"),
        (403, NOVA_POLICY, ours.Denied, "Policy doesn't allow"),
        (403, NOVA_QUOTA, ours.QuotaExceeded, "Quota exceeded for cores"),
        (403, HEAT_STACKS, ours.QuotaExceeded, "maximum stacks per tenant"),
        (400, {"error": {"type": "X", "message": "OS::Nova::Quota not found"}}, ours.Rejected, "OS::Nova::Quota"),
        (400, HEAT_STACKS, ours.QuotaExceeded, "maximum stacks per tenant"),
        (403, HEAT_LIMIT, ours.QuotaExceeded, "Maximum resources per stack"),
        (
            404,
            {"itemNotFound": {"message": "Instance x could not be found.", "code": 404}},
            ours.NotFound,
            "Instance x",
        ),
        (405, {"message": "Method not allowed"}, ours.Rejected, "Method not allowed"),
        (408, "", ours.Transient, ""),
        (409, NOVA_STATE, ours.Conflict, "Cannot 'stop'"),
        (409, NEUTRON_QUOTA, ours.QuotaExceeded, "Quota exceeded for resources"),
        (409, NEUTRON_INUSE, ours.Conflict, "Unable to complete"),
        (409, NEUTRON_IPS, ours.QuotaExceeded, "No more IP addresses"),
        (409, HEAT_EXISTS, ours.Conflict, "already exists"),
        (409, HEAT_BUSY, ours.Conflict, "in progress"),
        (410, {"message": "gone"}, ours.NotFound, "gone"),
        (413, NOVA_OVER, ours.RateLimited, "rate-limited"),
        (413, NOVA_QUOTA, ours.QuotaExceeded, "Quota exceeded"),
        (413, GLANCE_QUOTA, ours.QuotaExceeded, "The limit has been exceeded on quota."),
        (413, GLANCE_FULL, ours.QuotaExceeded, "Image storage media is full"),
        (413, GLANCE_LIMIT, ours.QuotaExceeded, "The incoming image is too large"),
        (415, {"message": "unsupported"}, ours.Rejected, "unsupported"),
        (422, {"message": "odd"}, ours.Rejected, "odd"),
        (429, {"message": "slow down"}, ours.RateLimited, "slow down"),
        (
            500,
            {"computeFault": {"message": "Unexpected API Error.", "code": 500}},
            ours.Transient,
            "Unexpected API Error.",
        ),
        (500, HEAT_CIRCLE, ours.Rejected, "Circular Dependency Found"),
        (501, {"message": "not implemented"}, ours.Rejected, "not implemented"),
        (502, "<html><h1>Bad Gateway</h1></html>", ours.Transient, "Bad Gateway"),
        (503, "", ours.Transient, ""),
        (504, "", ours.Transient, ""),
        (300, {"choices": []}, ours.Unknown, ""),
    ],
)
def test_by_status_and_words(status: int, body: Any, kind: type[ours.CloudError], words: str) -> None:
    answer = response(status, body, x_openstack_request_id="req-1")
    raised = [keystone.from_response(answer, "GET", answer.url), sdk.HttpException(response=answer)]
    for error in raised:
        result = translate(error, "nova")
        assert type(result) is kind
        assert words in result.message
        assert (result.source, result.http_status, result.request_id) == ("nova", status, "req-1")


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (keystone.ConnectFailure("refused"), ours.Transient),
        (keystone.ConnectTimeout("timed out"), ours.Transient),
        (keystone.UnknownConnectionError("odd", OSError()), ours.Transient),
        (keystone.SSLError("certificate verify failed"), ours.Transient),
        (requests.exceptions.ConnectionError("reset"), ours.Transient),
        (requests.exceptions.ChunkedEncodingError("cut"), ours.Transient),
        (TimeoutError("timed out"), ours.Transient),
        (ConnectionResetError("reset"), ours.Transient),
        (sdk.ResourceTimeout("waited"), ours.Transient),
        (heat.CommunicationError("broken"), ours.Transient),
        (keystone.EndpointNotFound(), ours.NotFound),
        (keystone.EmptyCatalog(), ours.NotFound),
        (sdk.ServiceDisabledException("off"), ours.NotFound),
        (sdk.DuplicateResource("two"), ours.Conflict),
        (sdk.ResourceFailure("ERROR"), ours.Failed),
        (sdk.InvalidRequest("odd"), ours.Rejected),
        (heat.CommandError("odd"), ours.Rejected),
        (keystone.AuthorizationFailure("no"), ours.Denied),
        (json.JSONDecodeError("not JSON", "<html>", 0), ours.Unknown),
        (KeyError("servers"), ours.Unknown),
        (sdk.SDKException("?"), ours.Unknown),
    ],
)
def test_without_a_status(error: Exception, kind: type[ours.CloudError]) -> None:
    result = translate(error, "neutron")
    assert type(result) is kind
    assert result.source == "neutron"
    assert result.message
    assert result.http_status == 0


@pytest.mark.parametrize(
    ("status", "kind"), [(400, ours.Rejected), (404, ours.NotFound), (409, ours.Conflict), (500, ours.Transient)]
)
def test_heatclients_own(status: int, kind: type[ours.CloudError]) -> None:
    result = translate(
        heat.from_response(response(status, {"error": {"type": "X", "message": "Heat's words"}})), "heat"
    )
    assert type(result) is kind
    assert result.message == "Heat's words"
    assert result.http_status == status


def test_novas_request_id_of_liberty() -> None:
    assert translate(by_keystoneauth(404, {}, x_compute_request_id="req-2"), "nova").request_id == "req-2"


@pytest.mark.parametrize(
    ("retry_after", "seconds"),
    [("7", 7.0), ("0", 0.0), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("soon", None), ("-3", None)],
)
@pytest.mark.parametrize("status", [413, 429])
def test_retry_after(status: int, retry_after: str, seconds: float | None) -> None:
    result = translate(by_keystoneauth(status, {"message": "slow down"}, retry_after=retry_after), "nova")
    assert isinstance(result, ours.RateLimited)
    assert result.retry_after == seconds


def test_the_time_to_wait_may_be_a_date() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(minutes=5), usegmt=True)
    result = translate(by_keystoneauth(429, {}, retry_after=later), "nova")
    assert isinstance(result, ours.RateLimited)
    assert result.retry_after == pytest.approx(300, abs=10)


def test_a_cloud_that_does_not_say_how_long() -> None:
    result = translate(by_keystoneauth(429, {}), "nova")
    assert isinstance(result, ours.RateLimited)
    assert result.retry_after is None


def test_a_tls_failure_points_at_the_certificate() -> None:
    assert translate(keystone.SSLError("self-signed"), "nova").offending_fields == ("cacert",)


def test_keystone_speaks_inside_other_services_calls() -> None:
    url = "http://cloud.example/identity/v3/auth/tokens"
    assert translate(by_keystoneauth(401, KEYSTONE_NO, url=url), "nova").source == "keystone"
    assert translate(keystone.ConnectFailure(f"Unable to establish connection to {url}"), "heat").source == "keystone"


def test_the_message_for_an_answer_of_another_shape() -> None:
    assert "not as OpenStack's API has it (KeyError: 'servers')" in translate(KeyError("servers"), "nova").message


def test_a_page_of_openstack_is_cut_short() -> None:
    page = "<html><style>b {}</style><b>Bad</b>" + "x" * 5000
    result = translate(by_keystoneauth(502, page, x_openstack_request_id="req-1"), "heat")
    assert result.message.startswith("Bad x")
    assert len(result.message) < 600


SECRET_PAGES = ["<html>hush</html>", {"admin": "hush"}, {"rows": [{"message": "hush"}]}, ["hush"]]


@pytest.mark.parametrize("body", SECRET_PAGES, ids=str)
def test_a_page_that_is_not_openstacks_is_not_repeated(body: Any) -> None:
    answer = response(500, body)
    for error in (
        keystone.from_response(answer, "GET", answer.url),
        sdk.HttpException(response=answer, details="hush"),
        heat.from_response(answer),
    ):
        result = translate(error, "heat").message
        assert "HTTP 500" in result
        assert "hush" not in result


def test_the_decorator_lets_our_own_errors_through_and_keeps_the_cause() -> None:
    mine, theirs = ours.Conflict("mine"), keystone.ConnectFailure("theirs")

    @translate_errors("glance")
    def ask(error: Exception) -> None:
        raise error

    with pytest.raises(ours.Conflict) as caught:
        ask(mine)
    assert caught.value is mine
    with pytest.raises(ours.Transient) as caught_other:
        ask(theirs)
    assert caught_other.value.__cause__ is theirs
