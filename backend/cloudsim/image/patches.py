"""JSON patches as Glance accepts them: add, replace and remove of one member each."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from cloudsim.core.errors import ApiFault

if TYPE_CHECKING:
    from cloudsim.core.store import Doc


def changes_of(doc: Doc, patch: Any, read_only: frozenset[str]) -> Doc:
    """Return a changed copy of the document after a patch. Raises ApiFault 400, 403 or 409."""
    if not isinstance(patch, list):
        raise ApiFault(400, "HTTPBadRequest", "Request body must be a JSON array of operation objects.")
    after = copy.deepcopy(doc)
    for step in patch:
        operation, path = _parse(step)
        name = path.lstrip("/").replace("~1", "/").replace("~0", "~")
        if name in read_only or name == "id":
            raise ApiFault(403, "Forbidden", f"Attribute '{name}' is read-only.")
        if operation != "add" and name not in after:
            raise ApiFault(409, "HTTPConflict", f"Property {name} does not exist.")
        if operation == "remove":
            if name in {"name", "visibility", "protected", "disk_format", "container_format", "min_disk", "min_ram"}:
                raise ApiFault(403, "Forbidden", f"Property {name} may not be removed.")
            del after[name]
        else:
            after[name] = step.get("value")
    return after


def _parse(step: Any) -> tuple[str, str]:
    if not isinstance(step, dict):
        raise ApiFault(400, "HTTPBadRequest", "Operations must be JSON objects.")
    operation, path = step.get("op"), step.get("path")
    if operation not in {"add", "replace", "remove"}:
        message = "Unable to find 'op' in JSON Schema change. It must be one of the following: add, remove, replace."
        raise ApiFault(400, "HTTPBadRequest", message)
    if not isinstance(path, str) or not path.startswith("/") or path.count("/") > 1:
        message = (
            f'Pointer `{path}` does not start with "/".' if path else "Unable to find 'path' in JSON Schema change"
        )
        raise ApiFault(400, "HTTPBadRequest", message)
    return operation, path
