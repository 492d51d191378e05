"""All exports of the console's files are imported elsewhere: an export that no file imports is dead, or a file's
own."""

import re
from collections import defaultdict
from pathlib import Path

FRONTEND = Path(__file__).parents[2] / "frontend"
BUILT_IN = {("src/words/Trans.tsx", "Trans")}
"""Imported by what Lingui's macro makes."""

_NAMED = re.compile(r"(?:import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?\{([^}]*)\}\s*from\s*[\"']([^\"']+)[\"']")
_NAMESPACE = re.compile(r"import\s+(?:type\s+)?\*\s+as\s+(\w+)\s+from\s*[\"']([^\"']+)[\"']")
_TYPE_OF = re.compile(r"import\(\s*[\"']([^\"']+)[\"']\s*\)\.(\w+)")
_WHOLE = re.compile(r"import\(\s*[\"']([^\"']+)[\"']\s*\)(?!\.[A-Z])|export\s+\*\s+from\s*[\"']([^\"']+)[\"']")
_EXPORT = re.compile(r"^export (?:async )?(?:const|let|function\*?|type|interface|class|enum) (\w+)", re.MULTILINE)


def unused_exports(root: Path) -> list[tuple[str, str]]:
    """File and name of what no other file below `root` imports; a file imported as a whole uses all."""
    places = [root.glob("*.ts"), *((root / folder).rglob("*.ts*") for folder in ("src", "mock-api"))]
    texts = {file: file.read_text() for place in places for file in place if "__generated__" not in file.parts}
    used: dict[Path, set[str]] = defaultdict(set)
    whole: set[Path] = set()

    def imported(file: Path, source: str) -> Path:
        base = root / "src" / source[2:] if source.startswith("@/") else (file.parent / source).resolve()
        candidates = (base.with_name(base.name + ".ts"), base.with_name(base.name + ".tsx"), base / "index.ts")
        return next((each for each in candidates if each in texts), base)

    for file, text in texts.items():
        for names, source in _NAMED.findall(text):
            parts = (name.strip().removeprefix("type ").split(" as ")[0] for name in names.split(","))
            used[imported(file, source)].update(parts)
        for name, source in _NAMESPACE.findall(text):
            members = re.findall(rf"(?<![\w.]){name}\b(\.\w+)?", text)
            used[imported(file, source)].update(each[1:] for each in members)
            if "" in members[1:]:  # the first is the import's own
                whole.add(imported(file, source))
        for source, name in _TYPE_OF.findall(text):
            used[imported(file, source)].add(name)
        whole.update(imported(file, one or other) for one, other in _WHOLE.findall(text))
    return [
        (file.relative_to(root).as_posix(), name)
        for file, text in sorted(texts.items())
        if file not in whole
        for name in _EXPORT.findall(text)
        if name not in used[file]
    ]


def test_every_export_is_imported() -> None:
    assert set(unused_exports(FRONTEND)) <= BUILT_IN


def test_an_unused_export_is_found(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.ts").write_text("export const one = 1;\nexport type Two = 2;\nexport const three = 3;\n")
    (tmp_path / "src" / "b.ts").write_text('import { one } from "@/a";\nimport type * as A from "./a";\nlet x: A.Two;')
    assert unused_exports(tmp_path) == [("src/a.ts", "three")]
