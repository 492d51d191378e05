"""Set the admin state of a port or card: checks, and a job for a worker."""

from datetime import datetime

from vnfm.configuration.domain.admin_state import admin_state_text, management_interface_on
from vnfm.configuration.domain.dialects import DIALECTS
from vnfm.configuration.domain.language import Language
from vnfm.configuration.domain.xml import GENERIC_MODEL, MODELS
from vnfm.configuration.models import ConfigurationJob
from vnfm.configuration.services.jobs import job_create, require_login
from vnfm.configuration.services.versions import Reason
from vnfm.elements.models import Equipment, Interface, NetworkElement
from vnfm.kit.problem import FieldError, conflict, not_found, unprocessable


def admin_state_start(
    *,
    element: NetworkElement,
    fdn: str,
    admin_state: str,
    dry_run: bool,
    by: str,
    now: datetime,
    even_if_path_unknown: bool = False,
) -> ConfigurationJob:
    """Set a port or card UP or DOWN.

    Raises 404 for an unknown part, 422 for one without an admin state, and 409 for DOWN of one through which the
    element is managed, or, unless `even_if_path_unknown`, of which that is unknown.
    """
    require_login(element)
    part = Equipment.objects.filter(element=element, fdn=fdn).first()
    if part is None:
        raise not_found(f"part of {element.name}", fdn)
    by_netconf = element.netconf_policy_id is not None
    language: Language = MODELS.get(element.driver, GENERIC_MODEL) if by_netconf else DIALECTS[element.driver]
    if not admin_state_text(language, part, admin_state):
        words = f"{language.name} cannot set the admin state of a {part.equipment_class}."
        raise unprocessable("NOT_SWITCHABLE", words, [FieldError("/fdn", words)], "Choose a port, or a card of SR OS.")
    if admin_state == "DOWN":
        require_other_path(element, part, even_if_unknown=even_if_path_unknown)
    return job_create(
        element,
        ConfigurationJob.Kind.ADMIN_STATE,
        now,
        dry_run=dry_run,
        reason=Reason.ADMIN_STATE,
        by=by,
        fdn=fdn,
        admin_state=admin_state,
        even_if_path_unknown=even_if_path_unknown,
    )


def require_other_path(element: NetworkElement, part: Equipment, *, even_if_unknown: bool) -> None:
    """Raises 409 for a part through which the element is managed, or of which that is unknown."""
    ports = Equipment.objects.filter(element=element, equipment_class=Equipment.Class.PORT)
    interfaces = Interface.objects.filter(element=element)
    address = element.management_address
    interface = management_interface_on(part, ports, interfaces, address)
    if interface:
        words = f"{element.name} is managed by {address}, which is the address of {interface} on it."
        raise conflict("MANAGEMENT_PATH", words, "Manage the element by another address first.")
    if interface is None and not even_if_unknown:
        words = (
            f"{element.name} is managed by {address}, and through which port is unknown. "
            "If it is this one, it cannot be brought up again from here."
        )
        next_step = "Make sure that there is another path to it, then repeat with evenIfManagementPathUnknown."
        raise conflict("MANAGEMENT_PATH_UNKNOWN", words, next_step)
