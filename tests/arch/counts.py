"""The house is measured: lines by folder, shapes, imports of other contexts' models, circles of imports.

`python tests/arch/counts.py [COMMIT...]` prints them for the work tree, or beside each other for commits.
"""

import ast
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.arch.outlines import outline

ROOT = Path(__file__).parents[2]
BACKEND = ROOT / "backend"
_TEXT = frozenset(
    {".py", ".ts", ".tsx", ".css", ".md", ".yaml", ".yml", ".json", ".toml", ".lock", ".txt", ".html", ""}
)
_FOLDERS = (
    "backend/vnfm", "backend/cloudsim", "backend/routersim", "backend/hot", "backend/launcher", "backend/recovery",
    "backend/demo", "backend/cli", "backend/tools", "backend/docs", "frontend/src", "frontend/mock-api", "tests",
)  # fmt: skip
_ROOTS_OF_SERIALIZERS = frozenset({"Serializer", "ModelSerializer", "DataclassSerializer"})

_COUNTED = (ast.ClassDef, ast.Import, ast.ImportFrom)
Modules = Mapping[str, Sequence[ast.AST]]
"""Dotted name → classes and imports in it."""
Graph = dict[str, set[str]]
"""Module → the modules that it imports."""


def lines_by_folder(root: Path) -> Counter[str]:
    """Lines of the tracked text files; what is in none of the folders counts as "other"."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=False).stdout
    names = listed.strip("\0").split("\0") if listed else [str(file.relative_to(root)) for file in root.rglob("*")]
    found: Counter[str] = Counter()
    for name in names:
        file = root / name
        if file.suffix not in _TEXT or not file.is_file():
            continue
        folder = next((each for each in _FOLDERS if name.startswith(each + "/")), "other")
        found[folder] += file.read_bytes().count(b"\n")
    return found


@cache
def modules(package: Path) -> Modules:
    """Return the module-level and inner statements of each module of a package, without its migrations."""
    return {
        ".".join(file.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__"): [
            node for node in outline(file.read_text()) if isinstance(node, _COUNTED)
        ]
        for file in sorted(package.rglob("*.py"))
        if "migrations" not in file.parts
    }


def serializers(trees: Modules) -> set[str]:
    """Return the classes that derive from a serializer, by however many steps, as module:class."""
    bases: dict[str, tuple[str, set[str]]] = {}
    for module, tree in trees.items():
        for node in tree:
            if isinstance(node, ast.ClassDef):
                names = {ast.unparse(base).split("[")[0].rpartition(".")[2] for base in node.bases}
                bases[f"{module}:{node.name}"] = (node.name, names)
    known, found = set(_ROOTS_OF_SERIALIZERS), set[str]()
    while new := {key for key, (_, parents) in bases.items() if parents & known} - found:
        found |= new
        known |= {bases[key][0] for key in new}
    return found


def dataclasses(trees: Modules) -> int:
    return sum(
        isinstance(node, ast.ClassDef) and any("dataclass" in ast.unparse(each) for each in node.decorator_list)
        for tree in trees.values()
        for node in tree
    )


def foreign_models(trees: Modules) -> Counter[tuple[str, str]]:
    """Count import statements by (context, context whose models it imports)."""
    found: Counter[tuple[str, str]] = Counter()
    for module, tree in trees.items():
        context = module.split(".")[1] if "." in module else ""
        for node in tree:
            for other in _contexts_of_models(node):
                if other != context:
                    found[context, other] += 1
    return found


def _contexts_of_models(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom) and node.module:
        parts = node.module.split(".")
        if parts[0] == "vnfm" and (parts[2:3] == ["models"] or any(each.name == "models" for each in node.names)):
            yield parts[1]


def graph_of(trees: Modules) -> Graph:
    """Return which module imports which, at module level and in functions; TYPE_CHECKING blocks included."""
    graph: Graph = defaultdict(set)
    for module, tree in trees.items():
        for node in tree:
            if isinstance(node, ast.ImportFrom) and node.module:
                inner = {f"{node.module}.{each.name}" for each in node.names}
                submodules = inner & trees.keys()
                graph[module] |= (submodules or {node.module} & trees.keys()) - {module}
            elif isinstance(node, ast.Import):
                graph[module] |= {each.name for each in node.names} & trees.keys() - {module}
    return graph


def circles(graph: Graph) -> list[set[str]]:
    """Return the groups of modules that import each other by some path, the largest first."""
    left = {node: set(targets) for node, targets in graph.items()}
    while ends := {node for node, targets in left.items() if not targets & left.keys()}:
        left = {node: targets & left.keys() - ends for node, targets in left.items() if node not in ends}
    reachable = {node: _reachable(left, node) for node in left}
    groups = {
        frozenset(other for other in found if node in reachable.get(other, ()))
        for node, found in reachable.items()
        if node in found
    }
    return sorted((set(group) for group in groups), key=len, reverse=True)


def _reachable(graph: Graph, start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def measure(root: Path = ROOT) -> dict[str, int]:
    """Return title → number, as printed."""
    lines = lines_by_folder(root)
    trees = modules(root / "backend" / "vnfm")
    found = {f"lines of {folder}": lines[folder] for folder in (*_FOLDERS, "other")}
    found["lines, all"] = lines.total()
    found["serializers"] = len(serializers(trees))
    found["dataclasses"] = dataclasses(trees)
    found["imports of another context's models"] = foreign_models(trees).total()
    for package in ("vnfm", "hot", "cloudsim", "routersim", "launcher"):
        of_package = circles(graph_of(modules(root / "backend" / package)))
        found[f"modules in circles of {package}"] = sum(len(each) for each in of_package)
    return found


def measure_commit(commit: str) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder:
        tar = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=tar, check=True)
        return measure(Path(folder))


if __name__ == "__main__":
    columns = [measure_commit(commit) for commit in sys.argv[1:]] or [measure()]
    for title in columns[0]:
        sys.stdout.write(title.ljust(40) + "".join(f"{column[title]:>12,}" for column in columns) + "\n")
