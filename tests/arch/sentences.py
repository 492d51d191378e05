"""Sentences that hide who does what: docstrings and comments that begin in the middle, and "is no" for "is not".

`python tests/arch/sentences.py [PATH...]` lists them below these paths.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.arch.names import PLACES, sources
from tests.arch.outlines import outline

_FIRST_WORDS = "Of|What|As|By|How|Where|Who|Whose|Which|Whether|That|So|Than|Until|Since|Because|Without|With|From|To"
FRAGMENT = re.compile(rf"(?:{_FIRST_WORDS})\b[^,:;]*?[.:]?$|(?:Of|What|How|Who|Whose|Which|That|So|Than|To)\b")
"""The first sentence of a docstring or comment. One that begins with a condition goes on after a comma."""
_IS_NO = re.compile(r"\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|fewer\b|one\b|such\b|matter\b)")
_HABITS = re.compile(r"\b(?:meanwhile|look again|so many)\b", re.IGNORECASE)
_EXISTS = re.compile(r"\b[Tt]here (?:is|are|was|were) no ")
_COMMENT = re.compile(r"/\*\*?(.*?)\*/|(?:^|\s)//(?!/)(.*?)$", re.DOTALL | re.MULTILINE)
_AFTER_SIGN = re.compile(r"#[#: ]*(.*)")
"""It matches each text that may be a comment of Python."""
_DIRECTIVES = re.compile(r"^(?:noqa|type:|pragma|fmt:|eslint|@ts-|prettier|ruff|mypy|!|---|==)")


def texts_of_python(text: str) -> Iterator[tuple[int, str]]:
    """Yield docstrings of modules, classes, functions and attributes with their lines, then comments."""
    for node in outline(text):
        match node:
            case ast.Expr(ast.Constant(str(docstring)), lineno=line):
                yield line, docstring
    if any(True for part in _AFTER_SIGN.findall(text) for _ in faults(part)):  # to tokenize a file takes much longer
        yield from _comments(text)


def _comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield comments with their lines, of several successive lines the first."""
    previous = -2
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != previous + 1:
                yield token.start[0], token.string.lstrip("#: ")
            previous = token.start[0]


def texts_of_typescript(text: str) -> Iterator[tuple[int, str]]:
    last = -2
    for match in _COMMENT.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        body = match[1] if match[1] is not None else match[2]
        if match[1] is None:
            first, last = line != last + 1, line
            if not first:
                continue
        yield line, " ".join(part.strip(" *") for part in body.splitlines()).strip()


def faults(sentence: str) -> Iterator[str]:
    """Yield the faults of the first sentence of a text, and of all of it."""
    text = " ".join(sentence.split())
    if not text or _DIRECTIVES.match(text):
        return
    first = re.split(r"(?<=[.!?:;])\s", text, maxsplit=1)[0]
    if FRAGMENT.match(first):
        yield "begins in the middle"
    if _IS_NO.search(_EXISTS.sub("", text)):
        yield "“is no”"
    if _HABITS.search(text):
        yield "habit"


def findings(roots: Iterable[Path] = PLACES) -> list[str]:
    found = []
    for file in sources(roots):
        if file.suffix == ".md":
            continue
        text = file.read_text()
        texts = texts_of_python(text) if file.suffix == ".py" else texts_of_typescript(text)
        for line, sentence in texts:
            found += [f"{file}:{line}: {fault}: {' '.join(sentence.split())[:110]}" for fault in faults(sentence)]
    return found


if __name__ == "__main__":
    lines = findings([Path(argument) for argument in sys.argv[1:]] or PLACES)
    sys.stdout.writelines(line + "\n" for line in lines)
    sys.exit(bool(lines))
