"""Seconds of processor of every pattern in the product for hostile text.

`scan` walks the syntax tree of each module below a folder for calls of `re.*` and `kit.patterns.pattern`, and evaluates
the expression in the module's own names; `cost` applies the methods that the product calls on it. `re` lets signals
interrupt it, so a pattern that does not end is ended.
"""

from __future__ import annotations

import ast
import importlib
import re
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, NoReturn

from vnfm.kit.patterns import Pattern, pattern

SHORT, MIDDLE, LONGEST = 1_000, 16_000, 1_000_000
"""Characters of the texts."""
LIMIT = 0.2
"""Seconds for 1 MB. A pattern that takes as long for less is not tried with more."""
ENDLESS = 10.0
"""Seconds of processor after which a pattern is ended."""
METHODS = ("search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split")
USUAL = ("search", "match", "fullmatch")
"""They are tried where the scan does not see what is called: a pattern in a table or in an attribute."""
BASIC = (" ", "\n", "a", "<")
UNITS = ("1", '"', "'", "-", ".", "/", "#", "\\", "[", ":", "a ", "a-", "é", "\x00")
BEGIN = "\x01"
_HAS_PATTERN = re.compile(r"\bre\.\w+\(|\bpattern\(")
"""It is for sources as they are formatted: the others are not parsed."""
_ONE_CLASS = re.compile(r"(?:\[\^?(?:\\.|[^\\\]])+\]|\\[wWsSdD])\+?", re.DOTALL)
"""An expression of one class of characters, once or repeated: no character is read more than twice."""


class Found(NamedTuple):
    """A pattern of the product. `compiled` is None where its expression depends on an argument."""

    place: str
    expression: str
    compiled: re.Pattern[Any] | Pattern | None
    methods: tuple[str, ...]
    linear: bool
    """Made by RE2."""


def modules(root: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root.parent).with_suffix("").parts
        if "migrations" not in parts:
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def scan(root: Path) -> Iterator[Found]:
    for name, path in modules(root):
        source = path.read_text()
        if not _HAS_PATTERN.search(source):
            continue
        tree = ast.parse(source)
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _maker(node)]
        if not calls:
            continue
        module, called, targets = importlib.import_module(name), _methods_by_name(tree), _targets(tree)
        checks = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in calls:
            maker = _maker(node)
            if maker == "compile" and id(node) in checks:
                continue  # whether it compiles at all: it is applied to nothing
            used = (maker,) if maker in METHODS else tuple(sorted(called.get(targets.get(id(node), ""), ()))) or USUAL
            yield _found(module, node, maker, used, f"{path.relative_to(root.parent)}:{node.lineno}")


def _maker(node: ast.Call) -> str:
    """`pattern`, `compile`, or the function of `re` that is called; "" for another call."""
    match node.func:
        case ast.Name(id="pattern") if node.args:
            return "pattern"
        case ast.Attribute(value=ast.Name(id="re"), attr=name) if name in (*METHODS, "compile"):
            return name
    return ""


def _targets(tree: ast.Module) -> dict[int, str]:
    """Return what is assigned → the name of the variable or attribute."""
    targets = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name) | ast.Attribute(attr=name)], value=value):
                targets[id(value)] = name
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Call() as value):
                targets[id(value)] = name
    return targets


def _methods_by_name(tree: ast.Module) -> dict[str, set[str]]:
    """Name of a variable or attribute → methods of patterns that are called on it."""
    called: dict[str, set[str]] = defaultdict(set)
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name), attr=method) if method in METHODS:
                called[name].add(method)
    return called


