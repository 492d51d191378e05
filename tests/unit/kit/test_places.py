"""Places that are counted by locked files: for all threads and processes of a machine together."""

import subprocess
import sys
from pathlib import Path

from vnfm.kit.durable.places import Places

OTHER = """
import fcntl, sys
file = open(sys.argv[1], "w")
fcntl.flock(file, fcntl.LOCK_EX)
print("taken", flush=True)
sys.stdin.read()
"""


def test_one_that_another_process_has_is_not_free_until_it_dies(tmp_path: Path) -> None:
    places = Places("upload", 2, tmp_path)
    command = [sys.executable, "-c", OTHER, str(tmp_path / "upload-0")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"taken\n"
        mine = places.take()
        assert mine is not None
        assert places.take() is None
        assert Places("upload", 2, tmp_path).take(0.05) is None
        assert Places("login", 1, tmp_path).take() is not None, "another name has places of its own"
        other.kill()
    second = places.take(5)
    assert second is not None
    assert places.take() is None
    mine.leave()
    with places.hold() as free:
        assert free


def test_a_place_is_waited_for(tmp_path: Path) -> None:
    mine = Places("login", 1, tmp_path).take()
    assert mine is not None
    others = Places("login", 1, tmp_path)
    with others.hold(0.05) as free:
        assert not free
    mine.leave()
    with others.hold(5) as free:
        assert free
