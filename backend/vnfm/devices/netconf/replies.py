"""What a NETCONF server says: capabilities, and rpc-errors as our taxonomy with its own words (RFC 6241, 4.3)."""

from vnfm.devices.errors import DeviceError, DeviceRejected, Locked, NotSupported, Refused
from vnfm.kit.xml import Node

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
"""By error-tag; every other one is a refusal of what was asked (RFC 6241, appendix A)."""


def capabilities_of(hello: Node) -> frozenset[str]:
    """Those of the standard by their short name with version (`candidate:1.0`), others by URI, parameters left out."""
    listed = hello.find("capabilities")
    uris = [one.text.strip() for one in listed.children] if listed is not None else []
    plain = (uri.partition("?")[0].removeprefix(_CAPABILITY) for uri in uris)
    return frozenset(uri for uri in plain if uri)


def error_of(reply: Node, address: str, operation: str) -> DeviceError | None:
    """The first error in it, with the words of all; warnings are none."""
    errors = [one for one in reply.children if one.name == "rpc-error" and one.said("error-severity") != "warning"]
    if not errors:
        return None
    words = "; ".join(_words(one) for one in errors)[:2000]
    told = f"{address} refuses {operation}: {words}"
    kind = _KINDS.get(errors[0].said("error-tag"), DeviceRejected)
    return DeviceRejected(told, address=address, words=words) if kind is DeviceRejected else kind(told, address=address)


def _words(error: Node) -> str:
    tag, message, path = (error.said(part) for part in _PARTS)
    words = f"{message} ({tag})" if message and tag else message or tag or "an error without a word"
    return f"{words} at {path}" if path else words
