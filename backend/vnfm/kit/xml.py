"""XML of other systems as plain trees; equal trees render as equal text.

A document type is refused, so there are no entities that expand and none that read a file. What is read is bounded.
"""

import string
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from vnfm.kit.patterns import Match, pattern

LONGEST = 64 * 1024 * 1024
"""Octets: the configuration of a large router has a few million."""
DEEPEST = 200
MOST = 2_000_000
"""Elements."""

_XML = "http://www.w3.org/XML/1998/namespace"
_SEPARATOR = " "  # in no URI
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;"}
_NAME = string.ascii_letters + string.digits + "_-."
_NO_START = string.digits + "-."
"""Characters of a prefix, and those of them that begin none."""
MOST_PREFIXES = 500
"""At most these are in scope at one place."""
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
"""Stands for octets that no XML may have, where these are replaced."""
_KEY_NAMES = ("id", "name", "number", "index", "address")
"""Leaves that tell which entry of a list it is; a longer name, such as communityName, may be a secret's."""
_FORBIDDEN = str.maketrans(dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF], REPLACEMENT))
_REFERENCE = pattern(r"&#(?:x([0-9A-Fa-f]{1,8})|([0-9]{1,8}));")


class XmlError(ValueError):
    """It is not XML, or we refuse to read it; the message says why, and where."""


class NotWellFormedError(XmlError):
    """It breaks the grammar of XML 1.0."""


def is_xml(text: str) -> bool:
    """A text that begins so is meant as XML: no configuration of a command line does."""
    return text.lstrip().startswith("<")


Name = tuple[str, str]
"""Namespace and local name."""


@dataclass(slots=True)
class XmlNode:
    """An element: either a text or children."""

    name: str
    namespace: str = ""
    text: str = ""
    children: list["XmlNode"] = field(default_factory=list)
    attributes: dict[Name, str] = field(default_factory=dict)
    prefixes: dict[str, str] = field(default_factory=dict)
    """Prefixes that its text uses (an identityref, a path), with their namespaces."""

    def find(self, name: str) -> "XmlNode | None":
        """The first child of that local name."""
        return next((child for child in self.children if child.name == name), None)

    def child_text(self, name: str) -> str:
        """The text of that child, without space around it; "" where there is none."""
        child = self.find(name)
        return child.text.strip() if child is not None else ""


def parse(text: str | bytes) -> XmlNode:
    """The tree of a document. Raises XmlError."""
    octets = text.encode() if isinstance(text, str) else text
    if len(octets) > LONGEST:
        raise XmlError(f"It is longer than {LONGEST // 1024 // 1024} MiB.")
    builder = _Builder()
    parser = expat.ParserCreate("utf-8", _SEPARATOR)
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _no_doctype
    parser.StartNamespaceDeclHandler = builder.start_namespace
    parser.StartElementHandler = builder.start_element
    parser.EndElementHandler = builder.end_element
    parser.CharacterDataHandler = builder.character_data
    try:
        parser.Parse(octets, True)
    except expat.ExpatError as error:
        raise NotWellFormedError(f"This is no well-formed XML: {error}{builder.place()}.") from error
    except XmlError as error:
        raise XmlError(f"{error} (line {parser.CurrentLineNumber})") from error
    assert builder.root is not None, "a document that was parsed has an element"
    return builder.root


def parse_leniently(octets: bytes) -> XmlNode:
    """Parse, but with U+FFFD for octets that no XML may have; see `replaced_places`. Raises XmlError."""
    try:
        return parse(octets)
    except NotWellFormedError:
        return parse(_repaired(octets))


def _repaired(octets: bytes) -> str:
    """Return the text with U+FFFD for each invalid octet of UTF-8 and each character, however written, that XML 1.0
    forbids.

    Routers keep what was pasted into a description, and print it as it is.
    """
    return _REFERENCE.sub(_without_forbidden, octets.decode(errors="replace").translate(_FORBIDDEN))


def _without_forbidden(found: Match) -> str:
    code = int(found[1], 16) if found[1] is not None else int(found[2])
    is_character = code <= sys.maxunicode and not 0xD800 <= code < 0xE000  # noqa: PLR2004 - halves of surrogate pairs
    return str(found[0]) if is_character and code and chr(code).translate(_FORBIDDEN) != REPLACEMENT else REPLACEMENT


def _is_key(entry: XmlNode, leaf: XmlNode) -> bool:
    """True if the leaf is safe to show: the name of an SNMP community is its secret."""
    name = leaf.name.lower()
    named = name in _KEY_NAMES or any(name == f"{entry.name.lower()}-{key}" for key in _KEY_NAMES)
    return named and "community" not in entry.name.lower()


