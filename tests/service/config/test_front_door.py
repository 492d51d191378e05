"""Large bodies and forwarded addresses, as the real web process takes them."""

import os
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests

from tests.factories.accounts import make_user
from tests.support.installation import until
from tests.support.product import web, web_process
from vnfm.accounts.models import AuditEntry
from vnfm.accounts.tokens import token_issue
from vnfm.catalog.models import VnfPackage

pytestmark = pytest.mark.django_db(transaction=True)
MIB = 1024 * 1024
NOWHERE = "0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f"
CONTENT = f"/vnfpkgm/v1/vnf_packages/{NOWHERE}/package_content"


def chunks(count: int) -> Iterator[bytes]:
    for _ in range(count):
        yield bytes(MIB)


def test_large_bodies_are_refused_and_the_process_goes_on(product_env: dict[str, str]) -> None:
    administrator = token("admin")
    with web(product_env) as url:
        for body in (bytes(11 * MIB), chunks(11)):
            try:
                answer = requests.post(f"{url}/api/v1/vims", data=body, headers=administrator, timeout=30)
            except requests.ConnectionError:
                continue  # refused while we still sent: the answer is lost, the connection closed
            assert (answer.status_code, answer.json()["code"]) == (413, "BODY_TOO_LARGE")
        assert requests.post(f"{url}/api/v1/vims", data=chunks(9), timeout=30).status_code == 401
        assert requests.put(url + CONTENT, data=chunks(11), timeout=30).status_code == 401


def token(role: str) -> dict[str, str]:
    _, secret = token_issue(user=make_user(role=role), name="test")
    return {"Authorization": f"Bearer {secret}"}


def begin_upload(url: str, path: str, headers: dict[str, str]) -> HTTPConnection:
    """A client that announces 20 MiB, sends half of it and holds the line."""
    address = urlsplit(url)
    client = HTTPConnection(address.hostname, address.port, timeout=30)
    client.putrequest("PUT", path)
    for name, value in {"Content-Length": str(20 * MIB), **headers}.items():
        client.putheader(name, value)
    client.endheaders()
    with suppress(ConnectionError):  # answered and closed before all of it was sent
        client.send(bytes(10 * MIB))
    return client


def test_an_upload_is_refused_before_it_is_read(product_env: dict[str, str]) -> None:
    """No token, a viewer, a package that is not there or has its content: nothing of the body gets to the disk."""
    empty = VnfPackage.objects.create()
    full = VnfPackage.objects.create(onboarding_state=VnfPackage.OnboardingState.PROCESSING)
    operator = token("operator")
    with web_process(product_env) as (url, process):
        for headers, path, status in [
            ({}, CONTENT, 401),
            ({"Authorization": "Bearer vnfm_wrong"}, CONTENT, 401),
            (token("viewer"), CONTENT.replace(NOWHERE, str(empty.id)), 403),
            (operator, CONTENT, 404),
            (operator, CONTENT.replace(NOWHERE, str(full.id)), 409),
        ]:
            with closing(begin_upload(url, path, headers)) as client:
                answer = client.getresponse()
                assert answer.status == status, path
                assert answer.getheader("Content-Type") == "application/problem+json"
                folder = str(Path(product_env["VNFM_ARTIFACTS_DIR"]) / "incoming")
                assert not [name for name in files_open(process.popen.pid) if name.startswith(folder)]


def test_an_upload_is_refused_while_the_disk_is_nearly_full(product_env: dict[str, str]) -> None:
    package = VnfPackage.objects.create()
    path = CONTENT.replace(NOWHERE, str(package.id))
    with web(product_env | {"VNFM_DISK_LOW_PERCENT": "99.9"}) as url:
        answer = requests.put(url + path, data=bytes(MIB), headers=token("operator"), timeout=30)
        assert (answer.status_code, answer.json()["code"]) == (507, "DISK_NEARLY_FULL")
        assert requests.put(url + path, data=bytes(MIB), timeout=30).status_code == 401, "strangers learn nothing"
        assert requests.get(f"{url}/vnfpkgm/v1/vnf_packages", headers=token("viewer"), timeout=30).ok


def test_no_server_is_named(product_env: dict[str, str]) -> None:
    with web(product_env) as url:
        assert "Server" not in requests.get(f"{url}/healthz", timeout=30).headers


def files_open(pid: int) -> Iterator[str]:
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed since
            yield str(descriptor.readlink())


def test_a_large_body_lies_on_the_disk_of_the_artifacts_while_it_comes_in(product_env: dict[str, str]) -> None:
    """/tmp may be memory. What processes that died have left there goes after a day."""
    folder = Path(product_env["VNFM_ARTIFACTS_DIR"]) / "incoming"
    folder.mkdir(parents=True, exist_ok=True)
    old, new = folder / "tmpold.upload", folder / "tmpnew.upload"
    for left in (old, new):
        left.write_bytes(b"left")
    os.utime(old, (0, 0))
    package, operator = VnfPackage.objects.create(), token("operator")
    with web_process(product_env) as (url, process):
        assert [path.name for path in folder.iterdir()] == [new.name]
        address = urlsplit(url)
        with closing(HTTPConnection(address.hostname, address.port, timeout=30)) as client:
            client.putrequest("PUT", CONTENT.replace(NOWHERE, str(package.id)))
            client.putheader("Authorization", operator["Authorization"])
            client.putheader("Content-Length", str(20 * MIB))
            client.endheaders(bytes(10 * MIB))

            def spooled() -> list[str] | None:
                return [name for name in files_open(process.popen.pid) if name.startswith(str(folder))] or None

            assert len(until(spooled, 30, "the body is laid aside")) == 1
    new.unlink()


@pytest.mark.parametrize(("trusted", "seen"), [("", "127.0.0.1"), ("127.0.0.0/8", "192.0.2.9")], ids=["none", "proxy"])
def test_a_forwarded_address_is_believed_from_the_proxy_alone(product_env: dict[str, str], trusted, seen) -> None:
    with web(product_env | {"VNFM_TRUSTED_PROXY": trusted}) as url, requests.Session() as browser:
        token = browser.get(f"{url}/api/v1/session/csrf", timeout=30).json()["csrfToken"]
        headers = {"X-CSRFToken": token, "X-Forwarded-For": "192.0.2.9"}
        body = {"username": "stranger", "password": "guess"}
        assert browser.post(f"{url}/api/v1/session", json=body, headers=headers, timeout=30).status_code == 401
    assert AuditEntry.objects.get().address == seen
