"""The transport, against small servers on loopback: TLS, time-outs, and what is sent twice."""

import datetime as dt
import stat
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from keystoneauth1 import exceptions as keystone
from keystoneauth1.adapter import Adapter

from tests.factories.tls import self_signed
from vnfm.clouds.call_log import record_calls
from vnfm.clouds.errors import CloudError, Transient
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.clouds.openstack.session import _environment, ca_file, credentials, identity_url, open_session
from vnfm.clouds.types import Connection

HERE = Connection("http://127.0.0.1:1/v3", "user", "secret-password", "project")


class Recorder(ThreadingHTTPServer):
    """Answers `status` (200) with `{}` and counts; `drop` closes as many first connections without a word."""

    drop = 0
    status = 200
    retry_after = ""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.targets: list[str] = []
        self.passwords: list[str | None] = []
        recorder = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                recorder.seen.append(self.command)
                recorder.targets.append(self.path)
                recorder.passwords.append(self.headers["Authorization"])
                if len(recorder.seen) <= recorder.drop:
                    self.connection.close()
                    return
                self.send_response(recorder.status)
                self.send_header("X-OpenStack-Request-ID", "req-1")
                if recorder.retry_after:
                    self.send_header("Retry-After", recorder.retry_after)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            do_GET = do_POST = do_PUT = do_DELETE = answer  # noqa: N815  (names that http.server looks for)

            def log_message(self, *args: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)