def replaced_places(node: XmlNode, path: str = "") -> Iterator[tuple[str, int]]:
    """Yield each place of U+FFFD in the texts of a tree, as path/of/names[key], and their number there."""
    count = node.text.count(REPLACEMENT) + sum(value.count(REPLACEMENT) for value in node.attributes.values())
    key = next((child.text.strip() for child in node.children if _is_key(node, child)), "")
    here = f"{path}/{node.name}" if path else node.name
    if count:
        yield here, count
    keyed = f"{here}[{key[:60]}]" if key and path and REPLACEMENT not in key else here
    for child in node.children:
        yield from replaced_places(child, keyed)


def _no_doctype(*_: object) -> NoReturn:
    raise XmlError("It has a document type, which could make it read files or grow without end.")


class _Builder:
    def __init__(self) -> None:
        self.root: XmlNode | None = None
        self._open: list[XmlNode] = []
        self._text: list[list[str]] = []
        """The text of each open element, in the pieces in which it came."""
        self._scopes: list[dict[str, str]] = [{}]
        self._coming: dict[str, str] = {}
        self._count = 0

    def place(self) -> str:
        """The names of the open elements, for messages."""
        names = "/".join(node.name for node in self._open[-10:])
        return f", in {names}" if names else ""

    def start_namespace(self, prefix: str | None, uri: str | None) -> None:
        if prefix:
            self._coming[prefix] = uri or ""

    def start_element(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MOST or len(self._open) >= DEEPEST:
            raise XmlError(f"It has more than {MOST} elements, or more than {DEEPEST} in each other.")
        namespace, _, name = tag.rpartition(_SEPARATOR)
        node = XmlNode(name, namespace)
        for key, value in attributes.items():
            space, _, local = key.rpartition(_SEPARATOR)
            node.attributes[space, local] = value
        if self._open:
            parent = self._open[-1]
            if "".join(self._text[-1]).strip():
                raise XmlError(f"{parent.name} has text and elements side by side.")
            self._text[-1].clear()
            parent.children.append(node)
        else:
            self.root = node
        self._open.append(node)
        self._text.append([])
        scope = {**self._scopes[-1], **self._coming} if self._coming else self._scopes[-1]
        if len(scope) > MOST_PREFIXES:
            raise XmlError(f"It has more than {MOST_PREFIXES} prefixes at one place.")
        self._scopes.append(scope)
        self._coming = {}

    def character_data(self, text: str) -> None:
        self._text[-1].append(text)

    def end_element(self, _tag: str) -> None:
        node, scope, text = self._open.pop(), self._scopes.pop(), "".join(self._text.pop())
        if not text.strip():
            return
        if node.children:
            raise XmlError(f"{node.name} has text and elements side by side.")
        node.text = text
        if scope:
            node.prefixes = {one: scope[one] for one in _prefixes_in(node.text) if one in scope}


def _prefixes_in(text: str) -> Iterator[str]:
    """Yield each text before a colon that can be a prefix."""
    for part in text.split(":")[:-1]:
        yield part[len(part.rstrip(_NAME)) :].lstrip(_NO_START)


def render(node: XmlNode) -> str:
    """The tree as text, an element a line; equal trees are equal texts. Ends with a newline."""
    return "\n".join(_lines(node, "", 0)) + "\n"


def _lines(node: XmlNode, around: str, depth: int) -> Iterator[str]:
    indent = "  " * depth
    head = f"{indent}<{node.name}{_head(node, around)}"
    if node.children:
        yield f"{head}>"
        for child in node.children:
            yield from _lines(child, node.namespace, depth + 1)
        yield f"{indent}</{node.name}>"
    else:
        yield f"{head}>{escaped(node.text)}</{node.name}>" if node.text else f"{head}/>"


def _head(node: XmlNode, around: str) -> str:
    """Its namespace where that is another than around it, then prefixes and attributes, each in order."""
    prefixes = {uri: prefix for prefix, uri in sorted(node.prefixes.items(), reverse=True)}
    written = []
    for (space, name), value in sorted(node.attributes.items()):
        if space and space != _XML and space not in prefixes:
            prefixes[space] = next(one for n in range(99) if (one := f"a{n}") not in prefixes.values())
        prefix = "xml" if space == _XML else prefixes.get(space, "")
        written.append(f' {prefix + ":" if space else ""}{name}="{escaped(value)}"')
    spaces = [f' xmlns="{escaped(node.namespace)}"'] if node.namespace != around else []
    spaces += sorted(f' xmlns:{prefix}="{escaped(uri)}"' for uri, prefix in prefixes.items())
    return "".join(spaces + written)


def escaped(text: str) -> str:
    """A text as it stands in an element or an attribute, on one line."""
    return "".join(_ESCAPES.get(letter, letter) for letter in text)
