"""Configurations as NETCONF has them: one `config` element, printed so that equal ones are equal texts.

A version of an element is either XML or command lines; its first character says which.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from vnfm.configuration.domain.dialects.base import MASK
from vnfm.kit.patterns import pattern
from vnfm.kit.xml import REPLACEMENT, XmlError, XmlNode, escaped, is_xml, parse, render, replaced_places

BASE = "urn:ietf:params:xml:ns:netconf:base:1.0"
XML_WITHOUT_NETCONF = (
    "This is XML, and the element is configured at its command line: give it a NETCONF policy, or commands."
)
_VOLATILE = frozenset(
    {"changed-seconds", "changed-localtime", "commit-seconds", "commit-localtime", "commit-user", "last-changed"}
)
"""Attributes without a namespace that record when and by whom, not what (Junos)."""

_MOST_PLACES = 10
_DECLARATION = pattern(r"<\?xml\s[^<>]*\?>")
_SECRET = pattern(
    r"(?i)<(?:[\w.-]+:)?[\w.-]*(?:password|passwd|passphrase|secret|community|cipher|psk|key-?string|credential|md5|"
    r"(?:auth\w*|encrypt\w*|priv\w*|shared|session|hmac|hash)-?key)[\w.-]*(?:\s[^<>]*)?>(?P<secret>[^<>]+)</"
)
"""A leaf with one of these words in its name: no schema marks secrets."""


@dataclass(frozen=True, slots=True)
class XmlEdit:
    """Elements for an edit-config; without any it changes nothing."""

    nodes: Sequence[XmlNode]

    def __bool__(self) -> bool:
        return bool(self.nodes)

    def parts(self) -> list[list[XmlNode]]:
        """One for each edit-config, in order: a server may refuse two containers of a name in one."""
        parts: list[list[XmlNode]] = []
        for node in self.nodes:
            name = (node.namespace, node.name)
            if not parts or any((one.namespace, one.name) == name for one in parts[-1]):
                parts.append([])
            parts[-1].append(node)
        return parts


def text_of(nodes: Sequence[XmlNode]) -> str:
    """The canonical text, in the order that the element gave, without volatile and namespaced attributes.

    A comment before it says where octets were replaced that XML forbids.
    """
    text = render(XmlNode("config", BASE, children=[_without_metadata(node) for node in nodes]))
    words = replaced_words(nodes) if REPLACEMENT in text else ""
    return f"<!-- {words.replace('--', '- -')} -->\n{text}" if words else text


def replaced_words(nodes: Sequence[XmlNode]) -> str:
    """Where the texts have U+FFFD for octets that XML forbids, as half a sentence; "" where they have none."""
    places = [place for node in nodes for place in replaced_places(node)]
    if not places:
        return ""
    count = sum(number for _, number in places)
    shown = ", ".join(path for path, _ in places[:_MOST_PLACES])
    more = f" and {len(places) - _MOST_PLACES} places more" if len(places) > _MOST_PLACES else ""
    return f"{count} {'octet' if count == 1 else 'octets'} replaced by U+FFFD, in {shown}{more}"


def _without_metadata(node: XmlNode) -> XmlNode:
    attributes = {name: value for name, value in node.attributes.items() if not name[0] and name[1] not in _VOLATILE}
    return replace(node, attributes=attributes, children=[_without_metadata(child) for child in node.children])


def nodes_of(text: str) -> list[XmlNode]:
    """The elements of one or more `config` documents, or the elements that the text itself consists of.

    Raises XmlError with a sentence for the author of the text.
    """
    if not is_xml(text):
        raise XmlError("This element is configured by NETCONF: give XML that begins with <config>, and no commands.")
    roots = parse(f"<documents>{_DECLARATION.sub('', text)}</documents>").children
    nodes = [node for root in roots for node in (root.children if _is_config(root) else [root])]
    if not nodes:
        raise XmlError("There is no configuration in it.")
    nameless = next((node.name for node in nodes if node.namespace in ("", BASE)), None)
    if nameless is not None:
        raise XmlError(f"<{nameless}> has no namespace of a data model: say which by xmlns.")
    return nodes


def _is_config(root: XmlNode) -> bool:
    return root.name == "config" and root.namespace in ("", BASE)


def xml_changes_between(running: str, target: str) -> XmlEdit:
    """The edit from one configuration to another: each top-level element replaced, those that are gone removed."""
    if running == target:
        return XmlEdit(())
    now, then = parse(running).children, parse(target).children
    staying = {(node.namespace, node.name) for node in then}
    gone = [XmlNode(node.name, node.namespace) for node in now if (node.namespace, node.name) not in staying]
    replaced = [_with_operation(node, "replace") for node in then]
    return XmlEdit([*replaced, *(_with_operation(node, "remove") for node in gone)])


def removes_from(running: Sequence[XmlNode], edit: XmlNode) -> bool:
    """Whether an edit, which only removes, still finds something to remove among these elements."""
    found = [one for one in running if _is_meant(one, edit)]
    if edit.attributes.get((BASE, "operation")) in ("remove", "delete"):
        return bool(found)
    return any(removes_from(one.children, child) for one in found for child in edit.children)


def _is_meant(node: XmlNode, edit: XmlNode) -> bool:
    """The name, and the leaves in the edit that have a value: the keys of a list's entry."""
    keys = [child for child in edit.children if child.text.strip()]
    texts = {(child.namespace, child.name, child.text.strip()) for child in node.children}
    same = (node.namespace, node.name) == (edit.namespace, edit.name)
    return same and all((key.namespace, key.name, key.text.strip()) in texts for key in keys)


