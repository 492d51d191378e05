"""House rules that no linter knows. Each docstring tells what went wrong, here or elsewhere, without it."""

import ast
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import PurePosixPath

Rule = Callable[[ast.AST], bool]
"""It returns whether this node breaks the rule."""


def _called(node: ast.AST) -> str:
    """The dotted name of what is called, its end after another expression; "" when this does not call a name."""
    if not isinstance(node, ast.Call):
        return ""
    names, function = [], node.func
    while isinstance(function, ast.Attribute):
        names.append(function.attr)
        function = function.value
    names.append(function.id if isinstance(function, ast.Name) else "")
    return ".".join(reversed(names))


def naive_time(node: ast.AST) -> bool:
    """A time without a zone, or a second clock, next to `kit.clock.now()`.

    Naive times compare with aware ones by raising, at run time, and only in the branch that is seldom taken; several
    clocks in one computation make tests that fail once a month.
    """
    clocks = (
        "datetime.now",
        "datetime.utcnow",
        "datetime.today",
        "date.today",
        "datetime.utcfromtimestamp",
        "time.time",
    )
    return _called(node).endswith(clocks)


def sleeping(node: ast.AST) -> bool:
    """Waiting in a thread for something outside.

    Tacker's drivers sleep inside operations: a worker for each cloud that is slow, and nothing to resume after a
    restart. Here a step writes `wake_at` and lets go; loops wait on an Event that SIGTERM sets.
    """
    return _called(node) in ("time.sleep", "sleep")


def bare_except(node: ast.AST) -> bool:
    """`except:` and `except BaseException:` swallow SystemExit as well: a process that ignores SIGTERM."""
    return isinstance(node, ast.ExceptHandler) and (node.type is None or ast.unparse(node.type) == "BaseException")


def direct_send(node: ast.AST) -> bool:
    """Sending a Celery message by hand.

    Before the commit the worker finds no row; after it, with the broker down, the request fails though its work is
    stored. `enqueue_on_commit` sends after the commit and only logs a refusal: the sweeper finds the row.
    """
    name = _called(node)
    return name.endswith((".delay", ".apply_async", ".send_task"))


def signal_receiver(node: ast.AST) -> bool:
    """Django signals: code that runs because a row was saved somewhere, invisible at the place that saves it.

    Knowledge travels as outbox events, which are stored, ordered and delivered again after a crash.
    """
    modules = ("django.dispatch", "django.db.models.signals", "django.core.signals")
    return isinstance(node, ast.ImportFrom) and node.module in modules


def printing(node: ast.AST) -> bool:
    """`print` has no level, no request id and no op_id; services log, commands write to `self.stdout`."""
    return _called(node) == "print"


def backtracking(node: ast.AST) -> bool:
    """An expression of `re` for text of a device, a cloud or a package.

    300 KB of blank lines of one router held the worker of all VNFs for minutes at `^\\s*Error`, and again after each
    restart. `kit.patterns.pattern` compiles by RE2, which takes linear time. One set of characters is linear anyway.
    """
    if not isinstance(node, ast.Call) or _called(node) not in _OF_RE:
        return False
    first = node.args[0] if node.args else None
    return not (isinstance(first, ast.Constant) and isinstance(first.value, str) and _ONE_SET.fullmatch(first.value))


_OF_RE = {f"re.{name}" for name in ("compile", "search", "match", "fullmatch", "findall", "finditer", "sub", "split")}
_ONE_SET = re.compile(r"\[\^?(?:\\.|[^\]\\])+\]\+?")

EXCEPTIONS: dict[str, tuple[str, ...]] = {
    "naive_time": ("vnfm/kit/clock.py",),
    "direct_send": ("vnfm/kit/durable/tasks.py",),
    "backtracking": ("hot/patterns.py",),
}
ROOMS: dict[str, tuple[str, ...]] = {
    "backtracking": (
        *(
            f"vnfm/{room}/"
            for room in ("devices", "configuration", "clouds", "elements", "faults", "catalog", "nfvo", "lcm/steps")
        ),
        "hot/",
    )
}
"""Where a rule holds, if not everywhere."""

RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (naive_time, sleeping, bare_except, direct_send, signal_receiver, printing, backtracking)
}


_WORDS = re.compile(
    r"datetime\.now|utcnow|today|utcfromtimestamp|time\.time|\bsleep\b|except:|BaseException|\.delay\b|apply_async"
    r"|send_task|\bre\.\w|django\.dispatch|\bsignals\b|\bprint\b"
)
"""Without one of them a file breaks no rule, and need not be parsed."""


@cache
def findings(source: str) -> Mapping[str, tuple[int, ...]]:
    """Rule → lines that break it; one walk of the tree serves all rules."""
    lines: dict[str, list[int]] = {name: [] for name in RULES}
    for node in ast.walk(ast.parse(source)) if _WORDS.search(source) else ():
        if isinstance(node, ast.Call | ast.ExceptHandler | ast.ImportFrom):
            for name, rule in RULES.items():
                if rule(node):
                    lines[name].append(node.lineno)
    return {name: tuple(numbers) for name, numbers in lines.items()}


def broken(name: str, source: str, path: PurePosixPath) -> list[str]:
    """Where `source`, the file at `path` below backend/, breaks the rule."""
    if str(path) in EXCEPTIONS.get(name, ()) or not str(path).startswith(ROOMS.get(name, ("",))):
        return []
    return [f"{path}:{line}" for line in findings(source)[name]]
