"""Order of work between named things."""

from collections.abc import Iterable, Mapping

from cloudsim.heat.errors import CircularDependencyException


def check_acyclic(requires: Mapping[str, Iterable[str]], types: Mapping[str, str]) -> None:
    """Raise CircularDependencyException, in Heat's words, when `requires` cannot be ordered."""
    left = {name: {need for need in needs if need in requires} for name, needs in requires.items()}
    while ready := [name for name, needs in left.items() if not needs]:
        for name in ready:
            del left[name]
        for needs in left.values():
            needs.difference_update(ready)
    if left:
        raise CircularDependencyException(_worded(left, types))


def _worded(left: Mapping[str, set[str]], types: Mapping[str, str]) -> str:
    def shown(name: str) -> str:
        return f'{types.get(name, name).rpartition("::")[2]} "{name}"'

    loops = (f"{shown(name)}: {{{', '.join(map(shown, sorted(needs)))}}}" for name, needs in sorted(left.items()))
    return "{" + ", ".join(loops) + "}"
