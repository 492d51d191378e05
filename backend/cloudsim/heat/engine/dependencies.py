"""The dependencies of a stack's resources: those of its template, and those that Heat adds by type.

The latter follow `add_dependencies` of Heat's resource types, which compares the current property values: a reference
is the name of the resource until it has an id, and an attribute of a missing resource is None.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from cloudsim.heat.errors import EntityNotFound, HeatError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cloudsim.heat.engine.stack import Stack
    from hot.functions import Json

SUBNET, PORT = "OS::Neutron::Subnet", "OS::Neutron::Port"
ROUTER, LEG, GATEWAY = "OS::Neutron::Router", "OS::Neutron::RouterInterface", "OS::Neutron::RouterGateway"


class _Same(NamedTuple):
    """The rule that the dependent's value at `own` equals the value at `its` of a resource of type `other`."""

    own: str
    other: str
    its: str


_SAME: Mapping[str, tuple[_Same, ...]] = {
    PORT: (_Same("network", SUBNET, "network"),),
    "OS::Nova::Server": (_Same("networks.network", SUBNET, "network"), _Same("networks.uuid", SUBNET, "network")),
    ROUTER: (_Same("external_gateway_info.network", SUBNET, "network"),),
    GATEWAY: (_Same("router_id", LEG, "router"), _Same("network", SUBNET, "network")),
    "OS::Neutron::FloatingIP": (
        _Same("floating_network", GATEWAY, "network"),
        _Same("floating_network", ROUTER, "external_gateway_info.network"),
    ),
    "OS::Neutron::ExtraRoute": (_Same("router_id", LEG, "router"), _Same("router_id", GATEWAY, "router_id")),
}
_FLOATING = ("OS::Neutron::FloatingIP", "OS::Neutron::FloatingIPAssociation")
_WAITED_FOR = {same.other for rules in _SAME.values() for same in rules}


async def arrange(stack: Stack) -> Mapping[str, set[str]]:
    """Set and return `stack.requires`; as in Heat, rules of types without an available value are skipped."""
    template = stack.template
    stack.requires = {name: template.requires(name) for name in template.resources}
    kinds = _Kinds(stack)
    if kinds.any_of(_WAITED_FOR):
        for name in template.resources:
            try:
                stack.requires[name] |= await _implicit(stack, kinds, name)
            except (HeatError, KeyError, TypeError, ValueError):
                continue
    return stack.requires


async def _implicit(stack: Stack, kinds: _Kinds, name: str) -> set[str]:
    needs = set()
    own_type = kinds.implementation[name]
    for same in _SAME.get(own_type, ()):
        wanted = await _values(stack, name, same.own)
        for other in kinds.of(same.other):
            if other != name and set(wanted) & set(await _values(stack, other, same.its)):
                needs.add(other)
    if own_type in _FLOATING:
        ports = [other for other in stack.requires[name] if PORT in kinds.interfaces[other]]
        by_network = own_type == _FLOATING[0]
        subnets = {one for port in ports for one in await _subnets(stack, port, by_network=by_network)}
        for leg in kinds.of(LEG):
            if subnets & {*await _values(stack, leg, "subnet")}:
                needs.add(leg)
    return needs


async def _subnets(stack: Stack, port: str, *, by_network: bool) -> list[Json]:
    """Return the subnet of the port's first address; without addresses, the subnets of its network if known."""
    given = await _property(stack, port, "fixed_ips")
    if given:
        return [given[0].get("subnet") or given[0].get("subnet_id")]
    if not by_network:
        return []
    network = await _property(stack, port, "network")
    reply = await stack.client.get("network", f"/networks/{network}")
    return list(reply["network"]["subnets"])


async def _values(stack: Stack, name: str, path: str) -> list[Json]:
    """Return a property's values: for a dotted `path` those below its map, or below each map of its list."""
    top, _, inner = path.partition(".")
    value = await _property(stack, name, top)
    if not inner:
        return [value]
    maps = value if isinstance(value, list) else [value]
    return [one[inner] for one in maps if isinstance(one, dict) and one.get(inner)]


async def _property(stack: Stack, name: str, top: str) -> Json:
    definition = stack.template.resources[name]
    plugin = stack.engine.plugin_for(stack, definition.type, name)
    return await stack.resolve(plugin.translate(definition.properties).get(top))


class _Kinds:
    """The types of a stack's resources: the implementing one, and those as which rules accept it."""

    def __init__(self, stack: Stack) -> None:
        self.implementation: dict[str, str] = {}
        self.interfaces: dict[str, set[str]] = {}
        self._named: dict[str, list[str]] = defaultdict(list)
        for name, definition in stack.template.resources.items():
            try:
                built_in = getattr(stack.engine.plugin_for(stack, definition.type, name), "type_name", "")
            except (EntityNotFound, HeatError):
                built_in = ""
            self.implementation[name] = built_in
            self.interfaces[name] = {definition.type, built_in}
            for kind in self.interfaces[name]:
                self._named[kind].append(name)

    def of(self, kind: str) -> Iterator[str]:
        yield from self._named.get(kind, ())

    def any_of(self, kinds: set[str]) -> bool:
        return any(kind in self._named for kind in kinds)
