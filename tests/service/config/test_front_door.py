"""Large bodies and forwarded addresses, as the real web process takes them."""

from collections.abc import Iterator

import pytest
import requests

from tests.product import web
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


@pytest.mark.parametrize(
    ("trusted", "seen"), [("", "127.0.0.1"), ("127.0.0.0/8", "192.0.2.9")], ids=["nobody", "proxy"]
)
def test_a_forwarded_address_is_believed_from_the_proxy_alone(product_env: dict[str, str], trusted, seen) -> None:
    with web(product_env | {"VNFM_TRUSTED_PROXY": trusted}) as url, requests.Session() as browser:
        token = browser.get(f"{url}/api/v1/session/csrf", timeout=30).json()["csrfToken"]
        headers = {"X-CSRFToken": token, "X-Forwarded-For": "192.0.2.9"}
        body = {"username": "nobody", "password": "guess"}
        assert browser.post(f"{url}/api/v1/session", json=body, headers=headers, timeout=30).status_code == 401
    assert AuditEntry.objects.get().address == seen
