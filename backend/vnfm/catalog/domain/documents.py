"""Untrusted YAML: parsed with limits on size, depth and aliases; line numbers are kept.

Of a key that is written twice the last value counts, as in Heat's own loader (`heat/common/template_format.py`).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from vnfm.catalog.domain.errors import PackageError, PackageFault
from vnfm.catalog.domain.foreign_formats import recognise_unreadable, yaml_mistake

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

    _depth = 0

    def descend_resolver(self, parent: yaml.Node | None, index: Any) -> None:
        """Called before a node in `parent` is composed, which the C parser does by recursion."""
        self._depth += 1
        if parent is not None and self._depth > MAX_DEPTH + 1:
            problem = f"the file nests deeper than {MAX_DEPTH} levels"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=parent.start_mark)

    def ascend_resolver(self) -> None:
        self._depth -= 1


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
    _children: dict[int, dict[str, yaml.Node]] = field(init=False, repr=False, compare=False, default_factory=dict)
    """The values of each mapping that was asked for a line, by key: a mapping can be long, and asked often."""

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
            found = self._child(node, step)
            if found is None:
                break
            node = found
        return _line(node)

    def _child(self, node: yaml.Node, step: str | int) -> yaml.Node | None:
        if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            child: yaml.Node = node.value[step]
            return child
        if not isinstance(node, yaml.MappingNode):
            return None
        if id(node) not in self._children:
            self._children[id(node)] = {str(key.value): value for key, value in node.value}
        return self._children[id(node)].get(str(step))


def pointer(where: Path) -> str:
    """RFC 6901 form of a path."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in where)


_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_UNREADABLE = (
    yaml.YAMLError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip
"""PyYAML raises any of these for a tag that does not match its text, such as `!!bool maybe`."""


def parse_yaml(path: str, content: bytes) -> Document:
    """Parse one YAML document whose root is a mapping; raises PackageError (YAML_INVALID) otherwise."""
    check_size(path, len(content))
    try:
        loader = _Loader(content.decode())
        root = loader.get_single_node()
        if not isinstance(root, yaml.MappingNode):
            raise _foreign(path, content, "The file must hold a mapping (key: value).", 1)
        repeated = _check_nodes(path, root)  # before the loader merges what << names
        return Document(path, loader.construct_document(root), root, tuple(repeated))
    except UnicodeDecodeError as error:
        raise _foreign(path, content, f"The file is not UTF-8 text: {error.reason} at byte {error.start}.") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column) if mark else (0, 0)
        message = yaml_mistake(content.decode(), line, column) or f"{error.problem or error.context}.".capitalize()
        raise _foreign(path, content, message, line) from error
    except _UNREADABLE as error:
        raise _invalid(path, f"The file is not valid YAML: {error}.") from error


def check_size(path: str, size: int) -> None:
    """Raises PackageError when the file is too large for YAML."""
    if size > MAX_BYTES:
        raise _invalid(path, f"The file has {size} bytes; {MAX_BYTES} are allowed for YAML.")


def _foreign(path: str, content: bytes, message: str, line: int = 0) -> PackageError:
    """Name the file's format, where it is another; else say `message`."""
    found = recognise_unreadable(path, content, line)
    return _invalid(path, found.sentence, found.line or line) if found else _invalid(path, message, line)


def _invalid(path: str, message: str, line: int = 0) -> PackageError:
    return PackageError("YAML_INVALID", [PackageFault(path, message, line=line)], _CORRECT)


def _line(node: yaml.Node) -> int:
    return node.start_mark.line + 1 if node.start_mark else 0


def _check_nodes(path: str, root: yaml.Node) -> list[PackageFault]:
    """Refuse aliases that expand too far or contain themselves, and long numbers; the keys that are written twice."""
    sizes: dict[int, int] = {}
    repeated: list[PackageFault] = []

    def size(node: yaml.Node) -> int:
        if isinstance(node, yaml.ScalarNode):
            return _scalar_size(path, node)
        known = sizes.get(id(node))
        if known is None:
            sizes[id(node)] = _OPEN
            if isinstance(node, yaml.MappingNode):
                repeated.extend(_repeated_keys(path, node))
                known = 1 + sum(size(key) + size(value) for key, value in node.value)
            else:
                known = 1 + sum(map(size, node.value))
            sizes[id(node)] = known
        elif known == _OPEN:
            raise _invalid(path, "An alias refers to what contains it.", _line(node))
        return known

    if size(root) > MAX_NODES:
        raise _invalid(path, f"With its aliases resolved the file has more than {MAX_NODES} nodes.")
    return repeated


_OPEN = -1
"""In place of the size of a node that is being measured."""


def _scalar_size(path: str, node: yaml.ScalarNode) -> int:
    length = len(node.value)
    if length > MAX_DIGITS and node.tag in _NUMBERS:
        raise _invalid(path, f"A number has more than {MAX_DIGITS} characters.", _line(node))
    return 1 + length // TEXT_OF_A_NODE


def _repeated_keys(path: str, mapping: yaml.MappingNode) -> Iterator[PackageFault]:
    """A fault for each key that is written twice, where its last value is."""
    last = {key.value: key for key, _ in mapping.value if isinstance(key, yaml.ScalarNode)}
    if len(last) < len(mapping.value):
        counts = Counter(key.value for key, _ in mapping.value if isinstance(key, yaml.ScalarNode))
        for name, key in last.items():
            if counts[name] > 1:
                yield PackageFault(path, f"The key {name!r} is written twice.", line=_line(key))
