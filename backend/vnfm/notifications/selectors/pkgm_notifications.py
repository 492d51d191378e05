"""Notifications of the VNF package management interface (SOL005 9.5.2.8 and 9.5.2.9)."""

from typing import Any

from vnfm.kit.durable.outbox import Event
from vnfm.kit.etsi.links import link
from vnfm.notifications.domain.matching import FilterSubject, VnfIdentity
from vnfm.notifications.domain.notification import Notification

ONBOARDED, CHANGED = "VnfPackageOnboardingNotification", "VnfPackageChangeNotification"
VNFM_INFO = ["vnfm"]
"""VNFMs that manage it: this one."""
TYPES = [ONBOARDED, CHANGED]


def package_notification(event: Event, edition: str = "v1") -> Notification | None:
    """For a package that was onboarded, enabled, disabled or deleted; None for other changes."""
    package: dict[str, str] = event.payload.get("package", {})
    if not package:
        return None
    change = event.payload.get("change", "")
    kind = CHANGED if change else ONBOARDED
    body: dict[str, Any] = {"vnfPkgId": str(event.aggregate_id), "vnfdId": package["vnfdId"]}
    if change:
        state = {"operationalState": package["operationalState"]} if change == "OP_STATE_CHANGE" else {}
        body |= {"changeType": change, **state}
    else:
        body["vnfmInfo"] = VNFM_INFO
    traits = {
        "notificationTypes": {kind},
        "vnfdId": {package["vnfdId"]},
        "vnfPkgId": {str(event.aggregate_id)},
        "operationalState": {package["operationalState"]},
        "usageState": {package["usageState"]},
    }
    vnf = VnfIdentity(
        id="",
        name="",
        vnfd_id=package["vnfdId"],
        provider=package["provider"],
        product=package["product"],
        software_version=package["softwareVersion"],
        vnfd_version=package["vnfdVersion"],
    )
    links = {"vnfPackage": link(f"/vnfpkgm/{edition}/vnf_packages/{event.aggregate_id}")}
    return Notification(kind, event.aggregate_id, body, links, FilterSubject(vnf=vnf, traits=traits))
