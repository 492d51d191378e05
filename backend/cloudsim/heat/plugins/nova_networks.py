"""A server's interfaces: the boot request, later changes, and the hand-over of ports at a replacement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.heat.engine.client import CloudError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cloudsim.heat.engine.handle import Handle
    from hot.functions import Json

_OWN = "internal_ports"
_HANDED = "handed_ports"
_DETACH_WAIT = 30.0


class ServerNetworks:
    """The `networks` property of one server."""

    def __init__(self, res: Handle) -> None:
        self._res, self._lookup = res, res.engine.lookup(res.client)

    async def requested(self, networks: Iterable[Mapping[str, Json]]) -> list[dict[str, Json]]:
        """Return Nova's `networks` in order; for a named subnet Heat creates the port itself."""
        return [await self._one(network) for network in networks]

    async def _one(self, network: Mapping[str, Json]) -> dict[str, Json]:
        if network.get("port"):
            return {"port": await self._lookup.neutron("port", network["port"])}
        if network.get("subnet"):
            return {"port": await self._make_port(network)}
        ident = await self._lookup.neutron("network", network.get("network") or network["uuid"])
        fixed = {"fixed_ip": network["fixed_ip"]} if network.get("fixed_ip") else {}
        return {"uuid": ident, **fixed}

    async def _make_port(self, network: Mapping[str, Json]) -> str:
        fixed_ip: dict[str, Json] = {}
        if network.get("subnet"):
            fixed_ip["subnet_id"] = await self._lookup.neutron("subnet", network["subnet"])
        if network.get("fixed_ip"):
            fixed_ip["ip_address"] = network["fixed_ip"]
        own = self._res.data.setdefault(_OWN, [])
        body: dict[str, Json] = {"name": f"{self._res.physical_name()}-port-{len(own)}"}
        body["network_id"] = await self._network_of(network, fixed_ip)
        if fixed_ip:
            body["fixed_ips"] = [fixed_ip]
        port: str = (await self._res.client.post("network", "/ports", {"port": body}))["port"]["id"]
        own.append(port)
        self._res.save()
        return port

    async def _network_of(self, network: Mapping[str, Json], fixed_ip: Mapping[str, Json]) -> str:
        if network.get("network") or network.get("uuid"):
            return await self._lookup.neutron("network", network.get("network") or network["uuid"])
        subnet = await self._res.client.get("network", f"/subnets/{fixed_ip['subnet_id']}")
        return str(subnet["subnet"]["network_id"])

    async def drop_own_ports(self) -> None:
        """Delete the ports that Heat has created."""
        for port in self._res.data.pop(_OWN, []):
            await self._res.client.remove("network", f"/ports/{port}")

    async def change_to(self, networks: list[Mapping[str, Json]]) -> None:
        """Detach removed networks and attach new ones; the others stay attached."""
        path = f"/servers/{self._res.physical}/os-interface"
        wanted = await self.requested(networks)
        plugged = (await self._res.client.get("compute", path))["interfaceAttachments"]
        for one in list(plugged):
            match = next((ask for ask in wanted if _satisfies(one, ask)), None)
            if match:
                wanted.remove(match)
            else:
                await self._res.client.remove("compute", f"{path}/{one['port_id']}")
                await _wait_detached(self._res, one["port_id"])
        for ask in wanted:
            await self._res.client.post("compute", path, {"interfaceAttachment": _attachment(ask)})

    async def live(self, server: Mapping[str, Json], name: str) -> dict[str, Json]:
        """Return `networks` or `addresses` by network name and by network id."""
        interfaces = await self._res.client.get("compute", f"/servers/{self._res.physical}/os-interface")
        by_address = {
            (fixed["ip_address"], one["mac_addr"]): one
            for one in interfaces["interfaceAttachments"]
            for fixed in one["fixed_ips"]
        }
        live: dict[str, Json] = {}
        for network, addresses in server["addresses"].items():
            found = [by_address.get((one["addr"], one.get("OS-EXT-IPS-MAC:mac_addr"))) for one in addresses]
            if name == "networks":
                entry: Json = [one["addr"] for one in addresses]
            else:
                entry = [{**one, "port": at and at["port_id"]} for one, at in zip(addresses, found, strict=True)]
            live[network] = entry
            live |= {at["net_id"]: entry for at in found if at}
        return live


def _satisfies(plugged: Mapping[str, Json], ask: Mapping[str, Json]) -> bool:
    if "port" in ask:
        return bool(plugged["port_id"] == ask["port"])
    addresses = [fixed["ip_address"] for fixed in plugged["fixed_ips"]]
    return bool(plugged["net_id"] == ask["uuid"]) and ("fixed_ip" not in ask or ask["fixed_ip"] in addresses)


def _attachment(ask: Mapping[str, Json]) -> dict[str, Json]:
    if "port" in ask:
        return {"port_id": ask["port"]}
    body: dict[str, Json] = {"net_id": ask["uuid"]}
    if "fixed_ip" in ask:
        body["fixed_ips"] = [{"ip_address": ask["fixed_ip"]}]
    return body


async def detach_all(res: Handle) -> None:
    """Detach the ports of a server that will be replaced, unless it is in ERROR or unknown to Nova."""
    if not res.physical:
        return
    reply = await res.client.find("compute", f"/servers/{res.physical}")
    if reply is None or reply["server"]["status"] == "ERROR":
        return
    path = f"/servers/{res.physical}/os-interface"
    ports = [one["port_id"] for one in (await res.client.get("compute", path))["interfaceAttachments"]]
    res.data[_HANDED] = ports
    for port in ports:
        await res.client.remove("compute", f"{path}/{port}")
        await _wait_detached(res, port)


async def attach_all(res: Handle) -> None:
    """Attach a server's ports again in a rollback."""
    for port in res.data.pop(_HANDED, []):
        try:
            body = {"interfaceAttachment": {"port_id": port}}
            await res.client.post("compute", f"/servers/{res.physical}/os-interface", body)
        except CloudError as error:
            if not error.gone:
                raise


async def _wait_detached(res: Handle, port: str) -> None:
    deadline = res.engine.cloud.clock.time() + _DETACH_WAIT
    while res.engine.cloud.clock.time() < deadline:
        reply = await res.client.find("network", f"/ports/{port}")
        if reply is None or reply["port"]["device_id"] != res.physical:
            return
        await res.engine.cloud.bus.wait("port", port, _DETACH_WAIT)
