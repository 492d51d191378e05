"""Large bodies and forwarded addresses, as the real web process takes them."""

import os
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests

from tests.installation import until
from tests.product import web, web_process
from vnfm.accounts.models import AuditEntry

pytestmark = pytest.mark.django_db(transaction=True)
MIB = 1024 * 1024


def chunks(count: int) -> Iterator[bytes]:
    for _ in range(count):
        yield bytes(MIB)


def test_large_bodies_are_refused_and_the_process_goes_on(product_env: dict[str, str]) -> None:
    with web(product_env) as url:
        for body in (bytes(11 * MIB), chunks(11)):
            try:
                answer = requests.post(f"{url}/api/v1/vims", data=body, timeout=30)
            except requests.ConnectionError:
                continue  # refused while we still sent: the answer is lost, the connection closed
            assert (answer.status_code, answer.json()["code"]) == (413, "BODY_TOO_LARGE")
        assert requests.post(f"{url}/api/v1/vims", data=chunks(9), timeout=30).status_code == 401
        path = "/vnfpkgm/v1/vnf_packages/0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f/package_content"
        assert requests.put(url + path, data=chunks(11), timeout=30).status_code == 401


def files_open(pid: int) -> Iterator[str]:
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            yield str(descriptor.readlink())


def test_a_large_body_lies_on_the_disk_of_the_artifacts_while_it_comes_in(product_env: dict[str, str]) -> None:
    """/tmp may be memory. What processes that died have left there goes after a day."""
    folder = Path(product_env["VNFM_ARTIFACTS_DIR"]) / "incoming"
    folder.mkdir(parents=True, exist_ok=True)
    old, new = folder / "tmpold.upload", folder / "tmpnew.upload"
    for left in (old, new):
        left.write_bytes(b"left")
    os.utime(old, (0, 0))
    with web_process(product_env) as (url, process):
        assert [path.name for path in folder.iterdir()] == [new.name]
        address = urlsplit(url)
        with closing(HTTPConnection(address.hostname, address.port, timeout=30)) as client:
            path = "/vnfpkgm/v1/vnf_packages/0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f/package_content"
            client.putrequest("PUT", path)
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
