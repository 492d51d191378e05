"""How `./vnfm test` tells what a check said."""

import io
import os
import sys
from pathlib import Path

import pytest

from launcher.checks import _passes
from launcher.console import Console


@pytest.mark.parametrize(
    ("program", "passes", "words"), [("print('fine')", True, "done: lint"), ("exit('wrong: line 3')", False, "line 3")]
)
def test_a_check_is_quiet_unless_it_fails(program: str, passes: bool, words: str, tmp_path: Path) -> None:
    stream = io.StringIO()
    env = {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.defpath])}
    command = (Path(sys.executable).name, "-c", program)
    assert _passes("lint", command, tmp_path, env, Console(stream)) is passes
    assert words in stream.getvalue()
    assert "fine" not in stream.getvalue()
    assert ("failed: lint" in stream.getvalue()) is not passes
