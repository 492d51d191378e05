"""What Heat could only make anew: settings that reach a property which no update changes under a VM that runs.

Pure, from the HOT that Heat holds; its own preview calls almost everything replaced.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from vnfm.catalog.domain.documents import parse_yaml

SERVER, SUBNET, PORT = "OS::Nova::Server", "OS::Neutron::Subnet", "OS::Neutron::Port"
GROUP = "OS::Heat::ResourceGroup"
IN_PLACE: Mapping[str, frozenset[str]] = {
    SERVER: frozenset(
        {
            *("name", "metadata", "networks", "admin_pass"),
            *("flavor", "flavor_update_policy", "image", "image_update_policy"),
        }
    ),
    SUBNET: frozenset(
        {
            *("name", "gateway_ip", "dns_nameservers", "allocation_pools", "host_routes", "enable_dhcp"),
            "value_specs",
        }
    ),
}
"""By type, the properties that Liberty's Heat updates in place: not the user data, as today's Heat can."""
PLUGGED: Mapping[str, frozenset[str]] = {PORT: frozenset({"binding:vnic_type"})}
"""By type, the properties that Heat does update in place, and a running VM keeps from when its NIC was plugged in."""
Json = Any
Files = Mapping[str, str]
Registry = Mapping[str, str]


def made_anew(template: str, registry: Registry, files: Files) -> dict[str, str]:
    """Parameter of the template, or type of the registry, to the type of what Heat would replace for another one."""
    resources = _resources(template)
    found: dict[str, str] = {}
    for resource in resources.values():
        kind, properties = _single(resource)
        nested = files.get(registry.get(kind, kind))
        reached = made_anew(nested, registry, files) if nested is not None else _fixed(kind, properties)
        for name, what in reached.items():
            found |= dict.fromkeys(_sources(properties.get(name), resources), what)
            found |= {name: what} if name in registry else {}
    return found


def booted(template: str, registry: Registry, files: Files) -> dict[str, Json]:
    """What servers are made with and keep, as the HOT has it, by its place there: data_path/server/user_data."""
    found: dict[str, Json] = {}
    for name, resource in _resources(template).items():
        kind, properties = _single(resource)
        nested = files.get(registry.get(kind, kind))
        if nested is not None:
            found |= {f"{name}/{place}": value for place, value in booted(nested, registry, files).items()}
        elif kind == SERVER:
            found |= {f"{name}/{one}": properties[one] for one in _fixed(kind, properties)}
    return found


@lru_cache(maxsize=64)
def _resources(template: str) -> Mapping[str, Json]:
    """Remembered: one operation asks several times, of nested templates for each of their users."""
    found: Mapping[str, Json] = parse_yaml("template", template.encode()).data.get("resources") or {}
    return found


def _single(resource: Json) -> tuple[str, Mapping[str, Json]]:
    """Type and properties; of a group those of its members."""
    properties = resource.get("properties") or {}
    one = properties["resource_def"] if resource["type"] == GROUP else resource
    return one["type"], one.get("properties") or {}


def _fixed(kind: str, properties: Mapping[str, Json]) -> dict[str, str]:
    """Properties of one resource that cannot be changed in place."""
    named = properties.keys()
    kept = named - IN_PLACE[kind] if kind in IN_PLACE else named & PLUGGED.get(kind, frozenset())
    return dict.fromkeys(kept, kind)


def _sources(value: Json, resources: Mapping[str, Json]) -> Iterator[str]:
    """The parameters that a value is made of, and the types of the resources that it is taken from."""
    if isinstance(value, list):
        for item in value:
            yield from _sources(item, resources)
    if not isinstance(value, Mapping):
        return
    for function, argument in value.items():
        head = argument[0] if isinstance(argument, list) and argument else argument
        if function == "get_param" and isinstance(head, str):
            yield head
        if function in ("get_attr", "get_resource") and head in resources:
            yield resources[head]["type"]
            yield from _sources(resources[head].get("properties"), resources)
        yield from _sources(argument, resources)
