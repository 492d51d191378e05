"""The proxy of the runbook in front of a web process: nginx ends TLS and names its client."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from launcher.ports import free_port
from tests.factories.accounts import make_user
from tests.factories.tls import certificate_files
from tests.support.installation import until
from tests.support.product import web
from vnfm.accounts.models import AuditEntry
from vnfm.accounts.services import LOGIN_REFUSED
from vnfm.accounts.tokens import token_issue

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin") or shutil.which("nginx") or ""
RUNBOOK = Path(__file__).parents[3] / "backend" / "docs" / "runbooks" / "tls.md"

pytestmark = [
    pytest.mark.long,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not NGINX, reason="nginx is not installed"),
]


def configuration(folder: Path, port: int, upstream: str) -> Path:
    """The server of the runbook, with files, ports and certificate of this test."""
    found = re.search(r"```nginx\n(.*?)```", RUNBOOK.read_text(), re.DOTALL)
    assert found is not None
    cert, key = certificate_files(folder)
    replaced = {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "/etc/vnfm/fullchain.pem": str(cert),
        "/etc/vnfm/privkey.pem": str(key),
        "http://127.0.0.1:8080": upstream,
    }
    server = found[1]
    for words, instead in replaced.items():
        assert words in server
        server = server.replace(words, instead)
    paths = "\n".join(f"{kind}_temp_path {folder};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    file = folder / "nginx.conf"
    file.write_text(
        f"daemon off; pid {folder}/pid; error_log stderr; user root;\n"
        f"events {{}}\nhttp {{ access_log off;\n{paths}\n{server} }}\n"
    )
    return file


@pytest.fixture
def site(product_env: dict[str, str], tmp_path: Path) -> Iterator[tuple[str, requests.Session]]:
    """The public URL, and a client that trusts the proxy's certificate."""
    port = free_port()
    url = f"https://127.0.0.1:{port}"
    with web(product_env | {"VNFM_PUBLIC_URL": url, "VNFM_TRUSTED_PROXY": "127.0.0.1"}) as upstream:
        file = configuration(tmp_path, port, upstream)
        with subprocess.Popen([NGINX, "-p", str(tmp_path), "-c", str(file)]) as nginx, requests.Session() as client:
            client.trust_env, client.verify = False, str(tmp_path / "cert.pem")
            try:
                until(lambda: _answers(client, url), 30, "the proxy answers")
                yield url, client
            finally:
                nginx.terminate()


def _answers(client: requests.Session, url: str) -> bool | None:
    try:
        return client.get(f"{url}/healthz", timeout=5).ok or None
    except requests.ConnectionError:
        return None


def test_nginx_terminates_tls_and_forwards_the_client_address(site: tuple[str, requests.Session]) -> None:
    url, client = site
    csrf = client.get(f"{url}/api/v1/session/csrf")
    assert csrf.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "Secure" in csrf.headers["Set-Cookie"]
    sent = {"X-CSRFToken": csrf.json()["csrfToken"], "Referer": url, "X-Forwarded-For": "203.0.113.9"}
    login = {"username": "nobody", "password": "wrong password"}
    assert client.post(f"{url}/api/v1/session", json=login, headers=sent).status_code == 401
    assert AuditEntry.objects.get(action=LOGIN_REFUSED).address == "127.0.0.1", "what a client claims is not believed"


def test_events_and_locations_come_through(site: tuple[str, requests.Session]) -> None:
    url, client = site
    _, secret = token_issue(user=make_user(username="ann"), name="test")
    client.headers["Authorization"] = f"Bearer {secret}"
    with client.get(f"{url}/api/v1/events", stream=True, timeout=20) as events:
        assert next(events.iter_lines()).startswith(b"retry:"), "not kept back"
    made = client.post(f"{url}/vnfpkgm/v1/vnf_packages", json={})
    assert (made.status_code, made.headers["Location"][: len(url)]) == (201, url)
    sent = client.put(f"{made.headers['Location']}/package_content", data=iter([b"x" * 2_000_000]))
    assert sent.status_code in (202, 400, 422), "its size is no matter of the proxy"
