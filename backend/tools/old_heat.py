"""Makes a Heat of 2015 importable in today's Python, as far as its resource types and their schemas need it."""

import collections
import collections.abc
import importlib.abc
import importlib.machinery
import inspect
import sys
import types
from collections.abc import MutableSequence
from unittest.mock import MagicMock

_ABSENT = ("Crypto", "ceilometerclient", "migrate", "mock", "pytz", "saharaclient", "heat.db", "heat.objects")
"""Modules that Heat 5.0.0 imports and that do not exist today; no schema needs them."""


class _Absent(types.ModuleType):
    __path__: MutableSequence[str] = []  # noqa: RUF012 (as the base class declares it)

    def __getattr__(self, name: str) -> MagicMock:
        if name.startswith("__"):
            raise AttributeError(name)
        return MagicMock(name=name)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, fullname: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if fullname.startswith(tuple(f"{name}." for name in _ABSENT)) or fullname in _ABSENT:
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> _Absent:
        return _Absent(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass


def make_importable(folder: str) -> None:
    """Let `import heat` load the sources below `folder`, with the libraries of the installed Heat."""
    for name in ("Callable", "Iterable", "Mapping", "MutableMapping", "Sequence", "Set"):
        setattr(collections, name, getattr(collections.abc, name))
    inspect.getargspec = inspect.getfullargspec  # type: ignore[attr-defined]  # removed with Python 3.11
    sys.meta_path.insert(0, _Finder())
    sys.path.insert(0, folder)
