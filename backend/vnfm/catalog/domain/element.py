"""The VNF as a network element: its driver, address, cards and first configuration."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SECONDS_TO_SERVE = 900
"""Default: a distributed router boots its control VMs first, and then card by card."""


@dataclass(frozen=True, slots=True)
class DayOne:
    """A file of the package with first configuration, see `config_template`."""

    template: str
    vdu_id: str = ""
    """Rendered once for each VNFC of this VDU; "" for the element as a whole."""
    removal: str = ""
    """File that removes what `template` configured, when a VNFC is removed; "" for none."""
    for_each: str = ""
    """Setting with words such as `mda/1=m20-v`: rendered once for each of them; "" for once."""


@dataclass(frozen=True, slots=True)
class PingSpec:
    """A destination that the element must reach."""

    address: str
    """An address, or a template of one; a template whose value is empty is not pinged."""
    routing_instance: str = ""
    """In which routing instance, such as `management` of SR OS; "": the base instance."""


@dataclass(frozen=True, slots=True)
class ElementSpec:
    """One element for the whole VNF, or one for each VNFC of a VDU. No secrets: the operator selects policies."""

    driver: str
    address_setting: str = ""
    """Setting with the management address (such as one that moves between control VMs); else `address_point`."""
    address_point: str = ""
    """Connection point with the management address: of the element's VNFC, else of the VNFC in the first slot."""
    per_component: str = ""
    """VDU each of whose VNFCs is an element of its own; "" when the VNF is one element."""
    cards: tuple[str, ...] = ()
    """VDUs whose VNFCs are cards of the element, joined by slot."""
    day_one: tuple[DayOne, ...] = ()
    ping: tuple[PingSpec, ...] = ()
    seconds_to_serve: int = SECONDS_TO_SERVE
    configures_snmp: bool = False
    """Whether a new element has no SNMP access yet, and gets that of its mediation policy."""


def _day_one(entry: Mapping[str, Any]) -> DayOne:
    return DayOne(entry["template"], entry.get("vdu", ""), entry.get("removal", ""), entry.get("forEach", ""))


def _ping(entry: str | Mapping[str, Any]) -> PingSpec:
    if isinstance(entry, str):
        return PingSpec(entry)
    return PingSpec(entry["address"], entry.get("routingInstance", ""))


def read_element(data: Mapping[str, Any]) -> ElementSpec:
    """From `element` in vnfd.yaml, which has passed the schema."""
    address = data["managementAddress"]
    return ElementSpec(
        driver=data["driver"],
        address_setting=address.get("setting", ""),
        address_point=address.get("connectionPoint", ""),
        per_component=data.get("perComponentOf", ""),
        cards=tuple(data.get("cards", ())),
        day_one=tuple(_day_one(entry) for entry in data.get("dayOne", ())),
        ping=tuple(_ping(entry) for entry in data.get("ping", ())),
        seconds_to_serve=data.get("secondsToServe", SECONDS_TO_SERVE),
        configures_snmp=data.get("configureSnmp", False),
    )
