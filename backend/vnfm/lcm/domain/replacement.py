"""Find settings that Heat can change only by replacing a server, subnet or port: no update changes their property.

Pure, from the HOT that Heat holds; Heat's own preview reports almost every resource as replaced.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from vnfm.catalog.domain.documents import parse_yaml

SERVER, SUBNET, PORT = "OS::Nova::Server", "OS::Neutron::Subnet", "OS::Neutron::Port"
NETWORK = "OS::Neutron::Net"
GROUP = "OS::Heat::ResourceGroup"
IN_PLACE: Mapping[str, frozenset[str]] = {
    SERVER: frozenset(
        {"name", "metadata", "networks", "admin_pass", "flavor", "flavor_update_policy", "image", "image_update_policy"}
    ),
    SUBNET: frozenset(
        {
            "name",
            "gateway_ip",
            "dns_nameservers",
            "allocation_pools",
            "host_routes",
            "enable_dhcp",
            "value_specs",
        }
    ),
}
"""Type → properties that Liberty's Heat updates in place: not the user data, as today's Heat can."""
FIXED_WHEN_PLUGGED: Mapping[str, frozenset[str]] = {PORT: frozenset({"binding:vnic_type"})}
"""Type → properties that Heat updates in place, but that a running VM keeps as they were when it was plugged."""
Json = Any
Files = Mapping[str, str]
Registry = Mapping[str, str]


def replaced_on_change(template: str, registry: Registry, files: Files) -> dict[str, str]:
    """Template parameter or registry type → type of the resource that Heat would replace for another value."""
    resources = _resources(template)
    found: dict[str, str] = {}
    for resource in resources.values():
        kind, properties = _type_and_properties(resource)
        nested = files.get(registry.get(kind, kind))
        reached = (
            replaced_on_change(nested, registry, files) if nested is not None else _not_updatable(kind, properties)
        )
        for name, replaced_type in reached.items():
            found |= dict.fromkeys(_sources(properties.get(name), resources), replaced_type)
            found |= {name: replaced_type} if name in registry else {}
    return found


def boot_properties(template: str, registry: Registry, files: Files) -> dict[str, Json]:
    """The properties that a server gets at boot and keeps, by their path in the HOT: data_path/server/user_data."""
    found: dict[str, Json] = {}
    for name, resource in _resources(template).items():
        kind, properties = _type_and_properties(resource)
        nested = files.get(registry.get(kind, kind))
        if nested is not None:
            found |= {f"{name}/{place}": value for place, value in boot_properties(nested, registry, files).items()}
        elif kind == SERVER:
            found |= {f"{name}/{one}": properties[one] for one in _not_updatable(kind, properties)}
    return found


def retained_types(template: str, registry: Registry, files: Files, *, inside: bool = False) -> frozenset[str]:
    """Types of resources that Heat leaves in the cloud when it deletes the stack (`deletion_policy: Retain`).

    A resource that is a nested stack retains all that is in it.
    """
    found: set[str] = set()
    for resource in _resources(template).values():
        retains = inside or str(resource.get("deletion_policy")).lower() == "retain"
        kind, _ = _type_and_properties(resource)
        nested = files.get(registry.get(kind, kind))
        if nested is not None:
            found |= retained_types(nested, registry, files, inside=retains)
        elif retains:
            found.add(kind)
    return frozenset(found)


@lru_cache(maxsize=64)
def _resources(template: str) -> Mapping[str, Json]:
    """Cached: one operation parses nested templates once for each of their users."""
    found: Mapping[str, Json] = parse_yaml("template", template.encode()).data.get("resources") or {}
    return found


def _type_and_properties(resource: Json) -> tuple[str, Mapping[str, Json]]:
    """A ResourceGroup has the type and properties of its members."""
    properties = resource.get("properties") or {}
    one = properties["resource_def"] if resource["type"] == GROUP else resource
    return one["type"], one.get("properties") or {}


def _not_updatable(kind: str, properties: Mapping[str, Json]) -> dict[str, str]:
    """Properties of one resource that cannot be changed in place → its type."""
    named = properties.keys()
    kept = named - IN_PLACE[kind] if kind in IN_PLACE else named & FIXED_WHEN_PLUGGED.get(kind, frozenset())
    return dict.fromkeys(kept, kind)


def _sources(value: Json, resources: Mapping[str, Json]) -> Iterator[str]:
    """The parameters that a value is computed from, and the types of the resources that it refers to."""
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
