"""Writes vnfm/catalog/domain/hot/heat.json from the openstack-heat that is installed beside it:

    python3 -m venv /tmp/heat && /tmp/heat/bin/pip install openstack-heat==24.1.2
    /tmp/heat/bin/python tools/heat_schemas.py > vnfm/catalog/domain/hot/heat.json

Every property and attribute of Heat says since which release it is supported; what is older than Mitaka (6) Liberty
has, too. What Liberty had and a current Heat no longer has, or where it allowed less, is listed below.
"""

import importlib
import json
import re
import sys
from collections.abc import Mapping
from typing import Any

LIBERTY = 5
GONE_SINCE = (
    "OS::Ceilometer::Alarm",
    "OS::Ceilometer::CombinationAlarm",
    "OS::Ceilometer::GnocchiAggregationByMetricsAlarm",
    "OS::Ceilometer::GnocchiAggregationByResourcesAlarm",
    "OS::Ceilometer::GnocchiResourcesAlarm",
    "OS::Neutron::HealthMonitor",
    "OS::Neutron::LoadBalancer",
    "OS::Neutron::Pool",
    "OS::Neutron::PoolMember",
    "OS::Nova::FloatingIP",
    "OS::Nova::FloatingIPAssociation",
)
"""Read in heat/engine/resources of Heat 5.0."""
RENAMED = {"OS::Aodh::": 6}
"""Types that took over from others, whose age is what their status tells: OS::Ceilometer's, in Mitaka."""
NARROWER_IN_LIBERTY: Mapping[str, list[str]] = {
    "OS::Neutron::Port/binding:vnic_type": ["normal", "direct", "macvtap"],
    "OS::Nova::ServerGroup/policies": ["anti-affinity", "affinity"],
    "OS::Nova::Server/user_data_format": ["HEAT_CFNTOOLS", "RAW", "SOFTWARE_CONFIG"],
}
_LETTERS = {"Integer": "i", "Number": "n", "Boolean": "b", "Map": "m", "List": "l", "Any": "a"}
_REPLACED = re.compile(r"[Uu]se (?:the )?(?:property )?[\"']?(\w+)[\"']?")


def since(status: Any) -> int:
    """The release that brought it, 0 for Liberty and before; a deprecation tells when that began, not the thing."""
    while status.previous_status is not None:
        status = status.previous_status
    version = str(status.version or "") if status.status == "SUPPORTED" else ""
    major = int(version.split(".")[0]) if version[:1].isdigit() else 0
    return major if LIBERTY < major < 2000 else 0  # noqa: PLR2004 (2015.1 is how Kilo was numbered)


def property_of(schema: Any, siblings: Mapping[str, Any], path: str) -> dict[str, Any]:
    """One property, with short keys and without what is usual: see `vnfm.catalog.domain.hot.schemas`."""
    allowed = next((list(c.allowed) for c in schema.constraints if type(c).__name__ == "AllowedValues"), [])
    inner = schema.schema
    members = element = None
    if schema.type == "Map" and inner:
        members = {name: property_of(child, inner, f"{path}/{name}") for name, child in sorted(inner.items())}
    elif schema.type == "List" and inner is not None:
        first = inner["*"] if isinstance(inner, Mapping) and "*" in inner else inner
        element = property_of(first, {}, path)
    used = _REPLACED.search(str(schema.support_status.message or ""))
    row = {
        "t": _LETTERS.get(schema.type),
        "r": 1 if schema.required else None,
        "s": since(schema.support_status) or None,
        "v": allowed or None,
        "v5": NARROWER_IN_LIBERTY.get(path) if allowed else None,
        "p": members,
        "e": element,
        "for": used[1] if used and used[1] in siblings and schema.support_status.status != "SUPPORTED" else None,
    }
    return {key: value for key, value in row.items() if value is not None}


def type_of(name: str, kind: Any) -> dict[str, Any]:
    properties = {
        key: property_of(schema, kind.properties_schema, f"{name}/{key}")
        for key, schema in sorted(kind.properties_schema.items())
        if schema.implemented
    }
    attributes = {**kind.base_attributes_schema, **kind.attributes_schema}
    late = {key: since(schema.support_status) for key, schema in sorted(attributes.items())}
    renamed = next((release for prefix, release in RENAMED.items() if name.startswith(prefix)), 0)
    row = {
        "s": max(since(kind.support_status), renamed) or None,
        "p": properties or None,
        "a": sorted(attributes) or None,
        "as": {key: release for key, release in late.items() if release} or None,
    }
    return {key: value for key, value in row.items() if value is not None}


def main() -> None:
    """Every type of Heat's own under OS::, one a line, so that another release shows in a diff by types."""
    importlib.import_module("oslo_config.cfg").CONF([], project="heat", default_config_files=[])
    importlib.import_module("heat.engine.clients").initialise()
    plugins = importlib.import_module("heat.engine.plugin_manager")
    manager = plugins.PluginManager("heat.engine.resources")
    types: dict[str, dict[str, Any]] = {name: {"gone": True} for name in GONE_SINCE}
    for name, kind in plugins.PluginMapping(["available_resource", "resource"]).load_all(manager):
        if name.startswith("OS::"):
            # What was given up stays as a name, so that old stacks can be deleted.
            given_up = kind.support_status.status == "HIDDEN" and not kind.properties_schema
            types[name] = {**type_of(name, kind), "gone": True} if given_up else type_of(name, kind)
    release = importlib.import_module("importlib.metadata").version("openstack-heat")
    lines = [f"{json.dumps(name)}:{json.dumps(row, separators=(',', ':'))}" for name, row in sorted(types.items())]
    sys.stdout.write(f'{{"heat":{json.dumps(release)},"types":{{\n' + ",\n".join(lines) + "\n}}\n")


if __name__ == "__main__":
    main()
