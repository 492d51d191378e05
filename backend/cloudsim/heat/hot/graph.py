"""The order of dependent names."""

from collections.abc import Iterable, Mapping

from cloudsim.heat.errors import CircularDependencyException


def check_acyclic(requires: Mapping[str, Iterable[str]], types: Mapping[str, str]) -> None:
    """Raise CircularDependencyException with Heat's message if `requires` has a cycle."""
    remaining = {name: {need for need in needs if need in requires} for name, needs in requires.items()}
    while ready := [name for name, needs in remaining.items() if not needs]:
        for name in ready:
            del remaining[name]
        for needs in remaining.values():
            needs.difference_update(ready)
    if remaining:
        raise CircularDependencyException(_describe(remaining, types))


def _describe(remaining: Mapping[str, set[str]], types: Mapping[str, str]) -> str:
    def label(name: str) -> str:
        return f'{types.get(name, name).rpartition("::")[2]} "{name}"'

    loops = (f"{label(name)}: {{{', '.join(map(label, sorted(needs)))}}}" for name, needs in sorted(remaining.items()))
    return "{" + ", ".join(loops) + "}"
