"""The interface of a stack for its template's functions."""

from typing import Any, Protocol

Json = Any
"""Any value of YAML or JSON, as the template language is untyped."""


class Scope(Protocol):
    """The scope in which a snippet's functions are resolved."""

    version: str

    def parameter(self, name: str) -> Json:
        """Return the value of a parameter. Raises UserParameterMissing."""

    def reference(self, resource: str) -> Json:
        """Return the value of `get_resource`: the physical id, or the name if there is none yet."""

    async def attribute(self, resource: str, attribute: str, path: list[Json]) -> Json:
        """Return the value of a resource's attribute; None while the resource does not exist."""

    async def all_attributes(self, resource: str) -> Json:
        """Return the value of `get_attr: [resource]` (HOT 2015-10-15)."""

    def file(self, key: str) -> str:
        """Return an entry of the request's `files` map. Raises KeyError."""

    def facade(self, kind: str) -> Json:
        """Return `resource_facade`: metadata, deletion_policy or update_policy of the parent's resource."""


def select(collection: Json, path: list[Json]) -> Json:
    """Follow `path` into maps and lists. Raises KeyError, IndexError or TypeError if it does not exist."""
    for key in path:
        if isinstance(collection, (list, tuple)):
            collection = collection[int(key) if isinstance(key, str) and key.lstrip("-").isdigit() else key]
        elif isinstance(collection, dict):
            collection = collection[key]
        else:
            raise TypeError(key)
    return collection