def _found(module: ModuleType, node: ast.Call, maker: str, used: tuple[str, ...], place: str) -> Found:
    source, linear = ast.unparse(node.args[0]), maker == "pattern"
    flags = [word.value for word in node.keywords if word.arg == "flags"]
    flags += node.args[{"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(maker, 2) :]
    try:
        expression = eval(source, vars(module))
        bits = eval(ast.unparse(flags[0]), vars(module)) if flags else 0
    except NameError:
        return Found(place, source, None, used, linear)
    return Found(place, str(expression), pattern(expression) if linear else re.compile(expression, bits), used, linear)


def units_for(expression: str) -> Iterator[str]:
    """Yield what is repeated: one sign, the words of the pattern itself, and the words with what may stand between
    them.
    """
    words = set(re.findall(r"[A-Za-z_]{2,12}", expression))
    repeated = re.findall(r"([A-Za-z_]{2,12})(?:\\[wsSdD]|\.|\[[^]]*\])[*+]", expression)
    yield from (*BASIC, *UNITS)
    for word in dict.fromkeys([*sorted(words, key=len)[-2:], *repeated[:2]]):
        yield from (word, f"{word} ", f"\n{word}", f"<{BEGIN}{word}")


def _text(unit: str, size: int) -> str:
    """The last sign is another one, at which what would match in full does not; what stands before BEGIN comes once."""
    once, _, again = unit.rpartition(BEGIN)
    return (once + again * (size // len(again) + 1))[: size - 1] + "!"


def cost(one: Found) -> tuple[float, str]:
    """Return the most seconds for 1 MB, and how: less text that takes longer than LIMIT counts in proportion.

    1 MB is tried of the basic signs, and of what took the longest of MIDDLE.
    """
    compiled = one.compiled
    assert compiled is not None
    octets = isinstance(compiled.pattern, bytes)

    def slowest(size: int, units: Iterable[str]) -> list[tuple[float, str, str]]:
        tried = []
        for unit in units:
            text = _text(unit, size)
            for method in one.methods:
                seconds = _timed(compiled, method, text.encode() if octets else text)
                scaled = seconds * LONGEST / size if seconds > LIMIT else seconds
                tried.append((scaled, unit, f"{method} {size} of {text[:16]!r}"))
                if seconds > LIMIT:
                    return tried[-1:]
        return sorted(tried, reverse=True)

    units = [*units_for(one.expression)]
    for size in (SHORT, MIDDLE):
        tried = slowest(size, units)
        if tried[0][0] > LIMIT:
            return tried[0][0], tried[0][2]
    worst = _worth_more(one, [unit for _, unit, _ in tried])
    found = slowest(LONGEST, worst)[0] if worst else tried[0]
    return found[0], found[2]


def _worth_more(one: Found, slow: list[str]) -> set[str]:
    """Return the units to try 1 MB of, given all units by the time that MIDDLE of them took.

    One class of characters is linear by its form. A search by RE2 is linear, and only its factor is left to measure.
    A substitution by RE2 consists of many searches.
    """
    if _ONE_CLASS.fullmatch(one.expression):
        return set()
    if one.linear:
        return {slow[0]} if {*one.methods} <= {*USUAL} else {*BASIC, slow[0]}
    return {*BASIC, *slow[:3]}


def bounded_cost(one: Found) -> tuple[float, str]:
    """`cost`, or infinity for a pattern that is ended."""
    try:
        with _limited():
            return cost(one)
    except _EndlessError:
        return float("inf"), f"did not end within {ENDLESS:.0f} s"


class _EndlessError(Exception):
    pass


@contextmanager
def _limited() -> Iterator[None]:
    def end(*_: object) -> NoReturn:
        raise _EndlessError

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, ENDLESS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _timed(compiled: Any, method: str, text: str | bytes) -> float:
    empty = text[:0]
    work: dict[str, Callable[[], object]] = {
        "finditer": lambda: sum(1 for _ in compiled.finditer(text)),
        "sub": lambda: compiled.sub(empty, text),
        "subn": lambda: compiled.subn(empty, text),
    }
    started = time.process_time()
    work.get(method, lambda: getattr(compiled, method)(text))()
    return time.process_time() - started
