"""What the environment's resource_registry makes of a type (ResourceRegistry in heat/engine/environment.py)."""

from collections.abc import Collection, Mapping

from vnfm.catalog.domain.hot.schemas import resource_type

_LONGEST = 5
"""Longest chain of type aliases; a longer one is a cycle."""


def resolved_types(kind: str, name: str, aliases: Mapping[str, str], templates: Collection[str]) -> list[str]:
    """The type of the resource `name`, and those that the registry maps it to one after the other.

    `aliases` are its entries that name types, `templates` the types that it maps to files; those of one resource alone
    have its name before the type. Heat takes the entry of the resource, else the first by name, so that `OS::Nova::*`
    counts before `OS::Nova::Server`. A wildcard that leads to no type does not count.
    """
    chain = [kind]
    while len(chain) <= _LONGEST:
        kind = chain[-1]
        single = f"{name}/{kind}"
        if single in templates:
            break
        found = {pattern: target for pattern in aliases if (target := _target(pattern, kind, aliases, templates))}
        first = min([*found, *([kind] if kind in templates else [])], default="")
        following = aliases.get(single, found.get(first, ""))
        if not following:
            break
        chain.append(following)
    return chain


def _target(pattern: str, kind: str, aliases: Mapping[str, str], templates: Collection[str]) -> str:
    """What this entry makes of the type; "" where it is for others."""
    mapped = aliases[pattern]
    if pattern == kind:
        return mapped
    if not pattern.endswith("*") or not kind.startswith(pattern[:-1]) or kind == mapped:
        return ""
    target = mapped[:-1] + kind[len(pattern) - 1 :] if mapped.endswith("*") else mapped
    return target if target in aliases or target in templates or resource_type(target) else ""
