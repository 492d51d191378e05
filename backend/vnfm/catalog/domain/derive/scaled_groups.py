"""Groups that Heat scales by itself (OS::Heat::AutoScalingGroup), and resources that another manager copies, as groups
that the manager scales; stacks of their own (OS::Heat::Stack) as nested ones, whose servers the manager finds.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hot.language import is_call
from vnfm.catalog.domain.derive.json_parameters import Declarations
from vnfm.catalog.domain.descriptor_checks import GROUP_TYPE
from vnfm.catalog.domain.hot.template import TEMPLATE_SUFFIXES, normalised

Json = dict[str, Any]
Notes = list[tuple[str, str]]
"""Resource and what was done with it, as a sentence."""
AUTOSCALING, STACK = "OS::Heat::AutoScalingGroup", "OS::Heat::Stack"
_POLICY = "OS::Heat::ScalingPolicy"
_ALARMS = ("OS::Ceilometer::", "OS::Aodh::", "OS::Monasca::")


@dataclass(frozen=True, slots=True)
class GroupSize:
    """Members of a group: the fewest, the most, and how many there are at first."""

    low: int
    high: int
    start: int


def group_copied(data: Json, sizes: Mapping[str, GroupSize], declarations: Declarations) -> Notes:
    """Nested templates of the root that another manager copies for each VNFC become groups of these sizes, by resource.

    One that other resources refer to stays: they mean a single member.
    """
    resources: Json = data["resources"]
    notes: Notes = []
    for name, size in sizes.items():
        raw = resources[name]
        others = [other for key, other in resources.items() if key != name]
        if not _type(raw).endswith(TEMPLATE_SUFFIXES) or _references(others, {name}):
            continue
        member = {key: raw.pop(key) for key in ("type", "properties") if key in raw}
        count = declarations.count(name, size.start, size.low, size.high)
        removals = {"resource_list": {"get_param": declarations.removals(name)}}
        properties = {"count": {"get_param": count}, "resource_def": member, "removal_policies": [removals]}
        resources[name] = {"type": GROUP_TYPE, "properties": properties, **raw}
        message = (
            f"{name} is one resource, which another manager copies for each VNFC; it is now an {GROUP_TYPE} of "
            f"{size.low} to {size.high}, as SOL001 scales it."
        )
        notes.append((name, message))
    return notes


def scale_by_manager(data: Json, declarations: Declarations | None) -> Notes:
    """AutoScalingGroups become ResourceGroups; Heat's scaling policies, and alarms that trigger them, are removed.

    With `declarations`, of the root, a size that is written into the template becomes a parameter.
    """
    resources: Json = data["resources"]
    notes: Notes = []
    counts: dict[str, Any] = {}
    for name in sorted(name for name, raw in resources.items() if _is_scaled_by_heat(raw)):
        group = resources[name]
        group["type"], group["properties"] = GROUP_TYPE, _group(name, _properties(group), declarations)
        counts[name] = group["properties"]["count"]
        notes.append((name, f"Heat would scale {name} itself; it is now an {GROUP_TYPE}, which the manager scales."))
    if counts:
        removed = dict(_policies_and_alarms(resources, set(counts)))
        for name in removed:
            del resources[name]
        notes += [*removed.items(), *_without_references(data, set(removed))]
        for call in _attributes(data):
            _group_attribute(call, counts)
    return notes


def _is_scaled_by_heat(raw: Any) -> bool:
    """Return False also where its size is not a number: it stays as written, and the validation reports it."""
    sizes = (_properties(raw).get(key, 1) for key in ("desired_capacity", "min_size", "max_size"))
    return _type(raw) == AUTOSCALING and all(is_call(size) or _number(size) is not None for size in sizes)


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
    triggers, removed = policies, set(policies)
    while triggers:  # alarms, and what is between an alarm and its policy
        triggers = {n for n, raw in resources.items() if _type(raw).startswith(_ALARMS) and _references(raw, triggers)}
        triggers -= removed
        removed |= triggers
        for name in sorted(triggers):
            yield name, f"{name} is left out: an auto-scaling policy of the manager does its work."


def _without_references(data: Json, removed: set[str]) -> Iterator[tuple[str, str]]:
    """Outputs of what is left out go too, nothing waits for it, and what reads from it reads an empty text."""
    outputs = data.get("outputs")
    if isinstance(outputs, dict):
        data["outputs"] = {name: raw for name, raw in outputs.items() if not _references(raw, removed)}
    for name, raw in data["resources"].items():
        waits = raw.get("depends_on") if isinstance(raw, dict) else None
        if isinstance(waits, str | list):
            left = [name for name in ([waits] if isinstance(waits, str) else waits) if name not in removed]
            raw["depends_on"] = left
        for call in list(_references_in(raw, removed)):
            _write(call, "")
            yield name, f"{name} gets an empty text instead of what it would read from a resource that is left out."


def _write(call: Json, text: str) -> None:
    """A text instead of a call, by a function that all versions of HOT have."""
    call.clear()
    call["str_replace"] = {"template": text, "params": {}}


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
        if is_call(counts[name]):
            call.clear()
            call.update(counts[name])
        else:
            _write(call, str(counts[name]))


def _attributes(value: Any) -> Iterator[Json]:
    """Every get_attr with its path as a list."""
    if isinstance(value, dict) and len(value) == 1 and isinstance(value.get("get_attr"), list) and value["get_attr"]:
        yield value
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for child in list(children):
        yield from _attributes(child)


def _references(value: Any, names: set[str]) -> bool:
    return any(True for _ in _references_in(value, names))


def _references_in(value: Any, names: set[str]) -> Iterator[Json]:
    """Every get_attr and get_resource of these resources."""
    if isinstance(value, dict):
        for function in ("get_attr", "get_resource"):
            argument = value.get(function)
            first = argument[0] if isinstance(argument, list) and argument else argument
            if isinstance(first, str) and first in names:
                yield value
                return
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for child in children:
        yield from _references_in(child, names)


def _type(raw: Any) -> str:
    return str(raw.get("type", "")) if isinstance(raw, Mapping) else ""


def _properties(raw: Any) -> Mapping[str, Any]:
    found = raw.get("properties") if isinstance(raw, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _number(value: Any) -> int | None:
    read = normalised("number", value)
    return read if isinstance(read, int) and not isinstance(read, bool) else None
