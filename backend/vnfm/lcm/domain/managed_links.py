"""Internal virtual links that the NFVO made (SOL003 4.4.1.12 ExtManagedVirtualLinkData): networks that the package's
stack uses in place of its own, where its template can.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from vnfm.catalog.domain.vnfd import VirtualLink, Vnfd
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.request_types import ExtManagedVirtualLink

MANAGED_LINKS = "extManagedVirtualLinks"


def managed_link_ids(links: Iterable[ExtManagedVirtualLink]) -> dict[str, str]:
    """Virtual link of the VNFD → the NFVO's id of its network."""
    return {link.vnf_virtual_link_desc_id: link.id for link in links}


def choose_managed_networks(
    links: Sequence[ExtManagedVirtualLink], vnfd: Vnfd, chosen: dict[str, Any], fields: dict[str, str]
) -> list[FieldError]:
    """Add the network parameters of these links to `chosen`, and each parameter's pointer to `fields`; returns the
    errors, with why a template cannot take the network.
    """
    by_id = {link.id: link for link in vnfd.virtual_links}
    errors = []
    for i, managed in enumerate(links):
        link = by_id.get(managed.vnf_virtual_link_desc_id)
        if why := _why_not(managed.vnf_virtual_link_desc_id, link, by_id):
            errors.append(FieldError(f"/{MANAGED_LINKS}/{i}/vnfVirtualLinkDescId", why))
            continue
        assert link is not None, "an unknown one was refused"
        parameter, pointer = link.network_parameter, f"/{MANAGED_LINKS}/{i}/resourceId"
        if chosen.setdefault(parameter, managed.resource_id) != managed.resource_id:
            message = f"{parameter} is {chosen[parameter]!r} already, by another link or in additionalParams."
            errors.append(FieldError(pointer, message))
        fields.setdefault(parameter, pointer)
    return errors


def _why_not(vl_id: str, link: VirtualLink | None, known: Mapping[str, VirtualLink]) -> str:
    if link is None:
        able = [one.id for one in known.values() if one.internal and one.network_parameter]
        return f"The VNFD has no virtual link {vl_id!r}; {', '.join(able) or 'none'} may be managed by others."
    if not link.internal:
        return f"{link.name} is an external virtual link: name its connection points in extVirtualLinks."
    if link.fixed_network:
        return f"The template names the network of {link.name} itself: {link.fixed_network}."
    if not link.network_parameter:
        return f"The template makes the network of {link.name}, and has no parameter for an existing one."
    return ""
