"""Validation of a package's templates without a cloud."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from vnfm.catalog.domain.documents import pointer
from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.findings import Finding, Severity, sort_findings
from vnfm.catalog.domain.hot.check import MAX_FAULTS, Check
from vnfm.catalog.domain.hot.checks import cloud, hooks, language, nested, parameters, references, resources, servers
from vnfm.catalog.domain.hot.templates import TemplateSet, in_use

CHECKS: tuple[Check, ...] = (
    *language.CHECKS,
    *references.CHECKS,
    *resources.CHECKS,
    *cloud.CHECKS,
    *nested.CHECKS,
    *parameters.CHECKS,
    *servers.CHECKS,
    *hooks.CHECKS,
)


CLOUD_CODES = frozenset(check.code for check in CHECKS if check.chosen_severity)
"""Codes of findings that depend on the cloud."""


def validate(templates: TemplateSet) -> list[Finding]:
    """All findings, errors first."""
    return _findings(templates, CHECKS)


def cloud_findings(templates: TemplateSet) -> list[Finding]:
    """All findings that depend on the target, errors first: what is not `unsupported` for certain is a warning."""
    refused = unsupported(templates)
    places = {(finding.code, finding.file, finding.pointer) for finding in refused}
    others = _findings(templates, [check for check in CHECKS if check.code in CLOUD_CODES])
    return refused + [
        replace(finding, severity="warning")
        for finding in others
        if (finding.code, finding.file, finding.pointer) not in places
    ]


def _findings(templates: TemplateSet, checks: Iterable[Check]) -> list[Finding]:
    return sort_findings(finding for check in checks for finding in _of_check(check, templates))


def _of_check(check: Check, templates: TemplateSet) -> Iterator[Finding]:
    """The first MAX_FAULTS, and that there are more."""
    found = (
        Finding.of(severity, check.code, fault)
        for fault in check.find(templates)
        if (severity := _severity(check, templates, fault))
    )
    yield from islice(found, MAX_FAULTS)
    if following := next(found, None):
        message = f"There is more of the kind: only the first {MAX_FAULTS} findings of {check.code} are listed."
        yield replace(following, message=message)


def unsupported(templates: TemplateSet, registries: Iterable[Mapping[str, Any]] = ()) -> list[Finding]:
    """Return needs of the templates that the target does not meet, as errors with their places.

    `registries` are the choices among the alternatives that the registry has; what only others of them lead to does not
    count, and neither does a resource with a condition. Nothing is found where it is not known what the target has.
    """
    used = in_use(templates, registries)
    faults = ((check, fault) for check in CHECKS if check.code in CLOUD_CODES for fault in check.find(used))
    return sort_findings(
        Finding.of("error", check.code, fault)
        for check, fault in faults
        if _severity(check, used, fault) == "error" and not _is_conditional(used, fault)
    )


def _is_conditional(templates: TemplateSet, fault: PackageFault) -> bool:
    """Return whether the fault is in a resource that exists under a condition only."""
    template = templates.templates.get(fault.file)
    return template is not None and any(
        fault.pointer.startswith(pointer(("resources", name, ""))) for name in template.conditional
    )


def _severity(check: Check, templates: TemplateSet, fault: PackageFault) -> Severity | None:
    """In templates that Heat does not read, errors are worth a warning, and warnings nothing."""
    severity = check.severity_for(templates)
    if fault.file in templates.unused:
        return "warning" if severity == "error" else None
    return severity
