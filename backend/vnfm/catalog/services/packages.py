"""Package management (SOL005 clause 9): create, modify and delete. `onboarding` fills a package with content."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import ProtectedError

from vnfm.catalog.artifacts import store
from vnfm.catalog.models import PackageFile, VnfPackage
from vnfm.catalog.selectors import package_get
from vnfm.kit.durable import outbox
from vnfm.kit.problem import bad_request, conflict
from vnfm.kit.web.http import json_size

TOPIC = "vnf_package.changed"
USER_DATA_BYTES = 64 * 1024
_STORE_LOCK = 0x76_6E_66_73
"""Advisory lock of PostgreSQL: adding rows that need an object, and removing objects that no row needs."""


def package_create(*, user_defined_data: Mapping[str, Any]) -> VnfPackage:
    """Create an empty package."""
    _check_user_data(user_defined_data)
    with transaction.atomic():
        package = VnfPackage.objects.create(user_defined_data=dict(user_defined_data))
        outbox.publish(TOPIC, package.id, package.version)
    return package_get(package_id=package.id)


def package_modify(
    *,
    package_id: UUID,
    precondition: Callable[[int], None],
    operational_state: str | None,
    user_defined_data: Mapping[str, Any] | None,
) -> None:
    """Enable or disable the package, merge user data (null removes a key); `precondition` checks the stored version.

    A disabled package allows no new instances; existing ones are not affected.
    """
    with transaction.atomic():
        package = lock_package(package_id)
        precondition(package.version)
        payload: dict[str, Any] = {}
        if operational_state is not None:
            if package.onboarding_state != VnfPackage.OnboardingState.ONBOARDED:
                raise conflict("PACKAGE_NOT_ONBOARDED", "The package has no content yet.", "Upload its content first.")
            if package.operational_state == operational_state:
                state = package.get_operational_state_display().lower()
                raise conflict("SAME_STATE", f"The package is {state} already.", "Nothing to do.")
            package.operational_state = operational_state
            payload = _change_event(package, "OP_STATE_CHANGE")
        if user_defined_data is not None:
            merged = {**package.user_defined_data, **user_defined_data}
            package.user_defined_data = {key: value for key, value in merged.items() if value is not None}
            _check_user_data(package.user_defined_data)
        save_package(package, payload)


def package_delete(*, package_id: UUID, precondition: Callable[[int], None]) -> None:
    """Delete a disabled package that no instance uses, and the stored files that no other package needs.

    A package may be deleted while it is onboarded: the process that onboards it notices and stops.
    """
    with transaction.atomic():
        package = lock_package(package_id)
        precondition(package.version)
        if package.operational_state != VnfPackage.OperationalState.DISABLED:
            raise conflict(
                "PACKAGE_ENABLED", "The package is enabled.", "Disable it first (operationalState DISABLED)."
            )
        digests = {package.checksum_sha256, *package.files.values_list("sha256", flat=True)} - {""}
        payload = _change_event(package, "PKG_DELETE") if package.vnfd_id else {}
        outbox.publish(TOPIC, package.id, package.version + 1, {"deleted": True, **payload})
        try:
            package.delete()
        except ProtectedError as error:
            names = sorted(str(getattr(user, "name", user.pk)) for user in error.protected_objects)
            raise conflict(
                "PACKAGE_IN_USE",
                f"VNF instances use the package: {', '.join(names[:10])}.",
                "Delete these instances first.",
            ) from error
    _remove_unreferenced(digests)


def lock_package(package_id: UUID) -> VnfPackage:
    """SELECT … FOR UPDATE, until the transaction ends; raises ProblemError 404."""
    package_get(package_id=package_id)
    return VnfPackage.objects.select_for_update().get(id=package_id)


def save_package(package: VnfPackage, payload: Mapping[str, Any] | None = None) -> None:
    """Save with the next version, and publish the change; with the `payload` for subscribers of packages, if it is one
    that they are notified of.
    """
    package.version += 1
    package.save()
    outbox.publish(TOPIC, package.id, package.version, dict(payload or {}))


def onboarding_event(package: VnfPackage) -> dict[str, Any]:
    """The payload of the event that the package is ready for use."""
    return {"onboarded": True, "package": _identity(package)}


def _change_event(package: VnfPackage, change: str) -> dict[str, Any]:
    """The payload of a PackageChangeType (SOL003 10.5.4.3)."""
    return {"change": change, "package": _identity(package)}


def _identity(package: VnfPackage) -> dict[str, str]:
    """Subscribers filter packages by these values; the event contains them, as the package may be deleted soon."""
    return {
        "vnfdId": str(package.vnfd_id),
        "provider": package.provider,
        "product": package.product_name,
        "softwareVersion": package.software_version,
        "vnfdVersion": package.vnfd_version,
        "operationalState": package.operational_state,
        "usageState": "IN_USE" if package.instances.exists() else "NOT_IN_USE",
    }


def lock_store() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_STORE_LOCK])


def _check_user_data(data: Mapping[str, Any]) -> None:
    if json_size(data) > USER_DATA_BYTES:
        raise bad_request("USER_DATA_TOO_LARGE", f"userDefinedData may have {USER_DATA_BYTES} bytes of JSON.")


def _remove_unreferenced(digests: Iterable[str]) -> None:
    with transaction.atomic():
        lock_store()
        for digest in digests:
            used = PackageFile.objects.filter(sha256=digest).exists()
            if not used and not VnfPackage.objects.filter(checksum_sha256=digest).exists():
                store.remove(digest)
