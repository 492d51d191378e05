"""One user in one project of one cloud: the token, the catalog, and where each service is to be found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from keystoneauth1.access import AccessInfoV3
from keystoneauth1.exceptions import ClientException
from keystoneauth1.session import Session

from vnfm.clouds.errors import NotFound, Rejected
from vnfm.clouds.openstack.errors import translate, translate_errors
from vnfm.clouds.openstack.rest import PageSize
from vnfm.clouds.openstack.services import Service
from vnfm.clouds.openstack.session import credentials, identity_url
from vnfm.clouds.types import Connection
from vnfm.kit.patterns import pattern
from vnfm.kit.problem import Source

CATALOG_TYPES: Mapping[Service, tuple[str, ...]] = {
    "compute": ("compute",),
    "network": ("network",),
    "image": ("image",),
    "orchestration": ("orchestration",),
    "alarming": ("alarming", "metering"),
    "volume": ("volumev3", "block-storage", "volumev2", "volume"),
}
"""Liberty's alarms may still be Ceilometer's, which redirects to Aodh where there is one. Cinder's v2 has the
limits of v3."""

_API_VERSIONS: Mapping[Service, str] = {"network": "v2.0", "image": "v2", "alarming": "v2"}
"""Path of the API where the catalog names the service's root only."""

NEWEST_COMPUTE = (2, 12)
"""Liberty's newest microversion; we speak nothing newer, so that both ends of the range behave alike."""

MAX_AGE_SECONDS = 3600.0
"""A service catalog is cached for this time."""

_VERSIONED = pattern(r"^(?P<root>https?://.+?)/v(?P<version>\d+(?:\.\d+)?)(?P<rest>/.*)?$")


@dataclass(slots=True)
class HeatMemory:
    """Earlier answers of Heat."""

    stack_names: dict[str, str] = field(default_factory=dict)
    """Stack id to name: Heat's real URLs need both, and answer a lone id with a redirect."""
    hot_functions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Each heat_template_version with its functions; another list of versions is that of another Heat."""
    resource_types: tuple[float, Sequence[str]] = (0.0, ())
    """The time of the request, and Heat's answer."""


class Account:
    """Shared by all threads that use the same connection: what it remembers may be computed twice, never wrongly."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.auth = credentials(connection)
        self.heat = HeatMemory()
        self.extra_specs: dict[str, tuple[float, Mapping[str, str]]] = {}
        """Flavor id → time of the request, and Nova's answer."""
        self.server_pages = PageSize()
        self._born = monotonic()
        self._urls: dict[Service, str] = {}
        self._compute: tuple[str, str] | None = None

    @property
    def worn_out(self) -> bool:
        return monotonic() - self._born > MAX_AGE_SECONDS

    @translate_errors("keystone")
    def access(self, session: Session) -> AccessInfoV3:
        """The token with its catalog; made when there is none or it is about to expire."""
        access = self.auth.get_access(session)
        if not isinstance(access, AccessInfoV3):
            raise Rejected("Keystone's token is not of its v3 API.", service="keystone", offending_fields=("auth_url",))
        return access

    def project_id(self, session: Session) -> str:
        return self.access(session).project_id or ""

    def url(self, session: Session, service: Service) -> str:
        """Base URL of the service's API, version included; raises NotFound with the offending fields."""
        if service == "compute":
            return self.compute(session)[0]
        if service not in self._urls:
            self._urls[service] = _with_version(self._catalog_url(session, service), _API_VERSIONS.get(service, ""))
        return self._urls[service]

    def compute(self, session: Session) -> tuple[str, str]:
        """Nova's URL and the microversion to speak there; "" on a cloud that has none."""
        if self._compute is None:
            self._compute = _compute_endpoint(session, self._catalog_url(session, "compute"))
        return self._compute

    def offers(self, session: Session, service: Service) -> bool:
        try:
            self._catalog_url(session, service)
        except NotFound:
            return False
        return True

    def _catalog_url(self, session: Session, service: Service) -> str:
        access = self.access(session)
        override = self.connection.endpoint_overrides.get(service)
        if override:
            return _filled(override, access.project_id or "")
        if service == "identity":
            return identity_url(self.connection.auth_url)
        region, interface = self.connection.region or None, self.connection.interface
        for kind in CATALOG_TYPES[service]:
            urls = access.service_catalog.get_urls(service_type=kind, region_name=region, interface=interface)
            if urls:
                return str(urls[0]).rstrip("/")
        raise _missing(service, self.connection, access.service_catalog.catalog)


