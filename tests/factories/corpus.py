"""The corpus: stand-ins for templates and packages of public projects, listed in tests/corpus/index.yaml."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from tests.support.yaml_text import load_yaml

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
    lacks: str = ""
    """The one of its resource types that the real OpenStack of the tests does not have."""
    needs: str = ""
    """flavors: a user who may create flavors. guests: a guest that signals."""
    reason: str = ""
    """Code of the finding that keeps it out."""
    root: str = ""
    """The root that the user chooses, where it is unclear."""
    settings: dict[str, Any] = field(default_factory=dict)
    stand_in: str = ""
    """The folder, where several entries share one."""
    heat: str = ""
    """The answer of Heat's own validation of the original."""
    real: str = ""
    """valid: of the original a real OpenStack 2025.1 has only been asked whether its Heat accepts it, and it does. no:
    it does not, or was not asked."""

    @property
    def folder(self) -> Path:
        return FOLDER / (self.stand_in or self.name)

    @property
    def fetched(self) -> list[str]:
        """Files that URLs in its templates serve, as onboarding stores them once the user allows the URLs."""
        return [path for path in self.files() if path.startswith("fetched/")]

    def files(self) -> dict[str, bytes]:
        files = sorted(path for path in self.folder.rglob("*") if path.is_file())
        return {path.relative_to(self.folder).as_posix(): path.read_bytes() for path in files}


def corpus_files(name: str) -> dict[str, bytes]:
    """The files of a stand-in, by path."""
    return next(entry for entry in corpus() if entry.name == name).files()


def joint_masters_and_workers() -> dict[str, bytes]:
    """A package in which one step of one aspect is a master and two workers."""
    files = corpus_files("tacker-kubernetes")
    text = files["Definitions/vnfd.yaml"].decode().replace("aspect: worker_instance", "aspect: master_instance")
    last = text.rindex("delta_1: {number_of_instances: 1}")
    return {**files, "Definitions/vnfd.yaml": (text[:last] + text[last:].replace(": 1}", ": 2}", 1)).encode()}


def corpus() -> list[CorpusEntry]:
    return [CorpusEntry(**entry) for entry in load_yaml((FOLDER / "index.yaml").read_text())]


SAMPLE = ("hot-old-names", "hot-index-var", "hot-lists")


def placed(cloud: Literal["simulated", "real"]) -> list[Any]:
    """Each stand-in that can be deployed once; in the normal run a sample, and where it is quick all packages."""
    entries = {entry.folder.name: entry for entry in reversed(corpus()) if entry.deployed == "yes" and not entry.real}
    short = {name for name, entry in entries.items() if cloud == "simulated" and not entry.stand_in}
    return [
        pytest.param(entry, id=name, marks=() if name in {*SAMPLE, *short} else pytest.mark.long)
        for name, entry in entries.items()
    ]


TABLE = FOLDER / "README.md"
_HEAD = """\
# Templates and packages of public projects

What became of each in the catalog, on the simulated OpenStack Liberty and on a real OpenStack 2025.1. Deployed means:
it was instantiated, healed by replacement, scaled where it scales, and terminated without a trace. `index.yaml` has the
commits; `python -m tests.factories.corpus` writes this table from it. The OpenStack has no Cinder, and makes nothing of
LBaaS v1; where a template waits for its guest or makes flavors, the test signals, or an administrator deploys. Of the
originals below that are "valid" there, Heat was asked, and nothing was deployed; on Liberty they were deployed as they
are, with images, flavors and networks of the names that they have written in.
"""
_COLUMNS = ("template", "onboarded", "simulated Liberty", "OpenStack 2025.1", "why not")


def table() -> str:
    """README.md of the corpus."""
    rows = [_row(entry) for entry in corpus()]
    counts = [f"**{len(rows)}**", *(f"**{sum(row[column] == 'yes' for row in rows)}**" for column in (1, 2, 3)), ""]
    lines = [_COLUMNS, ["---"] * len(_COLUMNS), *rows, counts]
    return _HEAD + "\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _row(entry: CorpusEntry) -> list[str]:
    onboarded, simulated = entry.expect == "onboarded", entry.deployed == "yes"
    real = simulated and not entry.lacks
    why = f"2025.1: no {entry.lacks}" if entry.lacks else "" if simulated else entry.deployed
    if entry.reason:
        why += f" (`{entry.reason}`)"
    name = f"{entry.repository}: {entry.path}"
    answers = ["yes" if good else "no" for good in (onboarded, simulated, real)]
    return [name, *answers[:2], entry.real or answers[2], why]


if __name__ == "__main__":
    TABLE.write_text(table())
