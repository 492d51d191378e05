"""The ledger of the matrix: a line of JSON for each run, so that it can be made in shards, over several nights."""

import json
from collections.abc import Sequence
from pathlib import Path

from tests.chaos.batches import Case
from tests.chaos.report import row


class Ledger:
    """`path` None keeps nothing. A run that is cut off in its last line is made again."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._survived: dict[str, bool] = {}
        for line in path.read_text().splitlines() if path is not None and path.exists() else ():
            try:
                run = json.loads(line)
            except ValueError:
                continue
            self._survived[run["case"]] = run["survived"]

    def missing(self, batch: Sequence[Case]) -> list[Case]:
        """The cases of the batch that have not been run."""
        return [case for case in batch if str(case) not in self._survived]

    def add(self, batch: Sequence[Case]) -> None:
        self._survived |= {str(case): case.survived for case in batch}
        if self._path is not None:
            with self._path.open("a") as file:
                file.writelines(json.dumps({"case": str(case), **row(case)}) + "\n" for case in batch)

    def summary(self, total: int) -> str:
        failed = [case for case, survived in self._survived.items() if not survived]
        return "\n".join([f"{len(self._survived)} of {total} runs, {len(failed)} failed", *failed])


def shard_of(text: str) -> tuple[int, int]:
    """Index from 0, and number of shards, from "2/10"; raises ValueError."""
    index, _, number = text.partition("/")
    if not 1 <= int(index) <= int(number):
        raise ValueError(f"--shard must be as 2/10, not {text!r}")
    return int(index) - 1, int(number)
