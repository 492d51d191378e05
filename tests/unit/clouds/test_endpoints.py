"""Where the services are, by catalogs and version documents of several ages, served on loopback."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from vnfm.clouds.errors import NotFound
from vnfm.clouds.openstack.account import Account
from vnfm.clouds.openstack.session import open_session
from vnfm.clouds.types import Connection

LIBERTY = {
    "versions": [
        {"id": "v2.0", "status": "SUPPORTED", "version": "", "min_version": "", "links": []},
        {"id": "v2.1", "status": "CURRENT", "version": "2.12", "min_version": "2.1", "links": []},
    ]
}
KILO = {"versions": [{"id": "v2.1", "status": "CURRENT", "version": "2.3", "min_version": "2.1", "links": []}]}
EPOXY = {"versions": [{"id": "v2.1", "status": "CURRENT", "version": "2.100", "min_version": "2.1", "links": []}]}
JUNO = {"versions": [{"id": "v2.0", "status": "CURRENT", "links": []}]}


class FakeCloud(ThreadingHTTPServer):
    """Keystone's tokens with a catalog that the test writes, and version documents by path."""

    def __init__(self) -> None:
        self.catalog: list[dict[str, Any]] = []
        self.documents: dict[str, Any] = {}
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                token = {"catalog": fake.catalog, "project": {"id": "p1", "name": "p"}, "roles": [], "methods": []}
                self.reply(201, {"token": {**token, "expires_at": "2999-01-01T00:00:00.000000Z"}})

            def do_GET(self) -> None:
                document = fake.documents.get(self.path)
                self.reply(300 if document else 404, document or {})

            def reply(self, status: int, body: Any) -> None:
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("X-Subject-Token", "t")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def offer(self, kind: str, path: str, region: str = "R1", interface: str = "public") -> None:
        endpoint = {
            "interface": interface,
            "region": region,
            "region_id": region,
            "url": f"{self.url}{path}",
            "id": "e",
        }
        self.catalog.append({"type": kind, "name": kind, "id": kind, "endpoints": [endpoint]})

    def account(self, **fields: Any) -> tuple[Account, Any]:
        connection = Connection(f"{self.url}/v3", "user", "secret", "p", **fields)
        account = Account(connection)
        return account, open_session(connection, account.auth)


@pytest.fixture
def fake() -> Iterator[FakeCloud]:
    with FakeCloud() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("path", "document", "spoken_path", "microversion"),
    [
        ("/v2.1/p1", LIBERTY, "/v2.1/p1", "2.12"),
        ("/v2/p1", LIBERTY, "/v2.1/p1", "2.12"),
        ("/v2.1", EPOXY, "/v2.1", "2.12"),
        ("/v2.1/p1", KILO, "/v2.1/p1", "2.3"),
        ("/v2/p1", JUNO, "/v2/p1", ""),
        ("/v2/p1", None, "/v2/p1", ""),
        ("/v2.1/p1", None, "/v2.1/p1", "2.1"),
        ("", EPOXY, "/v2.1", "2.12"),
        ("", None, "/v2.1", "2.1"),
    ],
)
def test_compute(fake: FakeCloud, path: str, document: Any, spoken_path: str, microversion: str) -> None:
    fake.offer("compute", f"/compute{path}")
    if document:
        fake.documents["/compute/"] = document
    account, session = fake.account()
    assert account.compute(session) == (f"{fake.url}/compute{spoken_path}", microversion)


@pytest.mark.parametrize(
    ("kind", "path", "used"),
    [
        ("network", "/network", "/network/v2.0"),
        ("network", "/network/", "/network/v2.0"),
        ("network", "/network/v2.0", "/network/v2.0"),
        ("image", "", "/v2"),
        ("image", "/v2", "/v2"),
        ("orchestration", "/v1/p1", "/v1/p1"),
    ],
)
def test_a_version_is_added_where_the_catalog_gives_none(fake: FakeCloud, kind: Any, path: str, used: str) -> None:
    fake.offer(kind, path)
    account, session = fake.account()
    assert account.url(session, kind) == f"{fake.url}{used}"


@pytest.mark.parametrize("written", ["%(project_id)s", "%(tenant_id)s", "$(tenant_id)s"])
def test_an_override_wins_over_the_catalog_and_knows_the_project(fake: FakeCloud, written: str) -> None:
    fake.offer("orchestration", "/wrong")
    account, session = fake.account(endpoint_overrides={"orchestration": f"http://heat.example/v1/{written}/"})
    assert account.url(session, "orchestration") == "http://heat.example/v1/p1"


def test_region_and_interface_choose_the_endpoint(fake: FakeCloud) -> None:
    fake.offer("image", "/one", region="R1")
    fake.offer("image", "/two", region="R2")
    fake.offer("image", "/inside", region="R2", interface="internal")
    account, session = fake.account(region="R2", interface="internal")
    assert account.url(session, "image") == f"{fake.url}/inside/v2"


@pytest.mark.parametrize(
    ("fields", "culprit", "words"),
    [
        ({"region": "R9"}, "region", "it has R1, R2"),
        ({"region": "R1", "interface": "admin"}, "interface", "it has public"),
        ({"region": "R2"}, "endpoint_overrides", "no image endpoint in region R2"),
    ],
)
def test_a_missing_endpoint_names_the_offending_field(
    fake: FakeCloud, fields: dict[str, Any], culprit: str, words: str
) -> None:
    fake.offer("image", "/one", region="R1")
    fake.offer("compute", "/two", region="R2")
    account, session = fake.account(**fields)
    with pytest.raises(NotFound) as caught:
        account.url(session, "image")
    assert caught.value.offending_fields == (culprit,)
    assert words in caught.value.message


def test_alarms_may_still_be_ceilometers(fake: FakeCloud) -> None:
    fake.offer("metering", "/ceilometer")
    account, session = fake.account()
    assert account.offers(session, "alarming")
    assert not account.offers(session, "image")
