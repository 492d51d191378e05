"""One region and project, spoken to by one thread."""

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from keystoneauth1.session import Session
from openstack.compute.v2._proxy import Proxy as ComputeProxy
from openstack.connection import Connection as SdkConnection
from openstack.image.v2._proxy import Proxy as ImageProxy
from openstack.network.v2._proxy import Proxy as NetworkProxy
from openstack.proxy import Proxy

from vnfm.clouds.errors import CloudError
from vnfm.clouds.openstack.account import CATALOG_TYPES, Account, root_of, version_document
from vnfm.clouds.openstack.compute import (
    NovaFlavors,
    NovaServers,
    compute_hosts,
    compute_quotas,
    compute_zones,
    key_pairs,
    server_group_size,
    server_groups,
)
from vnfm.clouds.openstack.image import GlanceImages
from vnfm.clouds.openstack.network import NeutronNetworks
from vnfm.clouds.openstack.orchestration import HeatClient, HeatStacks
from vnfm.clouds.openstack.probe import probe
from vnfm.clouds.openstack.services import SERVICE_NAMES
from vnfm.clouds.openstack.session import identity_url
from vnfm.clouds.openstack.volume import CinderVolumes, volume_quotas, volume_types
from vnfm.clouds.types import CloudHost, CloudServerGroup, Probe, Quota
from vnfm.kit.problem import Source

T = TypeVar("T")


class OpenStackCloud:
    """Services are found at the first use, so that Heat can be used while Nova's endpoint is down.

    The SDK's own discovery is left out: it follows the hrefs of version documents, which are often wrong behind a
    proxy, and settles for /v2 where the catalog says so.
    """

    def __init__(self, account: Account, session: Session) -> None:
        self.account = account
        self.session = session
        self._sdk = SdkConnection(session=session)
        self._made: dict[str, object] = {}

    @property
    def stacks(self) -> HeatStacks:
        return self._once("stacks", self._open_stacks)

    @property
    def servers(self) -> NovaServers:
        return self._once("servers", self._open_servers)

    @property
    def flavors(self) -> NovaFlavors:
        return self._once("flavors", lambda: NovaFlavors(self._nova, self.account.extra_specs))

    @property
    def images(self) -> GlanceImages:
        return self._once("images", self._open_images)

    @property
    def networks(self) -> NeutronNetworks:
        return self._once("networks", self._open_networks)

    @property
    def volumes(self) -> CinderVolumes:
        return self._once("volumes", lambda: CinderVolumes(self._cinder()))

    def project_id(self) -> str:
        return self.account.project_id(self.session)

    def answers(self, service: Source) -> bool:
        try:
            kind = next((kind for kind in CATALOG_TYPES if SERVICE_NAMES[kind] == service), None)
            url = self.account.url(self.session, kind) if kind else identity_url(self.account.connection.auth_url)
            version_document(self.session, root_of(url), service)
        except CloudError as error:
            return error.http_status > 0
        return True

    def quotas(self) -> Sequence[Quota]:
        return [*compute_quotas(self._nova), *self.networks.quotas()]

    def volume_quotas(self) -> Sequence[Quota]:
        cinder = self._cinder()
        return () if cinder is None else volume_quotas(cinder)

    def volume_types(self) -> Sequence[str]:
        cinder = self._cinder()
        return () if cinder is None else volume_types(cinder)

    def key_pairs(self) -> Sequence[str]:
        return key_pairs(self._nova)

    def hosts(self) -> Sequence[CloudHost]:
        return compute_hosts(self._nova)

    def server_group_size(self) -> int | None:
        return server_group_size(self._nova)

    def server_groups(self) -> Sequence[CloudServerGroup]:
        return server_groups(self._nova)

    def zones(self) -> Sequence[str]:
        return compute_zones(self._nova)

    def probe(self) -> Probe:
        return probe(self, self.account, self.session)

    @property
    def _nova(self) -> ComputeProxy:
        return self._once("nova", self._open_nova)

    def _once(self, name: str, make: Callable[[], T]) -> T:
        """Not `functools.cached_property`: before Python 3.12 one lock serves all clouds, and a dead one holds it."""
        if name not in self._made:
            self._made[name] = make()
        return cast("T", self._made[name])  # stored under this name only, by the line above

    def _open_stacks(self) -> HeatStacks:
        url = self.account.url(self.session, "orchestration")
        heat = HeatClient(self.session, service_type="orchestration", endpoint_override=url)
        return HeatStacks(heat, self.account.heat)

    def _open_servers(self) -> NovaServers:
        return NovaServers(self._nova, self.account.project_id(self.session), self.account.server_pages)

    def _open_images(self) -> GlanceImages:
        url = self.account.url(self.session, "image")
        glance = ImageProxy(self.session, service_type="image", endpoint_override=url)
        glance._connection = self._sdk  # noqa: SLF001  (the SDK sets it so; it has no other way)
        return GlanceImages(glance)

    def _open_networks(self) -> NeutronNetworks:
        url = self.account.url(self.session, "network")
        neutron = NetworkProxy(self.session, service_type="network", endpoint_override=url)
        neutron._connection = self._sdk  # noqa: SLF001
        return NeutronNetworks(neutron, self.account.project_id(self.session))

    def _cinder(self) -> Proxy | None:
        """None on a cloud without Cinder."""
        if not self.account.offers(self.session, "volume"):
            return None
        url = self.account.url(self.session, "volume")
        cinder = Proxy(self.session, service_type="block-storage", endpoint_override=url)
        cinder._connection = self._sdk  # noqa: SLF001
        return cinder

    def _open_nova(self) -> ComputeProxy:
        url, microversion = self.account.compute(self.session)
        nova = ComputeProxy(
            self.session, service_type="compute", endpoint_override=url, default_microversion=microversion or None
        )
        nova._connection = self._sdk  # noqa: SLF001
        return nova
