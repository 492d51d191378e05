"""Speak HTTP to a cloud: time-outs, certificates, and requests that may be sent twice."""

import atexit
import hashlib
import os
import tempfile
from collections.abc import Mapping, MutableMapping
from contextlib import nullcontext
from functools import cache, lru_cache
from pathlib import Path
from time import monotonic
from typing import Any, Self
from urllib.parse import urlsplit

import requests
from keystoneauth1.exceptions import HttpError
from keystoneauth1.identity import v3
from keystoneauth1.identity.base import BaseIdentityPlugin
from keystoneauth1.session import Session, TCPKeepAliveAdapter
from requests.utils import get_environ_proxies
from urllib3 import ProxyManager, Retry
from urllib3.connectionpool import ConnectionPool
from urllib3.exceptions import ReadTimeoutError
from urllib3.response import BaseHTTPResponse

from vnfm.clouds.call_log import log_call
from vnfm.clouds.openstack.bounds import POOLS, read_bounded
from vnfm.clouds.openstack.errors import TOKEN_PATHS, class_of_status, request_id_of, translate
from vnfm.clouds.openstack.services import SERVICE_NAMES
from vnfm.clouds.types import ApiCall, Connection
from vnfm.kit import tracing
from vnfm.kit.clock import now
from vnfm.kit.problem import Source
from vnfm.metrics.catalogue import CLOUD_REQUESTS, CLOUD_SECONDS

CONNECT_SECONDS = 5.0
"""A cloud that does not pick up in this time is down, not slow."""

READ_SECONDS = 30.0
"""Longest silence inside one answer; Heat's preview of an 18-VM stack stays below ten on a busy cloud."""

UNREGISTERED = "(unregistered)"
"""The metrics' name of a cloud whose connection is tried before its registration."""
_CONNECTIONS = 16
_READING = frozenset({"GET", "HEAD"})


class _Once(Retry):
    """One more attempt where that cannot do a thing twice: the request never left, or it is a GET on a dead connection.

    A time-out is not repeated: the wait was long enough, and the caller has its own plan for that. Nor is an answer
    that asks us to come back later (`respect_retry_after_header`): a worker never sleeps on a cloud.
    """

    def increment(
        self,
        method: str | None = None,
        url: str | None = None,
        response: BaseHTTPResponse | None = None,
        error: Exception | None = None,
        _pool: ConnectionPool | None = None,
        _stacktrace: Any = None,  # a traceback; urllib3 has no public name for it
    ) -> Self:
        if isinstance(error, ReadTimeoutError):
            raise error
        return super().increment(method, url, response, error, _pool, _stacktrace)


class _Transport(TCPKeepAliveAdapter):
    """Gives every request the two time-outs (keystoneauth knows one number only), and every answer its bounds."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = POOLS

    def proxy_manager_for(self, proxy: str, **kwargs: Any) -> ProxyManager:
        manager: ProxyManager = super().proxy_manager_for(proxy, **kwargs)
        manager.pool_classes_by_scheme = POOLS
        return manager

    def send(  # noqa: PLR0917  (the signature is that of requests)
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: float | tuple[float | None, float | None] | None = None,
        verify: bool | str = True,
        cert: str | tuple[str, str] | None = None,
        proxies: dict[str, str] | None = None,
    ) -> requests.Response:
        answer = super().send(request, True, timeout or (CONNECT_SECONDS, READ_SECONDS), verify, cert, proxies)
        read_bounded(answer)
        return answer


class _Http(requests.Session):
    """Reads the environment's proxies and certificates once a host, as that takes a twentieth of an operation's
    processor time; never a password in `.netrc`, which is not the cloud's.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trust_env = False

    def merge_environment_settings(
        self,
        url: str | bytes | None,
        proxies: MutableMapping[str, str] | None,
        stream: bool | None,
        verify: bool | str | None,
        cert: str | tuple[str, str] | None,
    ) -> Any:
        parts = urlsplit(str(url))
        found, bundle = _environment(f"{parts.scheme}://{parts.netloc}/")
        return super().merge_environment_settings(
            str(url), {**found, **(proxies or {})}, stream, bundle if verify is True and bundle else verify, cert
        )


@lru_cache(maxsize=256)
def _environment(origin: str) -> tuple[dict[str, str], str]:
    """Proxies by scheme for a host, and the path of a bundle of certificates or ""."""
    bundle = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE") or ""
    return get_environ_proxies(origin, no_proxy=None), bundle


