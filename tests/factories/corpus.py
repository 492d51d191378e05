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
    stand_in: str = ""
    """The folder, where several entries share one."""
    heat: str = ""
    """What Heat's own validation says of the original."""

    @property
    def folder(self) -> Path:
        return FOLDER / (self.stand_in or self.name)

    def files(self) -> dict[str, bytes]:
        files = sorted(path for path in self.folder.rglob("*") if path.is_file())
        return {path.relative_to(self.folder).as_posix(): path.read_bytes() for path in files}


def corpus() -> list[CorpusEntry]:
    return [CorpusEntry(**entry) for entry in yaml.safe_load((FOLDER / "index.yaml").read_text())]
