"""The extensions that a Liberty ML2 cloud with router, security groups and LBaaS v1 lists."""

from __future__ import annotations

_NAMES = {
    "agent": "agent",
    "allowed-address-pairs": "Allowed Address Pairs",
    "availability_zone": "Availability Zone",
    "binding": "Port Binding",
    "dns-integration": "DNS Integration",
    "ext-gw-mode": "Neutron L3 Configurable external gateway mode",
    "external-net": "Neutron external network",
    "extra_dhcp_opt": "Neutron Extra DHCP opts",
    "extraroute": "Neutron Extra Route",
    "lbaas": "LoadBalancing service",
    "lbaas_agent_scheduler": "Loadbalancer Agent Scheduler",
    "multi-provider": "Multi Provider Network",
    "net-mtu": "Network MTU",
    "port-security": "Port Security",
    "provider": "Provider Network",
    "quotas": "Quota management support",
    "router": "Neutron L3 Router",
    "security-group": "security-group",
    "service-type": "Neutron Service Type Management",
}

EXTENSIONS = [
    {
        "alias": alias,
        "name": name,
        "description": name,
        "updated": "2015-01-01T10:00:00-00:00",
        "links": [],
    }
    for alias, name in _NAMES.items()
]
