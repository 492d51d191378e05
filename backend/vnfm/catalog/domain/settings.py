"""Validates the operator's settings against the VNFD, as Heat would, before a cloud is called."""

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from ipaddress import IPv4Address, IPv4Network
from typing import Any

from hot.constraints import Constraint, holds
from hot.patterns import PatternError, UncheckedError
from vnfm.catalog.domain.vnfd import AddressPlan, Setting, SettingType, Vnfd
from vnfm.clouds.types import Network
from vnfm.kit.problem import FieldError

_TYPE_WORDS = {
    "string": "text",
    "number": "a number",
    "boolean": "true or false",
    "list": "a list (or text with commas)",
    "json": "an object or a list",
}
_SMALLEST_SUBNET_WITH_BROADCAST = 30


def validate_settings(vnfd: Vnfd, values: Mapping[str, Any]) -> list[FieldError]:
    """The errors of `values` (additionalParams), each at its pointer; empty when there are none.

    Checks names, types, HOT constraints, address formats and the address plans, but not what only a cloud knows
    (whether a flavor, image or network exists).
    """
    errors = {name: message for name, message in _single_errors(vnfd, values) if message}
    known = {name: value for name, value in effective_settings(vnfd, values).items() if name not in errors}
    for plan in vnfd.address_plans:
        for name, message in _plan_errors(plan, known):
            errors.setdefault(name, message)
    return [FieldError(f"/additionalParams/{_escaped(name)}", message) for name, message in errors.items()]


def effective_settings(vnfd: Vnfd, values: Mapping[str, Any]) -> dict[str, Any]:
    """Every setting with the operator's value, or else its default; without unknown names."""
    found = {
        setting.name: setting.default if values.get(setting.name) is None else values[setting.name]
        for setting in vnfd.settings
    }
    following = {one.name: found[one.follows] for one in vnfd.settings if one.follows in found}
    return found | {name: value for name, value in following.items() if values.get(name) is None}


def network_errors(vnfd: Vnfd, link_id: str, settings: Mapping[str, Any], network: Network) -> list[FieldError]:
    """Return an error when the network chosen for the link does not have the subnet of the fixed addresses.

    A network whose subnets are not visible has no errors.
    """
    subnets = [subnet.cidr for subnet in network.subnets]
    return [
        FieldError(
            f"/additionalParams/{_escaped(plan.cidr)}",
            f"Network {network.name} has no subnet {settings.get(plan.cidr)}, but {', '.join(subnets)}.",
        )
        for plan in vnfd.address_plans
        if plan.virtual_link == link_id and subnets and settings.get(plan.cidr) not in subnets
    ]


def addresses_on(vnfd: Vnfd, link_id: str, settings: Mapping[str, Any]) -> dict[str, str]:
    """The settings with fixed addresses on the link, and the addresses."""
    names = [name for plan in vnfd.address_plans if plan.virtual_link == link_id for name in plan.addresses]
    return {name: str(settings[name]) for name in names if settings.get(name)}


def setting_error(setting: Setting, value: Any) -> str:
    """Why the setting does not accept `value`, as a sentence; "" when it does."""
    if not _fits(setting.type, value):
        return f"{_abbreviated(value)} does not fit: this setting takes {_TYPE_WORDS[setting.type]}."
    if value == "" and not setting.required and setting.default in ("", None):
        return ""
    return _format_error(setting, value) or value_error(setting.type, setting.constraints, value)


def value_error(kind: SettingType, constraints: Iterable[Constraint], value: Any) -> str:
    """Why a HOT parameter of this type does not accept the value, as a sentence; "" when it does."""
    # Heat takes any JSON for the type of a template, and "" for none.
    if not _fits(kind, value) and not (kind == "json" and (isinstance(value, int | float) or value == "")):
        return f"{_abbreviated(value)} does not fit: it takes {_TYPE_WORDS[kind]}."
    return next((message for message in (_constraint_error(rule, value) for rule in constraints) if message), "")


