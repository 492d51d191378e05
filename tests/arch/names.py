"""The field's words: names that no engineer would search for, and sentences that hide who does what.

`python tests/arch/names.py [PATH...]` lists what breaks the rules below these paths.
"""

import ast
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.arch.outlines import outline

ROOT = Path(__file__).parents[2]
PLACES = [ROOT / name for name in ("backend", "frontend", "tests", "README.md", "catalog", "heat_templates", ".github")]
SKIPPED = frozenset({"__generated__", "__pycache__", "migrations", "node_modules", "dist", "fixtures", "etsi", ".vnfm"})

BANNED_WORDS = frozenset(
    """
    told tell tells teller asked asks asking seen sees sight sights held made anew beside hearing heard rhythm deed
    patient patients climb rung ladder breath buried hurry troubled standing stood misplaced hindrance verdict tally
    wish furnished spoken opinion insight lane doubt doubts doubted nudge gather emptying driving astray strike struck
    blow announcer historian automaton postman shown given taken said kept begun worded judged owed arrangements
    nobody somebody whoever anybody
    """.split()  # noqa: SIM905 - a word list reads better as words
)
"""No part of a function's, class's, module's or test's name: participles and everyday metaphors say nothing of the
domain."""

_IN_SENTENCES = ("nobody", "somebody", "whoever", "anew", "told", "in vain", "thereby", "yonder", "no one's")
BANNED_IN_SENTENCES = re.compile(rf"(?<![`\"])\b({'|'.join(_IN_SENTENCES)})\b", re.IGNORECASE)
"""In docstrings, comments, messages and documents: `no`, `any`, `all` and the actor are plainer. A quoted word is
a name, as the Unix user `nobody` is."""

FRAMEWORK_NAMES = frozenset({"connection_made"})
"""Methods of asyncio and asyncssh that are overridden under their own names."""

PUBLISHED = frozenset(
    """
    asked changes_seen_at first_seen_at firstSeenAt heardAt HELD_BACK GIVEN_UP last_seen_at lastSeenAt made_id madeAt
    seen shown taken_at takenAt taken_over verdict
    """.split()  # noqa: SIM905 - a word list reads better as words
)
"""Fields of serializers, columns and stored values: clients and databases know them."""

OWN_FILES = tuple(ROOT / "tests" / "arch" / name for name in ("names.py", "test_names.py"))
"""They name what they forbid."""

_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_PYTHON_NAMES = re.compile(
    r"^[ \t]*(?:async )?def (\w+)\(|^[ \t]*class (\w+)[(:]|^(\w+)(?:: [^=\n]+)? = ", re.MULTILINE
)
"""Functions, classes, constants of modules."""
_PUBLIC_CLASS = re.compile(r"^class ([A-Za-z]\w*)[(:]", re.MULTILINE)
_TYPESCRIPT_NAMES = re.compile(
    r"(?:function\*?|class|interface|type|enum)\s+(\w+)|^(?:export\s+)?const\s+(\w+)", re.MULTILINE
)


def words_of(name: str) -> set[str]:
    return {part.lower() for part in _PARTS.findall(name)}


def banned_names(path: Path, text: str) -> Iterator[str]:
    """Names defined in a Python or TypeScript file that hold a banned word, the file's own name among them."""
    pattern = _PYTHON_NAMES if path.suffix == ".py" else _TYPESCRIPT_NAMES
    names = [(match[match.lastindex or 0], match.start(match.lastindex or 0)) for match in pattern.finditer(text)]
    for name, position in ((path.stem, 0), *names):
        if found := banned_parts(name):
            yield f"{path}:{text.count(chr(10), 0, position) + 1}: {name} ({found})"
    if path.suffix == ".py" and "tests" not in path.parts:
        for name, line in attributes(text):
            if found := banned_parts(name):
                yield f"{path}:{line}: {name} ({found})"


@cache
def banned_parts(name: str) -> str:
    """The banned words of a name; "" for those that a framework wants."""
    return "" if name in FRAMEWORK_NAMES else ", ".join(sorted(words_of(name) & BANNED_WORDS))


def attributes(text: str) -> Iterator[tuple[str, int]]:
    """Fields of classes, and parameters of public functions, with their lines; those that are published left out."""
    for node in outline(text):
        found: list[tuple[str, int]] = []
        if isinstance(node, ast.ClassDef):
            fields = (statement for statement in node.body if isinstance(statement, ast.Assign | ast.AnnAssign))
            targets = (one.target if isinstance(one, ast.AnnAssign) else one.targets[0] for one in fields)
            found = [(target.id, target.lineno) for target in targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            parameters = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            found = [(each.arg, each.lineno) for each in parameters]
        yield from ((name, line) for name, line in found if name not in PUBLISHED and not name.startswith("_"))


def banned_sentences(path: Path, text: str) -> Iterator[str]:
    lowered = text.lower()
    if not any(word in lowered for word in _IN_SENTENCES):  # as most files: a pattern takes much longer
        return
    for number, line in enumerate(text.splitlines(), 1):
        if match := BANNED_IN_SENTENCES.search(line):
            yield f"{path}:{number}: “{match[0]}” in: {line.strip()[:120]}"


def classes_of_contexts(backend: Path) -> dict[str, set[str]]:
    """Public module-level class → the contexts (packages of vnfm) that define one of this name."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in sorted((backend / "vnfm").rglob("*.py")):
        if "migrations" in file.parts or "commands" in file.parts:
            continue
        for name in _PUBLIC_CLASS.findall(file.read_text()):
            found[name].add(file.relative_to(backend / "vnfm").parts[0])
    return found


def ambiguous_classes(backend: Path) -> list[str]:
    found = classes_of_contexts(backend)
    return [f"{name}: {', '.join(sorted(places))}" for name, places in found.items() if len(places) > 1]


def sources(roots: Iterable[Path]) -> Iterator[Path]:
    for root in roots:
        if not root.exists():
            raise FileNotFoundError(root)
        if root.is_file():
            yield root
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(set(folders) - SKIPPED)
            yield from (Path(folder, name) for name in sorted(files) if name.endswith((".py", ".ts", ".tsx", ".md")))


def findings(roots: Iterable[Path] = PLACES) -> list[str]:
    """All that breaks the rules below these paths; the classes of all contexts in any case."""
    found = []
    for file in sources(roots):
        if file.resolve() in OWN_FILES:
            continue
        text = file.read_text()
        if file.suffix != ".md":
            found += banned_names(file, text)
        found += banned_sentences(file, text)
    return found + [f"class in several contexts: {line}" for line in ambiguous_classes(ROOT / "backend")]


if __name__ == "__main__":
    lines = findings([Path(argument) for argument in sys.argv[1:]] or PLACES)
    sys.stdout.writelines(line + "\n" for line in lines)
    sys.exit(bool(lines))