class _Session(Session):
    """Counts every request, and tells the trail of those that may change something; asking for a token changes nothing.

    Adapters bring a rate limiter that counts by the time of day: when the clock is set back, it makes every request
    wait until the clock is there again. We set no rate here, so nothing is lost without it.
    """

    vim = ""

    def request(self, url: str, method: str, *args: Any, **kwargs: Any) -> requests.Response:
        kwargs["rate_semaphore"] = nullcontext()
        service = _service_of(url, kwargs)
        began, result = monotonic(), "ok"
        try:
            answer = self._traced_request(url, method, service, *args, **kwargs)
            if not answer.ok:
                result = class_of_status(answer)
        except Exception as error:
            result = type(translate(error, service)).__name__
            raise
        finally:
            CLOUD_REQUESTS.add(self.vim, service, result)
            CLOUD_SECONDS.observe(monotonic() - began, self.vim, service)
        return answer

    def _traced_request(self, url: str, method: str, service: Source, *args: Any, **kwargs: Any) -> requests.Response:
        answer = None
        with tracing.span(f"{service} {method}", kind="CLIENT", vnfm_vim=self.vim) as set_attributes:
            try:
                answer = self._logged_request(url, method, service, *args, **kwargs)
            except HttpError as error:
                answer = error.response
                raise
            finally:
                if answer is not None:
                    status = {"http_response.status_code": answer.status_code}
                    path = urlsplit(answer.url).path
                    set_attributes(openstack_request_id=request_id_of(answer), url_path=path, **status)
        return answer

    def _logged_request(self, url: str, method: str, service: Source, *args: Any, **kwargs: Any) -> requests.Response:
        if method in _READING or url.endswith(TOKEN_PATHS):
            return super().request(url, method, *args, **kwargs)
        sent_at, answer = now(), None
        try:
            answer = super().request(url, method, *args, **kwargs)
        except HttpError as error:
            answer = error.response
            raise
        finally:
            base = kwargs.get("endpoint_override") or ""
            path = urlsplit(url if "://" in url else f"{base.rstrip('/')}/{url.lstrip('/')}").path
            status = answer.status_code if answer is not None else 0
            log_call(ApiCall(service, method, path, status, request_id_of(answer), sent_at))
        return answer


def _service_of(url: str, keywords: Mapping[str, Any]) -> Source:
    if url.endswith(TOKEN_PATHS):
        return "keystone"
    return SERVICE_NAMES.get((keywords.get("endpoint_filter") or {}).get("service_type") or "", "openstack")


def open_session(connection: Connection, auth: BaseIdentityPlugin) -> Session:
    """A session for one thread; `auth` holds the token and may be shared. Sends nothing yet."""
    http = _Http()
    retry = _Once(
        total=1,
        connect=0,
        read=1,
        status=0,
        redirect=0,
        other=0,
        allowed_methods=_READING,
        respect_retry_after_header=False,
    )
    for scheme in ("http://", "https://"):
        http.mount(scheme, _Transport(pool_maxsize=_CONNECTIONS, max_retries=retry))
    verify = not connection.insecure
    session = _Session(
        auth=auth,
        session=http,
        verify=ca_file(connection.cacert) if verify and connection.cacert else verify,
        app_name="vnfm",
        collect_timing=False,
    )
    session.vim = connection.vim or UNREGISTERED
    return session


class _SharedToken(BaseIdentityPlugin):
    """A token for several threads, all of which may find at once that it is no longer valid."""

    def invalidate(self) -> bool:
        """Always worth another try: when there is nothing to throw away, another thread has just done so."""
        super().invalidate()
        return True


class _SharedPassword(_SharedToken, v3.Password): ...


class _SharedApplicationCredential(_SharedToken, v3.ApplicationCredential):
    """An application credential (Keystone of Queens and later) has a project of its own."""


def credentials(connection: Connection, *, unscoped: bool = False) -> BaseIdentityPlugin:
    """Always scoped to a project (Liberty knows no system scope), except to find out why that was refused."""
    url = identity_url(connection.auth_url)
    if connection.application_credential_id:
        return _SharedApplicationCredential(url, connection.password, connection.application_credential_id)
    if connection.application_credential_name:
        return _SharedApplicationCredential(
            url,
            connection.password,
            application_credential_name=connection.application_credential_name,
            username=connection.username,
            user_domain_name=connection.user_domain_name,
        )
    by_name = not unscoped and not connection.project_id
    return _SharedPassword(
        auth_url=url,
        username=connection.username,
        password=connection.password,
        user_domain_name=connection.user_domain_name,
        unscoped=unscoped,
        project_id=connection.project_id if connection.project_id and not unscoped else None,
        project_name=connection.project_name if by_name else None,
        project_domain_name=connection.project_domain_name if by_name else None,
    )


def identity_url(auth_url: str) -> str:
    """The v3 API under what people write: with or without `/v3`, or the `/v2.0` of an old openrc."""
    url = auth_url.rstrip("/")
    if url.endswith("/v2.0"):
        url = url.removesuffix("/v2.0")
    return url if url.endswith("/v3") else f"{url}/v3"


@cache
def _ca_directory() -> Path:
    directory = tempfile.TemporaryDirectory(prefix="vnfm-ca-")
    atexit.register(directory.cleanup)
    return Path(directory.name)


def ca_file(pem: str) -> str:
    """`pem` as a file of ours alone, because requests takes no text; one per content, gone with the process."""
    path = _ca_directory() / f"{hashlib.sha256(pem.encode()).hexdigest()}.pem"
    if not path.exists():
        handle, name = tempfile.mkstemp(dir=path.parent)  # mode 0600
        with os.fdopen(handle, "w") as file:
            file.write(pem)
        Path(name).replace(path)
    return str(path)
