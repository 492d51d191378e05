"""The extensions that Liberty's Nova lists, and for which clients look."""

from __future__ import annotations

_ALIASES = (
    "OS-DCF",
    "OS-EXT-AZ",
    "OS-EXT-IPS",
    "OS-EXT-IPS-MAC",
    "OS-EXT-SRV-ATTR",
    "OS-EXT-STS",
    "OS-FLV-DISABLED",
    "OS-FLV-EXT-DATA",
    "OS-SCH-HNT",
    "OS-SRV-USG",
    "os-aggregates",
    "os-attach-interfaces",
    "os-availability-zone",
    "os-config-drive",
    "os-console-output",
    "os-evacuate",
    "os-extended-volumes",
    "os-flavor-access",
    "os-flavor-extra-specs",
    "os-flavor-manage",
    "os-hypervisors",
    "os-instance-actions",
    "os-keypairs",
    "os-personality",
    "os-quota-sets",
    "os-server-groups",
    "os-services",
    "os-user-data",
)

EXTENSIONS = [
    {
        "alias": alias,
        "name": alias,
        "description": "",
        "namespace": "http://docs.openstack.org/compute/ext/fake_xml",
        "updated": "2014-12-03T00:00:00Z",
        "links": [],
    }
    for alias in _ALIASES
]
