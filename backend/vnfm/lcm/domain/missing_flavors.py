"""Nova flavors that the cloud lacks: created where its user may and the request does not forbid it, else refused."""

from dataclasses import asdict

from vnfm.catalog.domain.flavors import FlavorChoice, create_command
from vnfm.catalog.domain.vnfd import ResourceNeeds, Vdu
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.plan import Artefact, PlannedFlavor, PlannedResource, flavor_for, flavor_name
from vnfm.lcm.domain.plan_builder import PlanBuilder
from vnfm.lcm.domain.request_params import CREATE_FLAVORS


def create_or_refuse(
    builder: PlanBuilder, vdu: Vdu, needs: ResourceNeeds, choice: FlavorChoice
) -> PlannedFlavor | None:
    """Plan the creation of a flavor with exactly these needs; None after an error where that may not be."""
    reason = f"{choice.reason} {_why_disk(builder, vdu, needs)}".strip()
    name = flavor_name(builder.vnfd, vdu, needs)
    command = create_command(flavor_for(name, needs))
    planned = PlannedFlavor(vdu.id, vdu.flavor_parameter, name, "to_create", asdict(needs), (), reason, command=command)
    if why_not := _why_not(builder):
        builder.missing_flavors.append(planned)
        message = f"{vdu.name}: {reason} {why_not} {command}"
        builder.errors.append(FieldError(f"/additionalParams/{vdu.flavor_parameter}", message))
        return None
    builder.artefacts.append(Artefact("flavor", name, vdu.id))
    builder.resources.append(PlannedResource("create", "flavor", name, "no flavor of the cloud fits"))
    return planned


def _why_disk(builder: PlanBuilder, vdu: Vdu, needs: ResourceNeeds) -> str:
    """Return a sentence that says who needs a disk of that size; "" where no disk is needed."""
    own = builder.target.flavour.needs_of(vdu).disk_gib
    images = {image.id: image for image in builder.vnfd.software_images}
    image = images.get(vdu.software_image)
    if not needs.disk_gib:
        return ""
    if needs.disk_gib > own:
        return f"The VMs of {vdu.id} that run have a disk of {needs.disk_gib} GiB, and Nova makes none smaller."
    if image is not None and image.min_disk_gib == needs.disk_gib:
        return f"The disk of {needs.disk_gib} GiB is what image {image.name} of {vdu.id} needs (min_disk)."
    return f"The disk of {needs.disk_gib} GiB is in the VNFD, among the needs of VDU {vdu.id}."


def _why_not(builder: PlanBuilder) -> str:
    """Return why no flavor is created, up to the command for an administrator; "" where one is."""
    agreed, may = builder.target.create_flavors, builder.view.may_create_flavors
    if may is False:
        since = f" (since {builder.view.may_create_flavors_since})" if builder.view.may_create_flavors_since else ""
        return f"The user of this cloud may not create flavors{since}. An administrator can create it:"
    if agreed or (agreed is None and may):
        return ""
    right = "" if may else "Whether the user of this cloud may create flavors is not known. "
    return f'{right}Allow the creation, "{CREATE_FLAVORS}": true, or have an administrator create it:'
