"""What a template function may ask of the stack it stands in."""

from typing import Any, Protocol

Json = Any
"""Whatever YAML or JSON may hold: the template language is untyped."""


class Scope(Protocol):
    """The surroundings of a snippet while its functions are resolved."""

    version: str

    def parameter(self, name: str) -> Json:
        """Value of a parameter; raises UserParameterMissing."""

    def reference(self, resource: str) -> Json:
        """What `get_resource` gives: the physical id, or the name where there is none yet."""

    async def attribute(self, resource: str, attribute: str, path: list[Json]) -> Json:
        """Value of a resource's attribute; None while the resource does not exist."""

    async def all_attributes(self, resource: str) -> Json:
        """`get_attr: [resource]` of HOT 2015-10-15."""

    def file(self, key: str) -> str:
        """Content of the request's `files` map; raises KeyError."""

    def facade(self, kind: str) -> Json:
        """`resource_facade`: metadata, deletion_policy or update_policy of the parent's resource."""


def select(collection: Json, path: list[Json]) -> Json:
    """Follow `path` into maps and lists; raises KeyError, IndexError or TypeError where it leads nowhere."""
    for key in path:
        if isinstance(collection, (list, tuple)):
            collection = collection[int(key) if isinstance(key, str) and key.lstrip("-").isdigit() else key]
        elif isinstance(collection, dict):
            collection = collection[key]
        else:
            raise TypeError(key)
    return collection
