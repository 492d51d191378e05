"""Everything that can be said of a package's templates before any cloud hears of them."""

from vnfm.catalog.domain.findings import Finding, in_order
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
    """All findings, the worst first; [] when there is nothing to say."""
    return in_order(
        Finding.of(check.severity_for(templates), check.code, fault)
        for check in CHECKS
        for fault in check.find(templates)
    )
