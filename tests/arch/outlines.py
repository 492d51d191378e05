"""Definitions, imports and docstrings of Python files, parsed once for all rules of a run."""

import ast
from collections.abc import Iterator
from functools import cache

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""The attributes of statements that hold statements."""


@cache
def outline(text: str) -> tuple[ast.AST, ...]:
    """Return classes, functions without their bodies, imports, and docstrings (also of attributes), at any depth.

    The bodies are dropped because the trees of all files take 400 MB.
    """
    kept = tuple(node for node in _statements(ast.parse(text)) if _is_outline(node))
    for node in kept:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = []
    return kept


def _is_outline(node: ast.AST) -> bool:
    match node:
        case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Import() | ast.ImportFrom():
            return True
        case ast.Expr(ast.Constant(str())):
            return True
    return False


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield statements at any depth, and not the expressions in them, which are most of a tree."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for block in _BLOCKS:
            waiting += getattr(node, block, ())