@pytest.fixture
def server() -> Iterator[Recorder]:
    with Recorder() as recorder:
        thread = threading.Thread(target=recorder.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield recorder
        recorder.shutdown()
        thread.join()


@pytest.fixture
def tls(server: Recorder, tmp_path: Path) -> tuple[str, str]:
    """Its URL over TLS, and the PEM of the self-signed certificate."""
    context, pem = self_signed(tmp_path)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    return f"https://127.0.0.1:{server.server_port}", pem


def get(connection: Connection, url: str, method: str = "GET") -> int:
    session = open_session(connection, credentials(connection))
    return int(session.request(url, method, authenticated=False).status_code)


def test_a_certificate_of_the_configured_authority_is_trusted(tls: tuple[str, str]) -> None:
    url, pem = tls
    assert get(replace(HERE, cacert=pem), url) == 200
    assert get(replace(HERE, insecure=True), url) == 200
    with pytest.raises(keystone.SSLError):
        get(HERE, url)


def test_a_refused_certificate_is_reported_as_such(tls: tuple[str, str]) -> None:
    with pytest.raises(Transient) as caught:
        OpenStackProvider().connect(replace(HERE, auth_url=tls[0])).probe()
    assert caught.value.offending_fields == ("cacert",)
    assert caught.value.source == "keystone"
    assert "self-signed" in caught.value.message or "self signed" in caught.value.message


def test_the_file_of_an_authority_is_ours_alone_and_written_once() -> None:
    path = Path(ca_file("PEM text"))
    assert path.read_text() == "PEM text"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert ca_file("PEM text") == str(path)
    assert ca_file("another") != str(path)


def test_a_read_on_a_dead_connection_is_sent_again_and_a_write_is_not(server: Recorder) -> None:
    url = f"http://127.0.0.1:{server.server_port}/"
    server.drop = 1
    assert get(HERE, url) == 200
    assert server.seen == ["GET", "GET"]
    server.seen.clear()
    with pytest.raises(keystone.ConnectFailure):
        get(HERE, url, "POST")
    assert server.seen == ["POST"]


def test_retry_after_is_not_slept_in_the_session(server: Recorder) -> None:
    server.status, server.retry_after = 429, "60"
    with pytest.raises(keystone.HttpError) as caught:
        get(HERE, f"http://127.0.0.1:{server.server_port}/")
    assert caught.value.http_status == 429
    assert server.seen == ["GET"]


def test_the_trail_has_changes_alone(server: Recorder) -> None:
    url = f"http://127.0.0.1:{server.server_port}"
    session = open_session(HERE, credentials(HERE))
    began = dt.datetime.now(dt.UTC)
    with record_calls() as calls:
        session.get(f"{url}/v2/servers", authenticated=False)
        session.post(f"{url}/v3/auth/tokens", json={"password": "hush"}, authenticated=False)
        Adapter(session, service_type="compute", endpoint_override=f"{url}/v2").post(
            "/servers?x=1", json={"hush": 1}, authenticated=False
        )
        # Neutron's and Nova's paths come without a slash between them and the endpoint.
        Adapter(session, service_type="compute", endpoint_override=f"{url}/v2").put("servers/1", authenticated=False)
        session.delete(f"{url}/v2/servers/1", authenticated=False)
    session.delete(f"{url}/v2/servers/2", authenticated=False)
    assert [(c.service, c.method, c.path, c.status, c.request_id) for c in calls] == [
        ("nova", "POST", "/v2/servers", 200, "req-1"),
        ("nova", "PUT", "/v2/servers/1", 200, "req-1"),
        ("openstack", "DELETE", "/v2/servers/1", 200, "req-1"),
    ]
    assert all(began <= call.at <= dt.datetime.now(dt.UTC) for call in calls)
    assert "hush" not in repr(calls)


def test_the_trail_has_refusals_and_unanswered_calls(server: Recorder) -> None:
    session = open_session(HERE, credentials(HERE))
    url = f"http://127.0.0.1:{server.server_port}/v1/stacks"
    with record_calls() as outer:
        server.drop = 1
        with record_calls() as inner, pytest.raises(keystone.ConnectFailure):
            session.post(url, authenticated=False)
        server.status = 409
        with pytest.raises(keystone.Conflict):
            session.put(url, authenticated=False)
    assert [(call.method, call.status, call.request_id) for call in inner] == [("POST", 0, "")]
    assert [(call.method, call.status, call.request_id) for call in outer] == [("POST", 0, ""), ("PUT", 409, "req-1")]


def test_the_trail_of_one_thread_is_not_anothers(server: Recorder) -> None:
    with record_calls() as calls:
        other = threading.Thread(target=get, args=(HERE, f"http://127.0.0.1:{server.server_port}/", "POST"))
        other.start()
        other.join()
    assert server.seen == ["POST"]
    assert calls == []


def test_threads_that_learn_together_of_an_expired_token_all_try_again() -> None:
    auth = credentials(HERE)
    assert [auth.invalidate() for _ in range(3)] == [True, True, True]


def test_a_clock_that_is_set_back_holds_up_no_request(server: Recorder) -> None:
    adapter = Adapter(open_session(HERE, credentials(HERE)))
    adapter._rate_semaphore._rate_last_ts += 3600
    url = f"http://127.0.0.1:{server.server_port}/"
    assert adapter.get(url, authenticated=False).status_code == 200


def test_a_server_that_is_no_keystone_points_at_the_auth_url(server: Recorder) -> None:
    with pytest.raises(CloudError) as caught:
        OpenStackProvider().connect(replace(HERE, auth_url=f"http://127.0.0.1:{server.server_port}")).probe()
    assert caught.value.offending_fields == ("auth_url",)


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("http://cloud:5000", "http://cloud:5000/v3"),
        ("http://cloud:5000/", "http://cloud:5000/v3"),
        ("http://cloud:5000/v3/", "http://cloud:5000/v3"),
        ("http://cloud:5000/v2.0", "http://cloud:5000/v3"),
        ("https://cloud/identity", "https://cloud/identity/v3"),
    ],
)
def test_the_identity_url(given: str, used: str) -> None:
    assert identity_url(given) == used


def test_connecting_sends_nothing_and_a_password_is_never_printed(server: Recorder) -> None:
    connection = replace(HERE, auth_url=f"http://127.0.0.1:{server.server_port}")
    provider = OpenStackProvider()
    cloud = provider.connect(connection)
    assert server.seen == []
    assert provider.connect(replace(connection)) is cloud
    assert provider.connect(replace(connection, password="other")) is not cloud
    assert connection.password not in repr(connection)
    assert connection.password not in repr(cloud)


def test_the_proxy_of_the_environment_is_used_and_no_password_of_netrc(
    server: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine cloud.example login another password else\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("no_proxy", "direct.invalid")
    _environment.cache_clear()
    assert get(HERE, "http://cloud.example/v3") == 200
    with pytest.raises(keystone.ConnectFailure):
        get(HERE, "http://direct.invalid/v3")
    assert server.targets == ["http://cloud.example/v3"]
    assert server.passwords == [None]
    _environment.cache_clear()
