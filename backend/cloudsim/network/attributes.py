"""The attributes of resources in requests: types, defaults and rights, with Neutron's messages."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cloudsim.core.errors import ApiFault

Check = Callable[[Any], Any]
"""A function that returns the value in its stored form, or raises ValueError with the reason."""

REQUIRED = object()
UNSET = object()


@dataclass(frozen=True, slots=True)
class Attr:
    """An attribute; ``default`` may be REQUIRED or UNSET (the handler decides); with ``admin`` others get a 403."""

    default: Any = UNSET
    check: Check | None = None
    post: bool = True
    put: bool = True
    admin: bool = False


def bad(message: str) -> ApiFault:
    return ApiFault(400, "HTTPBadRequest", message)


def invalid(name: str, reason: str) -> ApiFault:
    return bad(f"Invalid input for {name}. Reason: {reason}.")


def invalid_operation(reason: str) -> ApiFault:
    return ApiFault(400, "InvalidInput", f"Invalid input for operation: {reason}.")


def forbidden(action: str) -> ApiFault:
    return ApiFault(403, "PolicyNotAuthorized", f"rule:{action} is disallowed by policy")


def read(spec: Mapping[str, Attr], body: Any, *, kind: str, creating: bool, is_admin: bool) -> dict[str, Any]:
    """Return the checked attributes of a request. Raises ApiFault 400 or 403."""
    if not isinstance(body, dict):
        raise bad(f"Unable to find '{kind}' in request body")
    unknown = [name for name in body if name not in spec]
    if unknown:
        raise bad(f"Unrecognized attribute(s) '{', '.join(unknown)}'")
    found: dict[str, Any] = {}
    for name, attr in spec.items():
        if name in body:
            _refuse(name, attr, kind=kind, creating=creating, is_admin=is_admin)
            found[name] = _checked(name, attr, body[name])
        elif creating and attr.default is REQUIRED:
            raise bad(f"Failed to parse request. Required attribute '{name}' not specified")
        elif creating and attr.default is not UNSET:
            found[name] = attr.default() if callable(attr.default) else attr.default
    return found


def _refuse(name: str, attr: Attr, *, kind: str, creating: bool, is_admin: bool) -> None:
    if creating and not attr.post:
        raise bad(f"Attribute '{name}' not allowed in POST")
    if not creating and not attr.put:
        raise bad(f"Cannot update read-only attribute {name}")
    if attr.admin and not is_admin:
        raise forbidden(f"{'create' if creating else 'update'}_{kind}:{name}")


def _checked(name: str, attr: Attr, value: Any) -> Any:
    if attr.check is None:
        return value
    try:
        return attr.check(value)
    except ValueError as error:
        raise invalid(name, str(error)) from error


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"'{value}' is not a valid string")
    return value


def boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).lower()
    if word in {"true", "1"}:
        return True
    if word in {"false", "0"}:
        return False
    raise ValueError(f"'{value}' cannot be converted to boolean")


def integer(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"'{value}' is not a integer") from error


def between(least: int, most: int | None = None) -> Check:
    """Return a check for integers within bounds."""

    def check(value: Any) -> int:
        number = integer(value)
        if number < least:
            raise ValueError(f"'{value}' is too small - must be at least '{least}'")
        if most is not None and number > most:
            raise ValueError(f"'{value}' is too large - must be no larger than '{most}'")
        return number

    return check


_UUID = re.compile(r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)


def uuid(value: Any) -> str:
    if not isinstance(value, str) or not _UUID.fullmatch(value):
        raise ValueError(f"'{value}' is not a valid UUID")
    return value


def optional(check: Check) -> Check:
    return lambda value: None if value is None else check(value)


def one_of(*allowed: str) -> Check:
    def check(value: Any) -> str:
        if value not in allowed:
            raise ValueError(f"'{value}' is not in {list(allowed)}")
        return str(value)

    return check


def list_of(check: Check) -> Check:
    def checked(value: Any) -> list[Any]:
        if value is None:
            return []
        if not isinstance(value, list):
            raise ValueError(f"'{value}' is not a list")
        return [check(item) for item in value]

    return checked


def ip(value: Any) -> str:
    try:
        return str(ipaddress.ip_address(value))
    except ValueError as error:
        raise ValueError(f"'{value}' is not a valid IP address") from error


def cidr(value: Any) -> str:
    try:
        network = ipaddress.ip_network(value, strict=False)
    except ValueError as error:
        raise ValueError(f"'{value}' is not a valid IP subnet") from error
    if "/" not in str(value) or str(network) != str(value).lower():
        raise ValueError(f"'{value}' isn't a recognized IP subnet cidr, '{network}' is recommended")
    return str(network)


_MAC = re.compile(r"([0-9a-f]{2}:){5}[0-9a-f]{2}")


def mac(value: Any) -> str:
    word = str(value).lower()
    if not _MAC.fullmatch(word):
        raise ValueError(f"'{value}' is not a valid MAC address")
    return word


def fixed_ip(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not set(value) <= {"subnet_id", "ip_address"} or not value:
        raise ValueError(f"'{value}' is not a valid fixed IP")
    found = {}
    if value.get("subnet_id"):
        found["subnet_id"] = uuid(value["subnet_id"])
    if value.get("ip_address"):
        found["ip_address"] = ip(value["ip_address"])
    return found


def address_pair(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not value.get("ip_address") or set(value) - {"ip_address", "mac_address"}:
        raise ValueError(f"'{value}' is not a valid address pair")
    try:
        ipaddress.ip_network(value["ip_address"], strict=False)
    except ValueError as error:
        raise ValueError(f"'{value['ip_address']}' is not a valid IP subnet") from error
    pair = {"ip_address": str(value["ip_address"])}
    if value.get("mac_address"):
        pair["mac_address"] = mac(value["mac_address"])
    return pair


COMMON = {
    "name": Attr("", text),
    "tenant_id": Attr(UNSET, text, put=False),
    "project_id": Attr(UNSET, text, put=False),
}
"""The common attributes; ``project_id`` is newer than Liberty, but today's clients send it with ``tenant_id``."""
