"""The NFVO's adapter: whom it trusts, where it goes, and how much of an answer it takes."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.factories.tls import self_signed
from tests.support.nfvo_standin import NfvoStandIn, granting, problem, status, undecided
from vnfm.config.nfvo_settings import _nfvo_url
from vnfm.nfvo.errors import GrantDenied, GrantRejected, NfvoUnreachable, Unusable
from vnfm.nfvo.http import HttpNfvo
from vnfm.nfvo.ports import Granted, Pending

REQUEST = {"vnfInstanceId": "i", "vnfLcmOpOccId": "o", "addResources": [{"id": "add/a"}], "_links": {}}


@pytest.fixture
def standin() -> Iterator[NfvoStandIn]:
    with NfvoStandIn() as nfvo:
        yield nfvo


@pytest.fixture
def nfvo(standin: NfvoStandIn) -> HttpNfvo:
    return HttpNfvo(standin.url, patience=1.0)


def test_a_certificate_is_always_checked(tmp_path: Path) -> None:
    context, pem = self_signed(tmp_path)
    (tmp_path / "ca.pem").write_text(pem)
    with NfvoStandIn(context) as standin:
        assert isinstance(HttpNfvo(standin.url, cacert=str(tmp_path / "ca.pem")).request_grant(REQUEST), Granted)
        with pytest.raises(NfvoUnreachable, match="CERTIFICATE_VERIFY_FAILED"):
            HttpNfvo(standin.url).request_grant(REQUEST)
        assert len(standin.grant_requests()) == 1


def test_proxies_and_netrc_of_the_machine_are_ignored(
    standin: NfvoStandIn, nfvo: HttpNfvo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login another password else\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    nfvo.request_grant(REQUEST)
    assert "Authorization" not in standin.requests[0].headers


def test_an_answer_that_grows_when_unpacked_is_not_unpacked(standin: NfvoStandIn, nfvo: HttpNfvo) -> None:
    standin.then(status(201, gzip.compress(b" " * 50_000_000), Content_Encoding="gzip"))
    with pytest.raises(Unusable, match="is no Grant"):
        nfvo.request_grant(REQUEST)
    assert standin.requests[0].headers["Accept-Encoding"] == "identity"


def test_a_pending_decision_is_known_by_the_end_of_its_location(standin: NfvoStandIn, nfvo: HttpNfvo) -> None:
    standin.then(status(202, Location="/grant/v1/grants/g%7E1", Retry_After="7"))
    assert nfvo.request_grant(REQUEST) == Pending("g~1", 7.0)
    standin.then(undecided)
    pending = nfvo.request_grant(REQUEST)
    assert isinstance(nfvo.get_grant(pending.grant_id), Pending)
    standin.decide()
    assert isinstance(nfvo.get_grant(pending.grant_id), Granted)
    assert nfvo.grant_uri(pending.grant_id) == standin.uri(pending.grant_id)


@pytest.mark.parametrize("location", ["", "/grants/", "/elsewhere/7", "/grants/..", "/grants/%2e%2e", "/grants/a%2Fb"])
def test_a_location_without_a_grant_is_unusable(standin: NfvoStandIn, nfvo: HttpNfvo, location: str) -> None:
    standin.then(status(202, Location=location))
    with pytest.raises(Unusable, match="without a Location"):
        nfvo.request_grant(REQUEST)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (400, GrantRejected),
        (401, GrantRejected),
        (403, GrantDenied),
        (404, GrantRejected),
        (406, GrantRejected),
        (408, NfvoUnreachable),
        (429, NfvoUnreachable),
    ]
    + [(code, NfvoUnreachable) for code in (500, 501, 502, 503, 504)],
)
def test_the_error_class_of_each_status(standin: NfvoStandIn, nfvo: HttpNfvo, code: int, kind: type[Exception]) -> None:
    standin.then(problem(code, "The NFVO's reason."))
    with pytest.raises(kind, match="The NFVO's reason"):
        nfvo.request_grant(REQUEST)


@pytest.mark.parametrize("code", [400, 401, 404, 405, 501])
def test_without_a_search_nothing_is_found(standin: NfvoStandIn, nfvo: HttpNfvo, code: int) -> None:
    standin.then(status(code))
    assert nfvo.find_grant("o") is None


def test_a_search_finds_the_grant_of_the_operation_alone(standin: NfvoStandIn, nfvo: HttpNfvo) -> None:
    standin.searchable = True
    standin.then(granting())
    granted = nfvo.request_grant(REQUEST)
    assert nfvo.find_grant("o") == granted
    standin.then(status(200, [{"id": "x", "vnfLcmOpOccId": "other"}, "garbage"]), status(200, b"no json"), status(503))
    assert nfvo.find_grant("o") is None
    assert nfvo.find_grant("o") is None
    with pytest.raises(NfvoUnreachable):
        nfvo.find_grant("o")


def test_messages_are_bounded(standin: NfvoStandIn, nfvo: HttpNfvo) -> None:
    standin.then(status(400, json.dumps({"detail": "x" * 100_000}).encode()))
    with pytest.raises(GrantRejected) as caught:
        nfvo.request_grant(REQUEST)
    assert len(caught.value.message) < 1100


@pytest.mark.parametrize("url", ["", "https://nfvo.example/grant/v1/", "http://127.0.0.1:9/grant/v1"])
def test_valid_addresses(url: str) -> None:
    assert _nfvo_url(url) == url.rstrip("/")


@pytest.mark.parametrize(
    "url",
    [
        "nfvo.example",
        "http://nfvo.example/grant/v1",
        "https://user:word@nfvo.example/",
        "https://nfvo.example/?a=b",
        "https://nfvo.example/#there",
        "https:///grant/v1",
        "ftp://nfvo.example/",
    ],
)
def test_invalid_addresses_are_refused_at_the_start(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="VNFM_NFVO_GRANT_URL"):
        _nfvo_url(url)
