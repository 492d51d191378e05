"""The types to which an environment's resource_registry maps others (ResourceRegistry in Heat)."""

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from hot.schemas import resource_type

_LONGEST = 5
"""Longest chain of type aliases; a longer one is a cycle."""


class TypeAliases:
    """The entries of a registry that name types, indexed: a registry and the resources that use it can both be long.

    `aliases` are these entries, `templates` the types that it maps to files; those of one resource alone have its name
    before the type. Neither changes.
    """

    def __init__(self, aliases: Mapping[str, str], templates: Collection[str]) -> None:
        self._aliases, self._templates = aliases, templates
        self._following: dict[str, str] = {}

    def resolved_types(self, kind: str, name: str) -> list[str]:
        """The type of the resource `name`, and those that the registry maps it to one after the other.

        Heat takes the entry of the resource, else the first by name, so that `OS::Nova::*` counts before
        `OS::Nova::Server`. A wildcard that leads to no type does not count.
        """
        chain = [kind]
        while len(chain) <= _LONGEST:
            kind = chain[-1]
            single = f"{name}/{kind}"
            if single in self._templates:
                break
            following = self._aliases.get(single, self._type_after(kind))
            if not following:
                break
            chain.append(following)
        return chain

    def _type_after(self, kind: str) -> str:
        """Return the type to which the first entry for all resources maps it; "" for a template, or for none."""
        if kind not in self._following:
            found = dict(self._targets(kind))
            first = min([*found, *([kind] if kind in self._templates else [])], default="")
            self._following[kind] = found.get(first, "")
        return self._following[kind]

    def _targets(self, kind: str) -> Iterator[tuple[str, str]]:
        """The entries for the type, and what each makes of it."""
        if mapped := self._aliases.get(kind):
            yield kind, mapped
        for length in self._wildcard_lengths:
            pattern = f"{kind[:length]}*"
            mapped = self._aliases.get(pattern, "")
            if length > len(kind) or pattern == kind or mapped in ("", kind):
                continue
            target = mapped[:-1] + kind[length:] if mapped.endswith("*") else mapped
            if target in self._aliases or target in self._templates or resource_type(target):
                yield pattern, target

    @cached_property
    def _wildcard_lengths(self) -> frozenset[int]:
        """Return how many characters of a type the wildcards compare: few lengths for many wildcards."""
        return frozenset(len(pattern) - 1 for pattern in self._aliases if pattern.endswith("*"))
