"""`vnfm sbom FILE`: the product's components from its lock files, as CycloneDX 1.6.

In the build of a container it runs as `python -m launcher.sbom FILE app`.
"""

import base64
import hashlib
import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from launcher.keys import write_private
from launcher.layout import Checkout

_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
_VIA = re.compile(r"^    #(?: via)? +([A-Za-z0-9._-]+)$", re.MULTILINE)
ROOT = "vnfm"
Component = dict[str, Any]
Json = dict[str, Any]


def write_sbom(checkout: Checkout, file: Path, lock: str = "build") -> None:
    """Write the document for the Python environment of `lock` and the pages; the same locks give the same bytes."""
    text = json.dumps(document(checkout, lock), indent=1, sort_keys=True) + "\n"
    if str(file) == "-":
        sys.stdout.write(text)
    else:
        write_private(file, text)


def document(checkout: Checkout, lock: str) -> Json:
    python_lock = checkout.lock_file(lock).read_text()
    node_lock = (checkout.frontend / "package-lock.json").read_text()
    python, needed = python_parts(python_lock)
    node, node_needs = node_parts(json.loads(node_lock)["packages"])
    graph = {**needed, **node_needs}
    inner = {ref for refs in graph.values() for ref in refs}
    graph[ROOT] = sorted(part["bom-ref"] for part in (*python, *node) if part["bom-ref"] not in inner)
    digest = hashlib.sha256((python_lock + node_lock).encode()).hexdigest()
    version = tomllib.loads((checkout.root / "pyproject.toml").read_text()).get("project", {}).get("version", "0")
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, digest)}",
        "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": ROOT, "name": ROOT, "version": version}},
        "components": sorted((*python, *node), key=lambda part: str(part["bom-ref"])),
        "dependencies": [{"ref": ref, "dependsOn": sorted(set(refs))} for ref, refs in sorted(graph.items())],
    }


def python_parts(lock: str) -> tuple[list[Component], dict[str, list[str]]]:
    """Return the pinned packages, and the dependencies of each by the lock's comments (`# via`)."""
    found = list(_PINNED.finditer(lock))
    ends = [*(match.start() for match in found[1:]), len(lock)]
    refs = {match[1]: f"pkg:pypi/{match[1].lower().replace('_', '-')}@{match[2]}" for match in found}
    needs: dict[str, list[str]] = {ref: [] for ref in refs.values()}
    for match, end in zip(found, ends, strict=True):
        for via in _VIA.findall(lock[match.end() : end]):
            if via in refs:
                needs[refs[via]].append(refs[match[1]])
    return [_component(match[1], match[2], refs[match[1]]) for match in found], needs


def node_parts(packages: Mapping[str, Json]) -> tuple[list[Component], dict[str, list[str]]]:
    """Return the packages of the pages, without those for development only, and the dependencies of each."""
    used = {path: entry for path, entry in packages.items() if path and not entry.get("dev")}
    refs = {path: _npm_ref(path, entry) for path, entry in used.items()}
    parts: dict[str, Component] = {}
    for path, entry in used.items():
        part = _component(_npm_name(path), entry["version"], refs[path])
        if entry.get("integrity", "").startswith("sha512-"):
            content = base64.b64decode(entry["integrity"].removeprefix("sha512-")).hex()
            part["hashes"] = [{"alg": "SHA-512", "content": content}]
        if isinstance(entry.get("license"), str):
            part["licenses"] = [{"license": {"name": entry["license"]}}]
        parts[refs[path]] = part
    needs: dict[str, list[str]] = {ref: [] for ref in parts}
    for path, entry in used.items():
        places = (_resolved(path, name, used) for name in entry.get("dependencies", {}))
        needs[refs[path]] += [refs[place] for place in places if place is not None]
    return list(parts.values()), needs


def _component(name: str, version: str, ref: str) -> Component:
    return {"type": "library", "bom-ref": ref, "name": name, "version": version, "purl": ref}


def _npm_name(path: str) -> str:
    return path.rpartition("node_modules/")[2]


def _npm_ref(path: str, entry: Json) -> str:
    return f"pkg:npm/{quote(_npm_name(path), safe='/')}@{entry['version']}"


def _resolved(path: str, name: str, used: Mapping[str, Json]) -> str | None:
    """Return the path at which Node finds `name` from `path`: in its node_modules, or in those of a folder above."""
    return next((place for place in _places(path, name) if place in used), None)


def _places(path: str, name: str) -> Iterator[str]:
    while path:
        yield f"{path}/node_modules/{name}"
        path = path.rpartition("node_modules/")[0].rstrip("/")
    yield f"node_modules/{name}"


if __name__ == "__main__":  # in a container's build
    write_sbom(Checkout.here(), Path(sys.argv[1]), sys.argv[2])
