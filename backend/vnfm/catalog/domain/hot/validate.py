"""Validation of a package's templates without a cloud."""

from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.findings import Finding, Severity, sort_findings
from vnfm.catalog.domain.hot.check import Check
from vnfm.catalog.domain.hot.checks import language, nested, parameters, references, resources, servers
from vnfm.catalog.domain.hot.templates import TemplateSet

CHECKS: tuple[Check, ...] = (
    *language.CHECKS,
    *references.CHECKS,
    *resources.CHECKS,
    *nested.CHECKS,
    *parameters.CHECKS,
    *servers.CHECKS,
)


def validate(templates: TemplateSet) -> list[Finding]:
    """All findings, errors first."""
    return sort_findings(
        Finding.of(severity, check.code, fault)
        for check in CHECKS
        for fault in check.find(templates)
        if (severity := _severity(check, templates, fault))
    )


def _severity(check: Check, templates: TemplateSet, fault: PackageFault) -> Severity | None:
    """In templates that Heat does not read, errors are worth a warning, and warnings nothing."""
    severity = check.severity_for(templates)
    if fault.file in templates.unused:
        return "warning" if severity == "error" else None
    return severity
