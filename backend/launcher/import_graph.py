"""The import graph of the repository's Python files (product, simulators and tests), read from the sources."""

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

Graph = Mapping[str, frozenset[str]]
"""The imported files by file; paths are relative to the repository's root."""


def module_of(path: str) -> str:
    """Return the module of a path: `vnfm.kit.ids` for `backend/vnfm/kit/ids.py`."""
    return path.removeprefix("backend/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def read_graph(root: Path, files: Iterable[str], removed: Iterable[str] = ()) -> Graph:
    """Return the graph of these files; `removed` ones import nothing, but others may still import them."""
    existing = list(files)
    known = {module_of(path): path for path in (*removed, *existing)}
    sources = {path: (root / path).read_text() for path in existing}
    return {path: _imports(source, known) | _conftests(path, sources) for path, source in sources.items()}


def _imports(source: str, known: Mapping[str, str]) -> frozenset[str]:
    names: set[str] = set()
    try:
        tree = ast.parse(source)
    except SyntaxError:  # the checks report it
        return frozenset()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= modules & known.keys() or {node.module}
    return frozenset(known[name] for name in names if name in known)


def _conftests(path: str, files: Mapping[str, str]) -> frozenset[str]:
    """Return the conftest files that pytest loads for a test, without tests/conftest.py, which all tests load."""
    folders = PurePosixPath(path).parents
    names = {f"{folder}/conftest.py" for folder in folders} - {"tests/conftest.py", path}
    return frozenset(names & files.keys())
