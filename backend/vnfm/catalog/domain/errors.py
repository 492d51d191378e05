"""Why a package is refused: file, place and next step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vnfm.kit.problem import FieldError, Problem

MAX_FAULTS_IN_ANSWER = 20


@dataclass(frozen=True, slots=True)
class PackageFault:
    file: str
    """Path in the package; "" for the package as a whole."""
    message: str
    pointer: str = ""
    """JSON pointer (RFC 6901) to the place in the file."""
    line: int = 0
    """From 1; 0 when it is not known."""

    def where(self) -> str:
        line = f", line {self.line}" if self.line else ""
        return f"{self.file}{line}: " if self.file else ""


class PackageError(Exception):
    """The package cannot be onboarded.

    `code` is one of NOT_A_ZIP, ZIP_REFUSED, PACKAGE_TOO_LARGE, MANIFEST_MISMATCH, YAML_INVALID, VNFD_INVALID,
    IMAGE_INVALID, HOT_INVALID, FILE_NOT_FETCHED, FIGURES_INVALID and PACKAGE_TOO_COSTLY.
    """

    def __init__(
        self,
        code: str,
        faults: Sequence[PackageFault],
        next_step: str,
        status: int = 422,
        findings: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        super().__init__("; ".join(fault.where() + fault.message for fault in faults))
        self.code = code
        self.faults = tuple(faults)
        self.next_step = next_step
        self.status = status
        self.findings = tuple(findings)
        """All findings about the templates, in wire form, if they were validated."""
        self.roots: Sequence[str] = ()
        """Templates that can be chosen as the root, where that is unclear or was chosen."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Between processes."""
        made_from = (self.code, self.faults, self.next_step, self.status, self.findings)
        return PackageError, made_from, {"roots": self.roots}

    def as_problem(self) -> Problem:
        """Each fault at `file#pointer`, the first also in `detail`; a single fault without a place only there."""
        first, more = self.faults[0], len(self.faults) - 1
        placed = self.faults[:MAX_FAULTS_IN_ANSWER] if more or first.file or first.pointer else ()
        detail = first.where() + first.message + (f" (and {more} more)" if more else "")
        return Problem(
            self.status,
            self.code,
            "The VNF package is refused",
            detail,
            self.next_step,
            errors=tuple(FieldError(f"{f.file}#{f.pointer}", f.where() + f.message) for f in placed),
            extra={
                **({"validationReport": self.findings} if self.findings else {}),
                **({"rootCandidates": self.roots} if self.roots else {}),
            },
        )
