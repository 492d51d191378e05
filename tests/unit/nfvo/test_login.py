"""We log in at an NFVO by one of these: a token, HTTP Basic, OAuth 2.0 client credentials, a client certificate."""

import ssl
from base64 import b64decode
from pathlib import Path

import pytest

from tests.factories.tls import certificate_files, self_signed
from tests.support.nfvo_standin import NfvoStandIn, granting, status
from vnfm.nfvo.errors import GrantRejected, NfvoUnreachable, Unusable
from vnfm.nfvo.http import HttpNfvo
from vnfm.nfvo.login import NfvoCredentials
from vnfm.nfvo.ports import Granted

REQUEST = {"vnfInstanceId": "i", "vnfLcmOpOccId": "o", "addResources": [{"id": "add/a"}], "_links": {}}


@pytest.fixture
def secret(tmp_path: Path) -> str:
    path = tmp_path / "secret"
    path.write_text("pässword:1\n")
    return str(path)


def bearer(token: str, **more: object) -> object:
    return status(200, {"access_token": token, "token_type": "Bearer", "expires_in": 3600, **more})


def logins(standin: NfvoStandIn) -> list[str]:
    return [request.headers.get("Authorization", "") for request in standin.requests if "/grants" in request.path]


def test_http_basic(secret: str) -> None:
    with NfvoStandIn() as standin:
        HttpNfvo(standin.url, credentials=NfvoCredentials(client_id="vnfm", secret_file=secret)).request_grant(REQUEST)
        (login,) = logins(standin)
        assert b64decode(login.removeprefix("Basic ")).decode() == "vnfm:pässword:1"


def test_a_token_serves_until_it_expires_or_is_refused(secret: str) -> None:
    with NfvoStandIn() as standin:
        url = f"{standin.base}/token"
        nfvo = HttpNfvo(standin.url, credentials=NfvoCredentials(client_id="a b", secret_file=secret, token_url=url))
        standin.then(bearer("one"), granting(), granting())
        nfvo.request_grant(REQUEST)
        nfvo.request_grant(REQUEST)
        assert logins(standin) == ["Bearer one", "Bearer one"]
        posted = standin.requests[0]
        assert posted.body == {"grant_type": "client_credentials"}
        assert (posted.path, posted.headers["Content-Type"]) == ("/token", "application/x-www-form-urlencoded")
        assert b64decode(posted.headers["Authorization"].removeprefix("Basic ")).decode() == "a+b:p%C3%A4ssword%3A1"

        standin.then(status(401), bearer("two", expires_in=1), granting())
        assert isinstance(nfvo.request_grant(REQUEST), Granted)
        standin.then(bearer("three"), granting())
        nfvo.request_grant(REQUEST)
        assert logins(standin)[2:] == ["Bearer one", "Bearer two", "Bearer three"]


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (status(401, {"error": "invalid_client"}), GrantRejected, "401: invalid_client"),
        (status(503), NfvoUnreachable, "503"),
        (bearer("two\nlines"), GrantRejected, "no bearer token"),
        (status(200, {"access_token": "x", "token_type": "mac"}), GrantRejected, "no bearer token"),
        (status(200, b"<html>"), GrantRejected, "no bearer token"),
    ],
)
def test_without_a_token_nothing_is_requested(secret: str, answer: object, error: type[Exception], words: str) -> None:
    with NfvoStandIn() as standin:
        url = f"{standin.base}/token"
        nfvo = HttpNfvo(standin.url, credentials=NfvoCredentials(client_id="a", secret_file=secret, token_url=url))
        standin.then(answer)
        with pytest.raises(error, match=words):
            nfvo.request_grant(REQUEST)
        assert logins(standin) == []


def test_a_secret_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    known = NfvoCredentials(client_id="a", secret_file=str(tmp_path / "missing"))
    with NfvoStandIn() as standin, pytest.raises(Unusable, match="VNFM_NFVO_SECRET_FILE cannot be read"):
        HttpNfvo(standin.url, credentials=known).request_grant(REQUEST)


def test_a_client_certificate(tmp_path: Path) -> None:
    (ours := tmp_path / "ours").mkdir()
    cert, key = certificate_files(ours)
    context, pem = self_signed(tmp_path)
    (tmp_path / "ca.pem").write_text(pem)
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(cert)
    with NfvoStandIn(context) as standin:
        trusted = str(tmp_path / "ca.pem")
        shown = HttpNfvo(standin.url, certificate=(str(cert), str(key)), cacert=trusted)
        assert isinstance(shown.request_grant(REQUEST), Granted)
        with pytest.raises(NfvoUnreachable):
            HttpNfvo(standin.url, cacert=trusted).request_grant(REQUEST)
