"""Checks against the lists that a chosen cloud gave: resource types, functions and extensions. Silent without them."""

from collections.abc import Iterator, Mapping

from hot.language import FUNCTIONS, LIBERTY, VERSIONS, is_call
from hot.schemas import ResourceType, resource_type
from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.hot.check import Check
from vnfm.catalog.domain.hot.checks.language import calls
from vnfm.catalog.domain.hot.checks.resources import heat_resources, known_resources
from vnfm.catalog.domain.hot.templates import TemplateSet

_ALIASED = ("OS::Quantum", "OS::Metering")
"""Beginnings of old names that every Heat's own environment maps to others (etc/heat/environment.d/default.yaml)."""
_EXTENSIONS: Mapping[tuple[str, str], str] = {
    ("OS::Neutron::Port", "port_security_enabled"): "port-security",
    ("OS::Neutron::Net", "port_security_enabled"): "port-security",
    ("OS::Neutron::Port", "allowed_address_pairs"): "allowed-address-pairs",
    ("OS::Neutron::Port", "qos_policy"): "qos",
    ("OS::Neutron::Net", "qos_policy"): "qos",
    ("OS::Neutron::Port", "dns_name"): "dns-integration",
    ("OS::Neutron::Net", "dns_domain"): "dns-integration",
}
"""Properties that Heat takes everywhere, and Neutron with an extension only (neutron_lib/api/definitions)."""


def types_lacking(templates: TemplateSet) -> Iterator[PackageFault]:
    """Types that the chosen cloud does not list, other than those that are too new for it."""
    target = templates.target
    for template, use, name in heat_resources(templates) if target.types else ():
        kind = resource_type(name)
        if name in target.types or name.startswith(_ALIASED) or (kind and _may_be_unlisted(kind, target.release)):
            continue
        why = "no plugin for it" if kind is None else "no service for it, or does not allow it to this user"
        message = (
            f"The Heat of {target.name} does not offer {name}: the cloud has {why}. Do without it, or deploy this on "
            "other clouds."
        )
        yield template.document.fault((*use.where, "type"), message)


def _may_be_unlisted(kind: ResourceType, release: int) -> bool:
    """Heat does not list hidden types, types that later releases keep as hidden placeholders, and newer types."""
    return kind.hidden or (kind.gone and release > LIBERTY) or kind.since > release


def extensions_lacking(templates: TemplateSet) -> Iterator[PackageFault]:
    target = templates.target
    for template, use, kind in known_resources(templates) if target.extensions else ():
        if kind.name not in (target.types or {kind.name}):
            continue  # Found by another check.
        needed = {(*use.where, "type"): kind.extension}
        for name, value in use.properties.items():
            if value not in (None, "", []) and not is_call(value):
                needed[(*use.where, "properties", name)] = _EXTENSIONS.get((kind.name, name), "")
        for where, extension in needed.items():
            if extension and extension not in target.extensions:
                message = (
                    f"This needs Neutron's extension {extension}, which {target.name} has not loaded. Do without it, "
                    "or deploy this on other clouds."
                )
                yield template.document.fault(where, message)


def networks_forbidden(templates: TemplateSet) -> Iterator[PackageFault]:
    """Networks that the stack creates for other projects too, where the user may not: Neutron refuses them."""
    target = templates.target
    for template, use, kind in known_resources(templates) if target.may_share is False else ():
        if kind.name not in ("OS::Neutron::Net", "OS::Neutron::ProviderNet"):
            continue
        written = [("shared", use.properties.get("shared")), *_extra(use.properties.get("value_specs"))]
        if kind.name == "OS::Neutron::ProviderNet":
            written += [(name, use.properties.get(name)) for name in ("router_external", "network_type")]
        for name, value in written:
            if value in (None, "") or is_call(value) or value in _NO or (name not in _FOR_ALL):
                continue
            key = name if name in use.properties else "value_specs"
            message = (
                f"{use.name} is a network with {name}: {value}, and this user may create none on {target.name}: "
                "Neutron allows it to administrators. Ask one to create it, and use that network by a parameter "
                "instead; or register the cloud with a user who may."
            )
            yield template.document.fault((*use.where, "properties", key), message)


_FOR_ALL = frozenset({"shared", "router:external", "router_external", "network_type", "provider:network_type"})
_NO = (False, "false", "False", "no", "off", 0, "0")


def _extra(value_specs: object) -> list[tuple[str, object]]:
    """Attributes that Heat hands to Neutron as they are."""
    return [*value_specs.items()] if isinstance(value_specs, Mapping) and not is_call(value_specs) else []


def functions_lacking(templates: TemplateSet) -> Iterator[PackageFault]:
    """Functions of the template's version that the chosen cloud's Heat does not list for it."""
    target = templates.target
    for template, call in calls(templates):
        known, release = target.functions_of(template.version), VERSIONS.get(template.version, 0)
        if known and call.function not in known and 0 < FUNCTIONS.get(call.function, 0) <= release:
            message = (
                f"The Heat of {target.name} has no function {call.function} in heat_template_version "
                f"{template.version}. Do without it, or deploy this on other clouds."
            )
            yield template.document.fault(call.where, message)


CHECKS = (
    Check("TYPE_LACKING", "warning", "resource types that the cloud does not offer", types_lacking, "error"),
    Check("EXTENSION_LACKING", "warning", "extensions that Neutron has not loaded", extensions_lacking, "error"),
    Check("NETWORK_FORBIDDEN", "warning", "networks that this user may not create", networks_forbidden, "error"),
    Check("FUNCTION_LACKING", "warning", "functions that the cloud's Heat does not have", functions_lacking, "error"),
)
