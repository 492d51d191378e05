"""Untrusted YAML: parsed with limits on size, depth and aliases; line numbers are kept.

Of a key that is written twice the last value counts, as in Heat's own loader (`heat/common/template_format.py`).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from vnfm.catalog.domain.errors import PackageError, PackageFault

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 40
MAX_NODES = 100_000
"""Nodes after aliases are expanded, against "billion laughs"."""
TEXT_OF_A_NODE = 100
"""Characters that count as one node, so that aliases to long texts are limited too."""
MAX_DIGITS = 100
"""Length of a number: YAML 1.1's base 60 takes quadratic time to read."""

_CORRECT = "Correct the file and build the package again."

Path = Sequence[str | int]
"""Keys and indexes from the root of a document."""


class _Loader(yaml.CSafeLoader):
    """Like Heat's loader: dates stay text, as in `heat_template_version: 2015-10-15`."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


@dataclass(frozen=True, slots=True)
class Document:
    path: str
    """Path of the file in the package."""
    data: Any
    root: yaml.Node
    repeated_keys: tuple[PackageFault, ...] = ()
    """Keys that are written twice in one mapping, where the value stands that counts."""

    def require_unique_keys(self) -> None:
        """For the formats that are our own, which no other tool reads; raises PackageError (YAML_INVALID)."""
        if self.repeated_keys:
            raise PackageError("YAML_INVALID", self.repeated_keys, _CORRECT)

    def fault(self, where: Path, message: str) -> PackageFault:
        """A fault at this place of the file."""
        return PackageFault(self.path, message, pointer(where), self.line(where))

    def line(self, where: Path) -> int:
        """The line of the node at `where`, or of its nearest ancestor that exists."""
        node = self.root
        for step in where:
            found = _child(node, step)
            if found is None:
                break
            node = found
        return _line(node)


def pointer(where: Path) -> str:
    """RFC 6901 form of a path."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in where)


_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_UNREADABLE = (
    yaml.YAMLError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip
"""What PyYAML raises for a tag that does not match its text, such as `!!bool maybe`."""


def parse_yaml(path: str, content: bytes) -> Document:
    """Parse one YAML document whose root is a mapping; raises PackageError (YAML_INVALID) otherwise."""
    check_size(path, len(content))
    try:
        text = content.decode()
        _check_depth(path, text)
        loader = _Loader(text)
        root = loader.get_single_node()
        if not isinstance(root, yaml.MappingNode):
            raise _invalid(path, "The file must hold a mapping (key: value).", 1)
        _check_nodes(path, root)
        repeated = tuple(_repeated_keys(path, root))  # before the loader merges what << names
        return Document(path, loader.construct_document(root), root, repeated)
    except UnicodeDecodeError as error:
        raise _invalid(path, f"The file is not UTF-8 text: {error.reason} at byte {error.start}.") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise _invalid(path, f"{error.problem or error.context}.".capitalize(), mark.line + 1 if mark else 0) from error
    except _UNREADABLE as error:
        raise _invalid(path, f"The file is not valid YAML: {error}.") from error


def check_size(path: str, size: int) -> None:
    """Raises PackageError when the file is too large for YAML."""
    if size > MAX_BYTES:
        raise _invalid(path, f"The file has {size} bytes; {MAX_BYTES} are allowed for YAML.")


def _invalid(path: str, message: str, line: int = 0) -> PackageError:
    return PackageError("YAML_INVALID", [PackageFault(path, message, line=line)], _CORRECT)


def _line(marked: yaml.Event | yaml.Node) -> int:
    return marked.start_mark.line + 1 if marked.start_mark else 0


def _check_depth(path: str, text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise _invalid(path, f"The file nests deeper than {MAX_DEPTH} levels.", _line(event))
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _check_nodes(path: str, root: yaml.Node) -> None:
    """Refuse aliases that expand too far or contain themselves."""
    sizes: dict[int, int] = {}
    open_nodes: set[int] = set()

    def size(node: yaml.Node) -> int:
        if id(node) in open_nodes:
            raise _invalid(path, "An alias refers to what contains it.", _line(node))
        if id(node) not in sizes:
            open_nodes.add(id(node))
            text = len(node.value) // TEXT_OF_A_NODE if isinstance(node, yaml.ScalarNode) else 0
            sizes[id(node)] = 1 + text + sum(size(child) for child in _children(path, node))
            open_nodes.remove(id(node))
        return sizes[id(node)]

    if size(root) > MAX_NODES:
        raise _invalid(path, f"With its aliases resolved the file has more than {MAX_NODES} nodes.")


def _children(path: str, node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.SequenceNode):
        return list(node.value)
    if not isinstance(node, yaml.MappingNode):
        if node.tag in _NUMBERS and len(node.value) > MAX_DIGITS:
            raise _invalid(path, f"A number has more than {MAX_DIGITS} characters.", _line(node))
        return []
    return [child for pair in node.value for child in pair]


def _repeated_keys(path: str, root: yaml.Node) -> Iterator[PackageFault]:
    """Of nodes that aliases repeat, each once."""
    seen: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            keys = [key for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
            counts = Counter(key.value for key in keys)
            for key in reversed(keys):
                if counts.pop(key.value, 1) > 1:
                    message = f"The key {key.value!r} is written twice."
                    yield PackageFault(path, message, line=_line(key))
        stack += _children(path, node)


def _child(node: yaml.Node, step: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        child: yaml.Node = node.value[step]
        return child
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in reversed(node.value) if key.value == str(step)), None)
    return None
