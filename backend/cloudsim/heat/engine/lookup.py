"""Look-up of names and ids in the cloud, for custom constraints and references."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING, Any

from cloudsim.heat.errors import EntityNotFound, HeatError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cloudsim.heat.engine.client import Client

_NEUTRON = {
    "network": "networks",
    "subnet": "subnets",
    "port": "ports",
    "router": "routers",
    "security_group": "security-groups",
}
_MAC = re.compile(r"([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}")


class PhysicalResourceNameAmbiguity(HeatError):
    def __init__(self, name: str) -> None:
        super().__init__(f"Multiple physical resources were found with name ({name}).")


class Lookup:
    """Looks up objects of the other services in the name of a stack's owner."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def problem(self, kind: str, value: str) -> str | None:
        """Implement CloudLookup; an unknown kind of constraint is also a problem."""
        finder = _FINDERS.get(kind)
        if finder is None:
            return _local_problem(kind, value)
        try:
            await finder(self, value)
        except HeatError as missing:
            return str(missing)
        return None

    async def flavor(self, value: str) -> str:
        """Flavor id of a name or id; raises EntityNotFound."""
        reply = await self._client.get("compute", "/flavors/detail", {"is_public": "None"})
        return _pick(reply["flavors"], value, "Flavor")

    async def image(self, value: str) -> str:
        """Image id of a name or id; raises EntityNotFound."""
        found = await self._client.find("image", f"/images/{value}")
        if found:
            return str(found["id"])
        reply = await self._client.get("image", "/images", {"name": value})
        return _pick([image for image in reply["images"] if image.get("name") == value], value, "Image")

    async def keypair(self, value: str) -> str:
        """Key pair name; raises EntityNotFound."""
        if await self._client.find("compute", f"/os-keypairs/{value}") is None:
            raise EntityNotFound("Key", value)
        return value

    async def server(self, value: str) -> str:
        """Server id; raises EntityNotFound."""
        if await self._client.find("compute", f"/servers/{value}") is None:
            raise EntityNotFound("Server", value)
        return value

    async def neutron(self, kind: str, value: str) -> str:
        """Id of a network, subnet, port, router or security group by name or id."""
        collection = _NEUTRON[kind]
        for key in ("id", "name"):
            reply = await self._client.get("network", f"/{collection}", {key: value})
            found = [one for one in next(iter(reply.values())) if one.get(key) == value]
            if len(found) == 1:
                return str(found[0]["id"])
            if found:
                raise HeatError(f"Multiple {kind} matches found for name '{value}', use an ID to be more specific.")
        raise HeatError(f"Unable to find {kind} with name or id '{value}'")

    async def volume(self, value: str) -> str:
        """Volume id; raises EntityNotFound."""
        if await self._client.find("volume", f"/volumes/{value}") is None:
            raise EntityNotFound("Volume", value)
        return value

    async def volume_type(self, value: str) -> str:
        """Volume type id of a name or id; raises EntityNotFound."""
        reply = await self._client.get("volume", "/types")
        return _pick(reply["volume_types"], value, "VolumeType")

    async def volume_snapshot(self, value: str) -> str:
        """Raise EntityNotFound, as this cloud does not offer snapshots to Heat."""
        raise EntityNotFound("VolumeSnapshot", value)

    async def volume_backup(self, value: str) -> str:
        """Raise EntityNotFound, as this cloud does not have backups."""
        raise EntityNotFound("Volume backup", value)


def _pick(found: list[dict[str, Any]], value: str, entity: str) -> str:
    for one in found:
        if one["id"] == value:
            return value
    named = [one for one in found if one.get("name") == value]
    if not named:
        raise EntityNotFound(entity, value)
    if len(named) > 1:
        raise PhysicalResourceNameAmbiguity(value)
    return str(named[0]["id"])


def _local_problem(kind: str, value: str) -> str | None:
    try:
        if kind == "ip_addr":
            ipaddress.ip_address(value)
        elif kind == "net_cidr":
            ipaddress.ip_network(value, strict=False)
        elif kind == "mac_addr":
            return None if _MAC.fullmatch(value) else "Invalid MAC address."
        elif kind in ("iso_8601", "cron_expression", "timezone", "test_constr"):
            return None
        else:
            return f"Could not find constraint {kind}"
    except ValueError:
        return "Invalid IP address" if kind == "ip_addr" else f"Invalid net cidr invalid IPNetwork {value} "
    return None


def _neutron(kind: str) -> Callable[[Lookup, str], Awaitable[str]]:
    return lambda lookup, value: lookup.neutron(kind, value)


_FINDERS: dict[str, Callable[[Lookup, str], Awaitable[str]]] = {
    "nova.flavor": Lookup.flavor,
    "nova.keypair": Lookup.keypair,
    "nova.server": Lookup.server,
    "glance.image": Lookup.image,
    "cinder.volume": Lookup.volume,
    "cinder.vtype": Lookup.volume_type,
    "cinder.snapshot": Lookup.volume_snapshot,
    "cinder.backup": Lookup.volume_backup,
    **{f"neutron.{kind}": _neutron(kind) for kind in _NEUTRON},
}