def _single_errors(vnfd: Vnfd, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        setting = vnfd.setting(name)
        if setting is None:
            yield name, _unknown(vnfd, name)
        elif value is not None:
            yield name, setting_error(setting, value)
    for setting in vnfd.settings:
        if setting.required and values.get(setting.name) is None and setting.default is None:
            yield setting.name, f"{setting.label} is required."


def _unknown(vnfd: Vnfd, name: str) -> str:
    suggest = difflib.get_close_matches(name, [setting.name for setting in vnfd.settings], n=1)
    hint = f" Did you mean {suggest[0]}?" if suggest else ""
    return f"{vnfd.product_name} {vnfd.software_version} has no setting {name!r}.{hint}"


def _fits(kind: str, value: Any) -> bool:
    if kind == "string":
        return isinstance(value, str)
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "list":
        return isinstance(value, str) or (isinstance(value, list) and all(isinstance(item, str) for item in value))
    return isinstance(value, dict | list)


def _format_error(setting: Setting, value: Any) -> str:
    if setting.format == "ipv4":
        return "" if _address(value) else f"{_abbreviated(value)} is not an IPv4 address such as 192.0.2.10."
    if setting.format == "cidr":
        return _cidr_error(value)
    return ""


def _cidr_error(value: Any) -> str:
    try:
        loose = IPv4Network(value, strict=False)
    except ValueError:
        return f"{_abbreviated(value)} is not an IPv4 network in CIDR form such as 192.0.2.0/24."
    if "/" not in str(value):
        return f"{_abbreviated(value)} has no prefix length; write it as {loose.network_address}/24, for instance."
    if _network(value) is None:
        return f"{_abbreviated(value)} names a host; the network is {loose}."
    return ""


def _constraint_error(rule: Constraint, value: Any) -> str:
    try:
        if holds(rule, value):
            return ""
    except UncheckedError:
        return ""  # Heat checks it.
    except PatternError as error:
        return str(error)
    if rule.description:
        return f"{_abbreviated(value)} is not accepted: {rule.description}"
    return _WRONG[rule.kind](rule.spec, value)


def _outside(measured: float, bounds: Mapping[str, Any], unit: str = "") -> str:
    words = (("at least", bounds.get("min")), ("at most", bounds.get("max")))
    limits = " and ".join(f"{word} {bound}" for word, bound in words if bound is not None)
    return f"{measured} is outside the limits: {limits} {unit}".rstrip() + "."


_WRONG: Mapping[str, Callable[[Any, Any], str]] = {
    "length": lambda spec, value: _outside(len(value), spec, "characters or items"),
    "range": lambda spec, value: _outside(value, spec),
    "modulo": lambda spec, value: f"{value} is not {spec['offset']} and a multiple of {spec['step']}.",
    "allowed_values": lambda spec, value: f"{_abbreviated(value)} is not one of {', '.join(map(str, spec))}.",
    "allowed_pattern": lambda spec, value: f"{_abbreviated(value)} does not match the pattern {spec}.",
}
"""Kind of a constraint to the sentence about a value that does not obey it."""


def _plan_errors(plan: AddressPlan, known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    subnet = _network(known.get(plan.cidr))
    if subnet is None:
        return
    gateway = _address(known.get(plan.gateway)) if plan.gateway else None
    if gateway is not None:
        yield from _placed(plan.gateway, gateway, subnet)
    used: dict[IPv4Address, str] = {}
    for name in plan.addresses:
        address = _address(known.get(name))
        if address is None:
            continue
        yield from _placed(name, address, subnet)
        if address == gateway:
            yield name, f"{address} is the gateway's address ({plan.gateway})."
        elif address in used:
            yield name, f"{address} is already used by {used[address]}."
        used.setdefault(address, name)


def _placed(name: str, address: IPv4Address, subnet: IPv4Network) -> Iterator[tuple[str, str]]:
    if address not in subnet:
        yield name, f"{address} is not in the network {subnet}."
    elif subnet.prefixlen <= _SMALLEST_SUBNET_WITH_BROADCAST:
        if address == subnet.network_address:
            yield name, f"{address} is the network address of {subnet}; take one of its hosts."
        elif address == subnet.broadcast_address:
            yield name, f"{address} is the broadcast address of {subnet}; take one of its hosts."


def _address(value: Any) -> IPv4Address | None:
    try:
        return IPv4Address(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _network(value: Any) -> IPv4Network | None:
    try:
        return IPv4Network(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _abbreviated(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "…"  # noqa: PLR2004 (a line of a form)


def _escaped(name: str) -> str:
    """One reference token of a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")
