"""Cinder: what a project may still have."""

from collections.abc import Sequence

from openstack.proxy import Proxy

from vnfm.clouds.openstack import rest
from vnfm.clouds.openstack.errors import translate_errors
from vnfm.clouds.types import Quota


@translate_errors("openstack")
def volume_quotas(cinder: Proxy) -> Sequence[Quota]:
    """Volumes, and GiB of all of them (`GET /limits`, the same in v2 and v3)."""
    limits = rest.get(cinder, "/limits")["limits"]["absolute"]
    return [
        Quota("volumes", limits.get("maxTotalVolumes"), limits.get("totalVolumesUsed")),
        Quota("gigabytes", limits.get("maxTotalVolumeGigabytes"), limits.get("totalGigabytesUsed")),
    ]
