"""The services of a run and its record, determined before any of them starts.

A supervisor that takes over from another release also needs the plan to return to that release (ADR-0066).
"""

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address

from launcher import backup, handover, ports
from launcher.cloud import Cloud
from launcher.console import Console
from launcher.keys import make_keys
from launcher.layout import Checkout, Instance
from launcher.processes import Identity
from launcher.product import LOCK, Endpoints, Product, Web
from launcher.record import Record
from launcher.service import Service
from launcher.startable import certificate_of, choose_guests, cloud_of, require_joinable
from launcher.tls import Certificate, check
from launcher.toolchain import ensure_python
from launcher.up_options import UpOptions


@dataclass(frozen=True)
class RunPlan:
    """Services in the order in which they start."""

    env: Mapping[str, str]
    cloud: Cloud
    databases: tuple[Service, ...]
    """The embedded databases; none for servers that the user names."""
    clouds: tuple[Service, ...]
    background: tuple[Service, ...]
    web: tuple[Service, ...]
    routers: tuple[Service, ...]

    @property
    def simulated(self) -> bool:
        return self.cloud.simulated

    @property
    def services(self) -> tuple[Service, ...]:
        """All services except the databases."""
        return (*self.clouds, *self.background, *self.web, *self.routers)


def prepare_run(checkout: Checkout, instance: Instance, options: UpOptions, console: Console) -> None:
    """Create the folders. Raises LaunchError for flags and variables that prevent a start."""
    certificate_of(options, console)
    require_joinable(options, instance)
    checkout.prepare()
    instance.prepare()


def plan_run(
    product: Product, options: UpOptions, record: Record, listener: socket.socket | None, console: Console
) -> tuple[RunPlan, str]:
    """Return the plan, and a sentence for the user or ""; complete `record`. Raises LaunchError and OSError."""
    instance, checkout = product.instance, product.checkout
    ensure_python(checkout, LOCK, console)
    certificate = check(options.tls) if options.tls else None
    record.url, record.public_url = public_urls(options, ports.address_of(record.url, 0)[1], certificate)
    cloud = cloud_of(options, instance, product.python)
    record.clouds_yaml, record.cloud = str(cloud.clouds_yaml), cloud.name
    record.guests, message = choose_guests(options, cloud)
    if not options.roles:
        make_keys(instance.keys)
    databases = _databases(product, record)
    endpoints = Endpoints.of(record, instance)
    env = product.environment(endpoints)
    web: tuple[Service, ...] = ()
    if options.runs("web"):
        assert listener is not None, "bound at the start"
        web = product.web(env, Web(listener.fileno(), record.url, options.tls, options.web_processes))
    background = (
        *(service for service in product.background(env) if options.runs(service.name)),
        *backup.scheduled(checkout, instance, endpoints.database_url),
    )
    clouds = (product.cloudsim(record.guests),) if cloud.simulated else ()
    routers = (product.routersim(cloud, env["VNFM_TRAP_LISTEN"]),) if cloud.simulated else ()
    return RunPlan(env, endpoints.cloud, databases, clouds, background, web, routers), message


def _databases(product: Product, record: Record) -> tuple[Service, ...]:
    """Return the embedded databases for those that the user does not name; record the addresses of all."""
    services: list[Service] = []
    database_url, redis_url = os.environ.get("DATABASE_URL", ""), os.environ.get("REDIS_URL", "")
    if not database_url:
        cluster, service = product.postgres()
        database_url = cluster.url
        services.append(service)
    if not redis_url:
        store, service = product.valkey()
        redis_url = store.url
        services.append(service)
    record.database_url, record.redis_url = database_url, redis_url
    return tuple(services)


def public_urls(options: UpOptions, port: int, certificate: Certificate | None) -> tuple[str, str]:
    """Return the web's URL for our own programs, and its URL for users."""
    address = ip_address(options.listen)
    here = {"0.0.0.0": ports.LOOPBACK, "::": "::1"}.get(str(address), str(address))  # noqa: S104 - compared, not bound
    scheme = "http" if options.tls is None else "https"
    local = f"{scheme}://{_in_url(here)}:{port}"
    name = certificate.host_of("" if address.is_unspecified else here) if certificate else here
    named = f"{scheme}://{_in_url(name or here)}:{port}"
    return local, os.environ.get("VNFM_PUBLIC_URL", "").rstrip("/") or named


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def record_of(options: UpOptions, port: int, before: Record | None = None) -> Record:
    """Return the record of a run by this process, with all that `upgrade` needs to start it again.

    Until `plan_run` completes it, the addresses are those of `before`, the record of the release that it replaces.
    """
    me = Identity.of(os.getpid())
    assert me is not None, "a running process has an identity"
    url, public = public_urls(options, port, None)
    cert, key = (str(options.tls.cert), str(options.tls.key)) if options.tls else ("", "")
    record = Record(
        me,
        url=url,
        public_url=public,
        listen=options.listen,
        tls_cert=cert,
        tls_key=key,
        web_processes=options.web_processes,
        roles=list(options.roles),
        hands_over=handover.PROTOCOL,
    )
    if before is not None:
        record.public_url, record.guests = before.public_url, before.guests
        record.database_url, record.redis_url = before.database_url, before.redis_url
        record.clouds_yaml, record.cloud = before.clouds_yaml, before.cloud
    return record
