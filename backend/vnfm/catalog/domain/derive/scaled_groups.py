"""Groups that Heat scales by itself (OS::Heat::AutoScalingGroup) as groups that the manager scales, and stacks of their
own (OS::Heat::Stack) as nested ones, whose servers the manager finds.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from vnfm.catalog.domain.derive.json_parameters import Declarations
from vnfm.catalog.domain.descriptor_checks import GROUP_TYPE
from vnfm.catalog.domain.hot.language import is_call
from vnfm.catalog.domain.hot.template import TEMPLATE_SUFFIXES, normalised

Json = dict[str, Any]
Notes = list[tuple[str, str]]
"""Resource and what was done with it, as a sentence."""
AUTOSCALING, STACK = "OS::Heat::AutoScalingGroup", "OS::Heat::Stack"
_POLICY = "OS::Heat::ScalingPolicy"
_ALARMS = ("OS::Ceilometer::", "OS::Aodh::", "OS::Monasca::")


def scale_by_manager(data: Json, declarations: Declarations | None) -> Notes:
    """AutoScalingGroups become ResourceGroups; Heat's scaling policies, and alarms that trigger them, are removed.

    With `declarations`, of the root, a size that is written into the template becomes a parameter.
    """
    resources: Json = data["resources"]
    notes: Notes = []
    counts: dict[str, Any] = {}
    for name in sorted(name for name, raw in resources.items() if _type(raw) == AUTOSCALING):
        group = resources[name]
        group["type"], group["properties"] = GROUP_TYPE, _group(name, _properties(group), declarations)
        counts[name] = group["properties"]["count"]
        notes.append((name, f"Heat would scale {name} itself; it is now an {GROUP_TYPE}, which the manager scales."))
    if counts:
        removed = dict(_policies_and_alarms(resources, set(counts)))
        for name in removed:
            del resources[name]
        _without_references(data, set(removed))
        notes += removed.items()
        for call in _attributes(data):
            _group_attribute(call, counts)
    return notes


def nest_stacks(data: Json) -> Notes:
    """Stacks of their own in the same region become nested stacks: their templates stand as types."""
    resources: Json = data["resources"]
    notes: Notes = []
    for name, raw in resources.items():
        properties = _properties(raw)
        template = properties.get("template")
        file = template.get("get_file") if isinstance(template, Mapping) else None
        here = _type(raw) == STACK and not properties.get("context")
        if here and isinstance(file, str) and file.endswith(TEMPLATE_SUFFIXES):
            raw["type"], raw["properties"] = file, properties.get("parameters") or {}
            notes.append((name, f"{name} is a stack of its own; it is now nested, so that its servers are managed."))
    nested = {name for name, _ in notes}
    for call in _attributes(data):
        name, *steps = call["get_attr"]
        if name in nested and steps[:1] == ["outputs"] and steps[1:]:
            call["get_attr"] = [name, *steps[1:]]
    return notes


def _group(name: str, properties: Mapping[str, Any], declarations: Declarations | None) -> Json:
    low, high = _number(properties.get("min_size", 1)), _number(properties.get("max_size", 1))
    count = properties.get("desired_capacity", properties.get("min_size", 1))
    size = _number(count)
    if declarations is not None and low is not None and high is not None:
        if is_call(count):
            declarations.bounds[repr(count.get("get_param"))] = {"min": low, "max": high}
        elif size is not None and high > low:
            count = {"get_param": declarations.count(name, size, low, high)}
    group: Json = {"count": count, "resource_def": properties.get("resource", {})}
    if declarations is not None and is_call(count):
        group["removal_policies"] = [{"resource_list": {"get_param": declarations.removals(name)}}]
    return group


def _policies_and_alarms(resources: Json, groups: set[str]) -> Iterator[tuple[str, str]]:
    policies = set()
    for name, raw in resources.items():
        group = _properties(raw).get("auto_scaling_group_id")
        if _type(raw) == _POLICY and isinstance(group, Mapping) and group.get("get_resource") in groups:
            policies.add(name)
            yield name, f"{name} is left out: only the manager scales the group."
    for name, raw in resources.items():
        if _type(raw).startswith(_ALARMS) and _references(raw, policies):
            yield name, f"{name} is left out: an auto-scaling policy of the manager does its work."


def _without_references(data: Json, removed: set[str]) -> None:
    """Outputs of what is left out go too, and nothing waits for it."""
    outputs = data.get("outputs")
    if isinstance(outputs, dict):
        data["outputs"] = {name: raw for name, raw in outputs.items() if not _references(raw, removed)}
    for raw in data["resources"].values():
        waits = raw.get("depends_on") if isinstance(raw, dict) else None
        if isinstance(waits, str | list):
            left = [name for name in ([waits] if isinstance(waits, str) else waits) if name not in removed]
            raw["depends_on"] = left


def _group_attribute(call: Json, counts: Mapping[str, Any]) -> None:
    """The attribute of a ResourceGroup for that of an AutoScalingGroup."""
    name, *rest = call["get_attr"]
    if name not in counts or not rest:
        return
    if rest[0] == "outputs_list":
        call["get_attr"] = [name, *rest[1:]]
    elif rest[0] == "outputs" and len(rest) > 1:
        call["get_attr"] = [name, "attributes", *rest[1:]]
    elif rest[0] == "current_size":
        del call["get_attr"]
        call.update(counts[name] if is_call(counts[name]) else {"list_join": ["", [str(counts[name])]]})


def _attributes(value: Any) -> Iterator[Json]:
    """Every get_attr with its path as a list."""
    if isinstance(value, dict) and len(value) == 1 and isinstance(value.get("get_attr"), list) and value["get_attr"]:
        yield value
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for child in list(children):
        yield from _attributes(child)


def _references(value: Any, names: set[str]) -> bool:
    if isinstance(value, Mapping):
        for function in ("get_attr", "get_resource"):
            argument = value.get(function)
            first = argument[0] if isinstance(argument, list) and argument else argument
            if isinstance(first, str) and first in names:
                return True
        return any(_references(child, names) for child in value.values())
    return isinstance(value, list) and any(_references(child, names) for child in value)


def _type(raw: Any) -> str:
    return str(raw.get("type", "")) if isinstance(raw, Mapping) else ""


def _properties(raw: Any) -> Mapping[str, Any]:
    found = raw.get("properties") if isinstance(raw, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _number(value: Any) -> int | None:
    read = normalised("number", value)
    return read if isinstance(read, int) and not isinstance(read, bool) else None
