"""The report of all runs: a table of operation by fault, on the terminal and in a folder."""

import json
from collections.abc import Sequence
from pathlib import Path

from tests.chaos.batches import Case

MOST = 3
MOST_STORED = 20


def summary(cases: Sequence[Case]) -> str:
    """A Markdown table: a row for each fault, a column for each operation, survived of all; then the failures."""
    operations = list(dict.fromkeys(case.operation.name for case in cases))
    faults = list(dict.fromkeys(case.fault.name for case in cases))
    rows = [["fault", *operations], ["---"] * (len(operations) + 1)]
    for fault in faults:
        met = [case for case in cases if case.fault.name == fault]
        rows.append(
            [fault, *(_cell([case for case in met if case.operation.name == operation]) for operation in operations)]
        )
    lines = [f"| {' | '.join(row)} |" for row in rows]
    failed = [f"- {case}: {reason(case)}" for case in cases if not case.survived]
    return "\n".join([*lines, "", _totals(cases), *failed, ""])


def reason(case: Case) -> str:
    """Why it has not survived, with at most MOST differences."""
    differences = [*map(str, case.findings[:MOST])]
    left_out = len(case.findings) - len(differences)
    return "; ".join([*case.errors, *differences, *([f"and {left_out} more"] if left_out else [])])


def _cell(cases: Sequence[Case]) -> str:
    return f"{sum(case.survived for case in cases)}/{len(cases)}" if cases else "-"


def _totals(cases: Sequence[Case]) -> str:
    kinds = [finding.kind for case in cases for finding in case.findings]
    alone = sum(case.survived and not case.recovery_tasks and not case.repaired for case in cases)
    repaired = sum(case.survived and case.repaired for case in cases)
    return (
        f"{len(cases)} runs, {sum(case.survived for case in cases)} survived ({alone} without help, "
        f"{repaired} after a repair of shown drift), "
        f"{kinds.count('orphan')} orphans, {kinds.count('duplicate')} duplicates"
    )


class Report:
    """Collects batches, and writes summary.md and runs.json after each, for a matrix that is interrupted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cases: list[Case] = []

    def add(self, batch: Sequence[Case]) -> None:
        self.cases += batch
        (self.folder / "summary.md").write_text(summary(self.cases))
        runs = [row(case) for case in self.cases]
        (self.folder / "runs.json").write_text(json.dumps(runs, indent=1) + "\n")


def row(case: Case) -> dict[str, object]:
    """One run, as JSON."""
    return {
        "operation": case.operation.name,
        "boundary": str(case.boundary or ""),
        "moment": str(case.moment),
        "fault": case.fault.name,
        "end": case.end,
        "recovery_tasks": case.recovery_tasks,
        "repaired": case.repaired,
        "first_error": case.first_error,
        "seconds": round(case.seconds, 1),
        "survived": case.survived,
        "errors": case.errors,
        "orphans": [str(finding) for finding in case.findings if finding.kind == "orphan"],
        "duplicates": [str(finding) for finding in case.findings if finding.kind == "duplicate"],
        "differences": [str(f) for f in case.findings if f.kind not in {"orphan", "duplicate"}][:MOST_STORED],
    }
