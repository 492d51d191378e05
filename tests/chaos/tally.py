"""What the runs came to: a table of operation by disaster, on the terminal and in a folder."""

import json
from collections.abc import Sequence
from pathlib import Path

from tests.chaos.waves import Case

MOST = 3


def summary(cases: Sequence[Case]) -> str:
    """A table in Markdown: a row for each disaster, a column for each operation, survived of all; then what did not."""
    deeds = list(dict.fromkeys(case.deed.name for case in cases))
    disasters = list(dict.fromkeys(case.disaster.name for case in cases))
    rows = [["disaster", *deeds], ["---"] * (len(deeds) + 1)]
    for disaster in disasters:
        met = [case for case in cases if case.disaster.name == disaster]
        rows.append([disaster, *(_cell([case for case in met if case.deed.name == deed]) for deed in deeds)])
    lines = [f"| {' | '.join(row)} |" for row in rows]
    failed = [f"- {case}: {why(case)}" for case in cases if not case.survived]
    return "\n".join([*lines, "", _totals(cases), *failed, ""])


def why(case: Case) -> str:
    """Why it has not survived; of many differences the first ones."""
    differences = [*map(str, case.findings[:MOST])]
    left_out = len(case.findings) - len(differences)
    return "; ".join([*case.faults, *differences, *([f"and {left_out} more"] if left_out else [])])


def _cell(cases: Sequence[Case]) -> str:
    return f"{sum(case.survived for case in cases)}/{len(cases)}" if cases else "-"


def _totals(cases: Sequence[Case]) -> str:
    kinds = [finding.kind for case in cases for finding in case.findings]
    alone = sum(case.survived and not case.helped and not case.mended for case in cases)
    mended = sum(case.survived and case.mended for case in cases)
    return (
        f"{len(cases)} runs, {sum(case.survived for case in cases)} survived ({alone} without a person's help, "
        f"{mended} after a repair of drift that they told), "
        f"{kinds.count('orphan')} orphans, {kinds.count('duplicate')} duplicates"
    )


class Tally:
    """Counts waves, and writes summary.md and runs.json after each, so that an interrupted matrix has told what it
    found."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cases: list[Case] = []

    def count(self, wave: Sequence[Case]) -> None:
        self.cases += wave
        (self.folder / "summary.md").write_text(summary(self.cases))
        runs = [_row(case) for case in self.cases]
        (self.folder / "runs.json").write_text(json.dumps(runs, indent=1) + "\n")


def _row(case: Case) -> dict[str, object]:
    return {
        "operation": case.deed.name,
        "boundary": str(case.boundary or ""),
        "moment": str(case.moment),
        "disaster": case.disaster.name,
        "end": case.end,
        "helped": case.helped,
        "mended": case.mended,
        "asked": case.asked,
        "seconds": round(case.seconds, 1),
        "survived": case.survived,
        "faults": case.faults,
        "orphans": [str(finding) for finding in case.findings if finding.kind == "orphan"],
        "duplicates": [str(finding) for finding in case.findings if finding.kind == "duplicate"],
        "differences": [str(f) for f in case.findings if f.kind not in {"orphan", "duplicate"}],
    }
