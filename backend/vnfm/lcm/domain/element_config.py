"""The network elements of a VNF, and the first (day-one) configuration of each."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vnfm.catalog.domain.config_template import names, numbered_words, render
from vnfm.catalog.domain.element import DayOne, ElementSpec
from vnfm.catalog.domain.settings import effective_settings
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.kit.problem import FieldError
from vnfm.kit.xml import is_xml

NOT_MANAGED = "The element is not managed: {why}."
NO_ELEMENT_SPEC = "the package does not say how"
NO_POLICY = "no mediation policy was chosen, and no management profile fits"
DECLINED = "the request declines it"
ONLY_IN_XML = "the package says {what} in XML, and the element is configured at its command line"
ONLY_IN_COMMANDS = "the package says {what} in commands, and the element is configured by NETCONF"
NOT_LOADED = "Its first configuration is not loaded: neither a NETCONF nor an SSH policy was chosen."


def language_mismatch(texts: Collection[str], what: str, by_netconf: Collection[bool]) -> str:
    """Return why elements cannot be configured with those templates, as half a sentence; "" where they can.

    `by_netconf`: whether each element has a NETCONF policy: such an element takes XML, the others commands.
    """
    in_xml = {is_xml(text) for text in texts}
    if not in_xml or (len(in_xml) == 1 and in_xml == set(by_netconf)):
        return ""
    return (ONLY_IN_XML if False in by_netconf and True in in_xml else ONLY_IN_COMMANDS).format(what=what)


@dataclass(frozen=True, slots=True)
class Component:
    """A recorded VNFC. `addresses` by connection point id."""

    vdu_id: str
    slot: str
    name: str
    addresses: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PlannedElement:
    """A network element of the VNF: one VNFC (`component`), or the whole VNF with its VNFCs as cards (None)."""

    name: str
    address: str
    component: Component | None = None

    @property
    def key(self) -> str:
        """Unique within the VNF."""
        return self.component.slot if self.component else ""


def policy_errors(vnfd: Vnfd, policies: Mapping[str, Any]) -> list[FieldError]:
    """Errors that the VNFD alone shows."""
    if policies and vnfd.element is None:
        return [
            FieldError(f"/additionalParams/{name}", "The package does not say how it is managed.") for name in policies
        ]
    errors = [
        FieldError(f"/additionalParams/{name}", "Give the name or the id of a mediation policy.")
        for name, value in policies.items()
        if not isinstance(value, str) or not value
    ]
    if policies and "snmpPolicy" not in policies:
        errors.append(
            FieldError(
                "/additionalParams/snmpPolicy", "Without one it cannot be seen whether the element is in service."
            )
        )
    return errors


def planned_elements(
    spec: ElementSpec, vnf_name: str, settings: Mapping[str, Any], components: Sequence[Component]
) -> list[PlannedElement]:
    """Return them in the order of `components`; with the address "" where the cloud shows none."""
    if spec.per_component:
        own = [component for component in components if component.vdu_id == spec.per_component]
        return [PlannedElement(f"{vnf_name}-{one.slot}", one.addresses.get(spec.address_point, ""), one) for one in own]
    if spec.address_setting:
        return [PlannedElement(vnf_name, str(settings.get(spec.address_setting) or ""))]
    found = (one.addresses[spec.address_point] for one in components if spec.address_point in one.addresses)
    return [PlannedElement(vnf_name, next(found, ""))]


@dataclass(frozen=True, slots=True)
class ConfigRenderer:
    """The values for rendering the configuration templates of a VNF."""

    vnfd: Vnfd
    instance_id: str
    instance_name: str
    settings: Mapping[str, Any]
    """The operator's choices; defaults are added. Templates cannot use hidden settings."""

    def values(self, element: PlannedElement, component: Component | None) -> dict[str, str]:
        """Name → text, for the element as a whole or for one of its components."""
        found = {
            "instance.id": self.instance_id,
            "instance.name": self.instance_name,
            "element.name": element.name,
            "element.address": element.address,
        }
        hidden = {setting.name for setting in self.vnfd.settings if setting.hidden}
        chosen = effective_settings(self.vnfd, self.settings)
        found |= {f"setting.{name}": _text(value) for name, value in chosen.items() if name not in hidden}
        component = element.component or component
        if component is not None:
            found |= {f"component.{name}": text for name, text in _of(component).items()}
            found |= {f"address.{cp}": address for cp, address in component.addresses.items()}
        return found

    def configuration(
        self,
        element: PlannedElement,
        templates: Mapping[str, str],
        components: Sequence[Component],
        *,
        whole: bool,
    ) -> str:
        """The lines for these components and, with `whole`, for the element itself.

        Raises UndefinedNameError for an address that the cloud does not show, ValueError for a value that would be
        another command.
        """
        assert self.vnfd.element is not None, "only an element is configured"
        pieces = []
        for entry in self.vnfd.element.day_one:
            text = templates[entry.template]
            if entry.vdu_id:
                own = [one for one in components if one.vdu_id == entry.vdu_id]
                pieces += [piece for one in own for piece in self._pieces(entry, text, self.values(element, one))]
            elif whole:
                pieces += self._pieces(entry, text, self.values(element, None))
        return "\n".join(pieces)

    def removals(
        self, element: PlannedElement, templates: Mapping[str, str], components: Sequence[Component]
    ) -> list[str]:
        """The lines that remove these components from its configuration, one text each. Raises as `configuration`."""
        assert self.vnfd.element is not None, "only an element is configured"
        entries = [entry for entry in reversed(self.vnfd.element.day_one) if entry.removal]
        return [
            piece
            for entry in entries
            for one in components
            if one.vdu_id == entry.vdu_id
            for piece in self._pieces(entry, templates[entry.removal], self.values(element, one))
        ]

    @staticmethod
    def _pieces(entry: DayOne, text: str, values: Mapping[str, str]) -> list[str]:
        """The template rendered once, or once for each word of the entry's setting."""
        if not entry.for_each:
            return [render(text, values)]
        words = numbered_words(values.get(f"setting.{entry.for_each}", ""))
        return [render(text, {**values, "item.number": number, "item.value": value}) for number, value in words]

    def value_error(self, templates: Mapping[str, str]) -> str:
        """Return a sentence: why a value known before there are VMs does not fit a configuration; "" when all do."""
        known = self.values(PlannedElement(self.instance_name, ""), None)
        for text in templates.values():
            try:
                render(text, {name: known.get(name, "") for _, name in names(text)})
            except ValueError as error:
                return str(error)
        return ""


def _text(value: Any) -> str:
    """The text form in a configuration."""
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _of(component: Component) -> dict[str, str]:
    return {"vdu": component.vdu_id, "slot": component.slot, "name": component.name}
