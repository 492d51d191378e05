"""The corpus: stand-ins for templates and packages of public projects, listed in tests/corpus/index.yaml."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).resolve().parents[1] / "corpus"


@dataclass(frozen=True)
class CorpusEntry:
    name: str
    repository: str
    commit: str
    path: str
    licence: str
    kind: str
    """hot or csar."""
    expect: str
    """onboarded or refused."""
    deployed: str
    """yes, or why not."""
    reason: str = ""
    """Code of the finding that keeps it out."""
    root: str = ""
    """The root that the user chooses, where it is unclear."""
    settings: dict[str, Any] = field(default_factory=dict)

    def files(self) -> dict[str, bytes]:
        folder = FOLDER / self.name
        return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def corpus() -> list[CorpusEntry]:
    return [CorpusEntry(**entry) for entry in yaml.safe_load((FOLDER / "index.yaml").read_text())]
