"""The service catalog, with URLs on the host that the client's request names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cloudsim.identity.seed import stable_id

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud

ENTRIES = (
    ("identity", "keystone", "identity", "/identity/v3"),
    ("image", "glance", "image", "/image"),
    ("compute", "nova", "compute", "/compute/v2.1/{project}"),
    ("compute_legacy", "nova_legacy", "compute", "/compute/v2/{project}"),
    ("network", "neutron", "network", "/network"),
    ("volumev2", "cinderv2", "volume", "/volume/v2/{project}"),
    ("orchestration", "heat", "orchestration", "/orchestration/v1/{project}"),
    ("alarming", "aodh", "alarming", "/alarming"),
)
"""Service type, service name, the serving part of this program, and URL path. As in DevStack of Liberty, ``compute`` is
v2.1, and the old API has an entry of its own."""

INTERFACES = ("public", "internal", "admin")


def entries(cloud: Cloud) -> list[tuple[str, str, str]]:
    """Return type, name and path of each service that this cloud has."""
    return [(kind, name, path) for kind, name, part, path in ENTRIES if part in cloud.services]


def endpoint_url(root: str, path: str, project_id: str) -> str:
    return root + path.format(project=project_id)


def catalog(cloud: Cloud, root: str, project_id: str) -> list[dict[str, Any]]:
    """Return the catalog of a token for a project; ``root`` is ``http://host:port``."""
    return [
        {
            "endpoints": [
                {
                    "id": stable_id(f"endpoint:{kind}:{interface}"),
                    "interface": interface,
                    "region": cloud.options.region,
                    "region_id": cloud.options.region,
                    "url": endpoint_url(root, path, project_id),
                }
                for interface in INTERFACES
            ],
            "type": kind,
            "id": stable_id(f"service:{kind}"),
            "name": name,
        }
        for kind, name, path in entries(cloud)
    ]
