"""Two web processes on one socket, by TLS: each restarted alone, while no connection is refused."""

import os
import signal
import ssl
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from launcher import ports
from launcher.layout import Checkout, Instance
from launcher.processes import Identity, wait_until
from launcher.product import Product, Web
from launcher.record import Record
from launcher.service import answers_at
from launcher.supervisor import Supervisor
from launcher.tls import TlsFiles, client_context
from tests.factories.tls import certificate_files

pytestmark = [pytest.mark.django_db(transaction=True)]

ADDRESS = "127.0.0.2"
"""The address is a host's own: neither the public name nor one that is allowed always."""


class Site:
    def __init__(self, folder: Path, env: dict[str, str]) -> None:
        instance = Instance(folder / "state")
        instance.prepare()
        self.tls = TlsFiles(*certificate_files(folder, "vnfm.example"))
        self.listener = ports.bind(ADDRESS, 0)
        port = self.listener.getsockname()[1]
        self.url, self.public_url = f"https://{ADDRESS}:{port}", f"https://vnfm.example:{port}"
        me = Identity.of(os.getpid())
        assert me is not None
        self.messages: list[str] = []
        self.heartbeats = instance.heartbeats
        self.supervisor = Supervisor(Record(me), instance.record, instance.logs, self.messages.append)
        product = Product(Checkout.here(), instance, Path(sys.executable))
        settings = {
            "VNFM_PUBLIC_URL": self.public_url,
            "VNFM_LOCAL_URL": self.url,
            "VNFM_HEARTBEAT_DIR": str(instance.heartbeats),
        }
        web = Web(self.listener.fileno(), self.url, self.tls, processes=2)
        self.supervisor.start(*product.web(env | settings | {"VNFM_WEB_PROCESSES": "2"}, web))
        self.supervisor.await_ready()

    def state(self, name: str) -> tuple[int | None, str]:
        record = self.supervisor.record.services[name]
        return record.pid, record.state

    def get(self, path: str) -> tuple[int, dict[str, str]]:
        """A connection of its own."""
        try:
            context = client_context(self.tls.cert)
            with urllib.request.urlopen(self.url + path, context=context, timeout=30) as answer:
                return answer.status, dict(answer.headers)
        except urllib.error.HTTPError as error:
            return error.code, dict(error.headers)


@pytest.fixture
def site(product_env: dict[str, str], tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path, product_env)
    yield site
    site.supervisor.stop()
    site.listener.close()


def test_one_is_killed_and_comes_back_while_the_other_serves(site: Site) -> None:
    status, headers = site.get("/api/v1/session/csrf")
    assert (status, headers["Strict-Transport-Security"]) == (200, "max-age=31536000")
    port = site.url.rpartition(":")[2]
    assert f"csrftoken_{port}=" in headers["Set-Cookie"]
    assert "Secure" in headers["Set-Cookie"]
    beating = wait_until(lambda: {f.stem for f in site.heartbeats.glob("web*")} == {"web", "web-2"}, 30)
    assert beating, "each has heartbeats of its own"
    first, _ = site.state("web-2")
    other = site.state("web")
    assert first is not None
    os.kill(first, signal.SIGKILL)

    def back() -> bool:
        site.supervisor.tick()
        assert site.get("/healthz")[0] == 200
        pid, state = site.state("web-2")
        return pid not in (None, first) and state == "running"

    assert wait_until(back, 60)
    assert site.state("web") == other

    (site.tls.cert.parent / "new").mkdir()
    cert, key = certificate_files(site.tls.cert.parent / "new")
    old = client_context(site.tls.cert)
    cert.replace(site.tls.cert)
    key.replace(site.tls.key)
    assert answers_at(site.url, "/healthz", site.tls.cert)(None), "renewed files are served without a restart"
    with pytest.raises(urllib.error.URLError) as refused:
        urllib.request.urlopen(site.url, context=old, timeout=30)
    assert isinstance(refused.value.reason, ssl.SSLCertVerificationError)

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    with pytest.raises(urllib.error.HTTPError) as plain:
        urllib.request.build_opener(Stay).open(site.url.replace("https", "http") + "/x", timeout=30)
    assert (plain.value.code, plain.value.headers["Location"]) == (307, f"{site.public_url}/x")
