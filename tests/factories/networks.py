from typing import Any

from openstack.connection import Connection


def make_network(cloud: Connection, name: str, cidr: str, **attributes: Any) -> str:
    """A network with one subnet, not made by the product; its id."""
    network = cloud.network.create_network(name=name, **attributes)
    cloud.network.create_subnet(network_id=network.id, name=name, ip_version=4, cidr=cidr, enable_dhcp=False)
    return str(network.id)
