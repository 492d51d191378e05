"""What a look at a package's templates finds: where, how bad, and a sentence that says what to do."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from vnfm.catalog.domain.errors import Fault

Severity = Literal["error", "warning", "note"]
"""error: Heat refuses it, or does something that nobody can have meant; warning: it may well go wrong; note: good to
know before it is deployed."""
_ORDER: Mapping[str, int] = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True, slots=True)
class Finding:
    severity: Severity
    code: str
    """Stable, for programs: one of the codes of `hot.validate.CHECKS`, or of who reads or derives."""
    message: str
    file: str = ""
    """Path in the package; "" for the package as a whole."""
    line: int = 0
    """From 1; 0 when it is not known."""
    pointer: str = ""
    """JSON pointer (RFC 6901) to the place in the file."""
    speaker: str = ""
    """Who says it, such as "heat of lab-1"; "" for ourselves."""

    @classmethod
    def of(cls, severity: Severity, code: str, fault: Fault) -> "Finding":
        return cls(severity, code, fault.message, fault.file, fault.line, fault.pointer)

    def as_fault(self) -> Fault:
        return Fault(self.file, self.message, self.pointer, self.line)

    def as_json(self) -> dict[str, Any]:
        """The wire form, also kept with the package."""
        return asdict(self)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Each once; errors first, then by place."""
    return sorted(dict.fromkeys(findings), key=lambda f: (_ORDER[f.severity], f.file, f.line, f.pointer, f.code))


def errors_of(findings: Iterable[Finding]) -> list[Fault]:
    return [finding.as_fault() for finding in findings if finding.severity == "error"]
