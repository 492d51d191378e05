"""Capabilities of a NETCONF server, and its rpc-errors mapped to our taxonomy (RFC 6241, 4.3)."""

from vnfm.devices.errors import DeviceError, DeviceRejected, Locked, NotSupported, Refused
from vnfm.kit.xml import XmlNode

BASE = "urn:ietf:params:xml:ns:netconf:base:1.0"
BASE_1_0, BASE_1_1 = "urn:ietf:params:netconf:base:1.0", "urn:ietf:params:netconf:base:1.1"
_CAPABILITY = "urn:ietf:params:netconf:capability:"
_PARTS = ("error-tag", "error-message", "error-path")

_KINDS: dict[str, type[DeviceError]] = {
    "lock-denied": Locked,
    "in-use": Locked,
    "access-denied": Refused,
    "operation-not-supported": NotSupported,
}
"""error-tag (RFC 6241, appendix A) → error; all others are DeviceRejected."""


def capabilities_of(hello: XmlNode) -> frozenset[str]:
    """Standard ones by short name and version (`candidate:1.0`), others by URI; without parameters."""
    listed = hello.find("capabilities")
    uris = [child.text.strip() for child in listed.children] if listed is not None else []
    plain = (uri.partition("?")[0].removeprefix(_CAPABILITY) for uri in uris)
    return frozenset(uri for uri in plain if uri)


def error_of(reply: XmlNode, address: str, operation: str) -> DeviceError | None:
    """The class of the first error with the texts of all; None without errors. Warnings do not count."""
    errors = [
        one for one in reply.children if one.name == "rpc-error" and one.child_text("error-severity") != "warning"
    ]
    if not errors:
        return None
    words = "; ".join(_words(one) for one in errors)[:2000]
    message = f"{address} refuses {operation}: {words}"
    kind = _KINDS.get(errors[0].child_text("error-tag"), DeviceRejected)
    return (
        DeviceRejected(message, address=address, words=words)
        if kind is DeviceRejected
        else kind(message, address=address)
    )


def _words(error: XmlNode) -> str:
    tag, message, path = (error.child_text(part) for part in _PARTS)
    words = f"{message} ({tag})" if message and tag else message or tag or "an error without a message"
    return f"{words} at {path}" if path else words
