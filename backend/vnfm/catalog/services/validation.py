"""Validation of an upload before it is onboarded: nothing of it is stored."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from vnfm.catalog.artifacts import store
from vnfm.catalog.domain.derive.descriptor import Derived
from vnfm.catalog.domain.errors import PackageError
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.hot.templates import HeatTarget
from vnfm.catalog.domain.package import VNFD
from vnfm.catalog.models import VnfPackage
from vnfm.catalog.selectors import template_bundle
from vnfm.catalog.services.check_places import checking
from vnfm.catalog.services.check_process import CHECK_SECONDS, run_bounded, run_check
from vnfm.catalog.services.package_checks import Report, derive_archive, findings_for, report_on
from vnfm.catalog.services.uploads import UploadSource, stage_upload
from vnfm.kit.problem import ProblemError


def package_validate(*, source: UploadSource, vnfd: bytes | None, target: HeatTarget, root: str = "") -> Report:
    """Return all findings that onboarding this would give; nothing is stored. Raises ProblemError if it is not a zip.

    `root` is the root template, where the user chose one.
    """
    with _package_errors_as_problems(), store.staging() as folder:
        archive = stage_upload(source, folder)
        with checking():
            report = run_check(report_on, archive, folder, vnfd, target, root)
        return _unless_onboarded(report)


def package_derive(*, source: UploadSource, target: HeatTarget, root: str = "") -> tuple[Derived, dict[str, int]]:
    """The descriptor that is derived from plain Heat templates, and the sizes of all files; nothing is stored."""
    with _package_errors_as_problems(), store.staging() as folder:
        archive = stage_upload(source, folder)
        with checking():
            return run_check(derive_archive, archive, folder, target, root)


def package_findings_for(*, package: VnfPackage, target: HeatTarget) -> list[Finding]:
    """Return the needs of an onboarded package that a cloud does not meet."""
    with _package_errors_as_problems(), checking():
        return run_bounded(CHECK_SECONDS, findings_for, template_bundle(package), target)


@contextmanager
def _package_errors_as_problems() -> Iterator[None]:
    try:
        yield
    except PackageError as error:
        raise ProblemError(error.as_problem()) from error


def _unless_onboarded(report: Report) -> Report:
    """An error, and no package, where a package in the catalog has the VNFD id already."""
    if report.package is None:
        return report
    vnfd_id = report.package.vnfd.vnfd_id
    other = VnfPackage.objects.filter(vnfd_id=vnfd_id).first()
    if other is None:
        return report
    text = (
        f"vnfdId {vnfd_id} is already onboarded, as {other.product_name} {other.software_version}: "
        "use that package, delete it first, or give this descriptor another vnfdId."
    )
    finding = Finding("error", "VNFD_ALREADY_ONBOARDED", text, VNFD)
    found = (finding, *report.findings)
    return replace(report, findings=found, package=None, templates=None, onboarded_as=str(other.pk))