def _with_operation(node: XmlNode, operation: str) -> XmlNode:
    return replace(node, attributes={**node.attributes, (BASE, "operation"): operation})


def masked(text: str) -> str:
    """The text with every secret masked; also for a difference, as each leaf has a line of its own."""
    return _SECRET.sub(lambda found: found.replaced("secret", escaped(MASK)), text)


@dataclass(frozen=True, slots=True)
class XmlModel:
    """A family's data model, as far as `Language` needs it."""

    name: str = "NETCONF"
    atomic: bool = True
    can_preview: bool = True
    admin_lines: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    def masked(self, text: str) -> str:
        return masked(text)

    def masked_diff(self, diff: str) -> str:
        return masked(diff)

    def quoted(self, name: str) -> str:
        return escaped(name)


def _states(text: str, up: str, down: str, part: str) -> dict[tuple[str, str], tuple[str, ...]]:
    return {(part, "UP"): (text.replace("{state}", up),), (part, "DOWN"): (text.replace("{state}", down),)}


_NOKIA = (
    '<configure xmlns="urn:nokia.com:sros:ns:yang:sr:conf"><{0}><{1}>{2}</{1}><admin-state>{{state}}</admin-state>'
    "</{0}></configure>"
)
_HUAWEI = (
    '<ifm xmlns="http://www.huawei.com/netconf/vrp/huawei-ifm"><interfaces><interface><ifName>{name}</ifName>'
    "<ifAdminStatus>{state}</ifAdminStatus></interface></interfaces></ifm>"
)
MODELS: Mapping[str, XmlModel] = MappingProxyType(
    {
        "nokia-sros": XmlModel(
            admin_lines={
                **_states(_NOKIA.format("port", "port-id", "{name}"), "enable", "disable", "PORT"),
                **_states(_NOKIA.format("card", "slot-number", "{slot}"), "enable", "disable", "CARD"),
            }
        ),
        "huawei-vrp": XmlModel(admin_lines=_states(_HUAWEI, "up", "down", "PORT")),
    }
)
"""Models by driver: nokia-conf of SR OS, huawei-ifm of VRP 8. Other models are read and edited without knowing them."""

GENERIC_MODEL = XmlModel()