def _filled(override: str, project_id: str) -> str:
    """`%(project_id)s` and its old name work as in a service catalog."""
    for name in ("project_id", "tenant_id"):
        override = override.replace(f"%({name})s", project_id).replace(f"$({name})s", project_id)
    return override.rstrip("/")


def _with_version(url: str, version: str) -> str:
    return url if not version or _VERSIONED.match(url) else f"{url}/{version}"


def _missing(service: Service, connection: Connection, catalog: list[Any]) -> NotFound:
    """Says which part of the registration does not fit this cloud's catalog."""
    endpoints = [(s["type"], e) for s in catalog for e in s.get("endpoints", ())]
    regions = sorted({e.get("region_id") or e.get("region") or "" for _, e in endpoints})
    if connection.region and connection.region not in regions:
        words = f"The catalog has no region {connection.region!r}; it has {', '.join(regions) or 'none at all'}."
        return NotFound(words, service="keystone", offending_fields=("region",))
    kinds = CATALOG_TYPES[service]
    interfaces = sorted({e["interface"] for kind, e in endpoints if kind in kinds})
    where = f" in region {connection.region}" if connection.region else ""
    if interfaces and connection.interface not in interfaces:
        words = f"{service} has no {connection.interface} endpoint{where}; it has {', '.join(interfaces)}."
        return NotFound(words, service="keystone", offending_fields=("interface",))
    words = f"The catalog has no {service} endpoint{where}."
    return NotFound(words, service="keystone", offending_fields=("endpoint_overrides",))


def _compute_endpoint(session: Session, url: str) -> tuple[str, str]:
    """Prefer /v2.1, which has microversions, where the catalog still names /v2 (as Liberty's guides did)."""
    match = _VERSIONED.match(url)
    root = match["root"] if match else url
    rest = (match["rest"] or "") if match else ""
    newest = _newest_microversion(session, root)
    if newest is None:
        legacy = match is not None and match["version"] != "2.1"
        return _with_version(url, "v2.1"), "" if legacy else "2.1"
    major, minor = min(newest, NEWEST_COMPUTE)
    return f"{root}/v2.1{rest}", f"{major}.{minor}"


def _newest_microversion(session: Session, root: str) -> tuple[int, int] | None:
    """Return the newest microversion of Nova's version document at /v2.1; None without one, or behind some proxies."""
    for version in version_document(session, root, "nova"):
        if version.get("id") == "v2.1" and version.get("version"):
            major, _, minor = str(version["version"]).partition(".")
            return int(major), int(minor)
    return None


def version_document(session: Session, root: str, speaker: Source) -> list[dict[str, Any]]:
    """The entries of a service's version document in any of its shapes; [] when something else answers there."""
    try:
        response = session.get(f"{root}/", authenticated=False, raise_exc=False, headers={"Accept": "application/json"})
        body = response.json()
    except ClientException as error:
        raise translate(error, speaker) from error
    except ValueError:
        return []
    found: Any = body.get("versions", body.get("version")) if isinstance(body, dict) else None
    if isinstance(found, dict):
        found = found.get("values", [found])
    return [entry for entry in found or () if isinstance(entry, dict)]


def root_of(url: str) -> str:
    """The URL without version and what follows, where a service keeps its version document."""
    match = _VERSIONED.match(url)
    return match["root"] if match else url
