"""Findings of the validation: place, severity, and a sentence that says what to do."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from vnfm.catalog.domain.errors import PackageFault

Severity = Literal["error", "warning", "note"]
"""error: Heat refuses it, or does something that cannot be intended; warning: it may fail; note: information for
deployment."""
_ORDER: Mapping[str, int] = {"error": 0, "warning": 1, "note": 2}
CONSEQUENCES = ("ROOT_UNCLEAR", "ENVIRONMENT_UNKNOWN", "DERIVE_NO_SERVER")
"""Findings that follow when a file cannot be read, or is taken for another."""


@dataclass(frozen=True, slots=True)
class Finding:
    severity: Severity
    code: str
    """Stable, for programs: a code of `hot.validate.CHECKS`, or of the readers and derivations."""
    message: str
    file: str = ""
    """Path in the package; "" for the package as a whole."""
    line: int = 0
    """From 1; 0 when it is not known."""
    pointer: str = ""
    """JSON pointer (RFC 6901) to the place in the file."""
    speaker: str = ""
    """The reporter, such as "heat of lab-1"; "" for our own validation."""
    url: str = ""
    """The address from which a missing file can be fetched."""

    @classmethod
    def of(cls, severity: Severity, code: str, fault: PackageFault) -> "Finding":
        return cls(severity, code, fault.message, fault.file, fault.line, fault.pointer)

    def as_fault(self) -> PackageFault:
        return PackageFault(self.file, self.message, self.pointer, self.line)

    def as_json(self) -> dict[str, Any]:
        """The wire form, also stored with the package."""
        return asdict(self)


def sort_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Without duplicates; errors first, and of them the causes before what follows from them; then by place."""
    return sorted(
        dict.fromkeys(findings),
        key=lambda f: (_ORDER[f.severity], _cause_order(f.code), f.file, f.line, f.pointer, f.code),
    )


def _cause_order(code: str) -> int:
    if code.startswith(("YAML_", "HOT_FORM", "FILE_", "TEMPLATE_")):
        return 0
    return 2 if code in CONSEQUENCES else 1


def errors_of(findings: Iterable[Finding]) -> list[PackageFault]:
    return [finding.as_fault() for finding in findings if finding.severity == "error"]
