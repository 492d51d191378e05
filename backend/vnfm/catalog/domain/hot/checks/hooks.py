"""Checks of the registry's hooks, at which Heat waits (is_hook_definition in heat/engine/environment.py)."""

from collections.abc import Iterator, Mapping

from vnfm.catalog.domain.documents import Document, Path
from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.hot.check import Check, listed
from vnfm.catalog.domain.hot.templates import TemplateSet

_HOOKS = ("pre-create", "pre-update", "pre-delete", "post-create", "post-update", "post-delete")


def hooks_unknown(templates: TemplateSet) -> Iterator[PackageFault]:
    for environment, where, hooks in _hooks(templates):
        for hook in hooks:
            if hook not in _HOOKS:
                yield environment.fault(where, f"Heat has no hook {hook!r}; it has {listed(_HOOKS)}.")


def hooks_wait(templates: TemplateSet) -> Iterator[PackageFault]:
    for environment, where, hooks in _hooks(templates):
        if hooks:
            message = (
                f"Heat stops at {where[-2]} until someone clears the hook {listed(map(str, hooks))}. The manager does "
                "not, so an operation waits for it until its deadline. Remove the hook."
            )
            yield environment.fault(where, message)


def _hooks(templates: TemplateSet) -> Iterator[tuple[Document, Path, list[object]]]:
    """Hooks, those in nested stacks too, with their places."""
    resources = templates.section("resource_registry").get("resources")
    if templates.environment is None or not isinstance(resources, Mapping):
        return
    pending: list[tuple[tuple[str, ...], Mapping[str, object]]] = [(("resource_registry", "resources"), resources)]
    while pending:
        where, level = pending.pop()
        for key, value in level.items():
            if key == "hooks":
                yield templates.environment, (*where, key), value if isinstance(value, list) else [value]
            elif isinstance(value, Mapping):
                pending.append(((*where, key), value))


CHECKS = (
    Check("HOOK_UNKNOWN", "error", "hooks that Heat does not have", hooks_unknown),
    Check("HOOK_WAITS", "warning", "hooks, at which Heat waits for someone", hooks_wait),
)
