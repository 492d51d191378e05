"""Validation of a package's templates without a cloud."""

from vnfm.catalog.domain.findings import Finding, sort_findings
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
        Finding.of(check.severity_for(templates), check.code, fault)
        for check in CHECKS
        for fault in check.find(templates)
    )
