"""The layer of a guest in namespaces."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from cloudsim.guests.model import Guest, GuestImage
from cloudsim.guests.namespaces import prepare


@pytest.fixture
def private_umask() -> Iterator[None]:
    """Set the umask with which the launcher starts the cloud."""
    before = os.umask(0o077)
    yield
    os.umask(before)


def test_its_folders_do_not_lock_users_of_the_guest_out(tmp_path: Path, private_umask: None) -> None:
    image = GuestImage(tmp_path / "image", "raw", "digest")
    drive = {"openstack/latest/user_data": b"secret"}
    prepare(tmp_path / "home", Guest("id", "name", image, 512, 1, 1, (), drive))
    upper = tmp_path / "home" / "upper"
    modes = {str(path.relative_to(upper)): path.stat().st_mode & 0o777 for path in (upper, *upper.rglob("*"))}
    assert {mode for name, mode in modes.items() if (upper / name).is_dir()} == {0o755}
    assert modes["usr/local/bin/systemctl"] == 0o755
    assert modes["var/lib/cloud/seed/config_drive/openstack/latest/user_data"] == 0o600


def test_a_start_after_another_has_the_new_config_drive(tmp_path: Path) -> None:
    image = GuestImage(tmp_path / "image", "raw", "digest")
    for name in ("one", "other"):
        prepare(tmp_path / "home", Guest("id", "name", image, 512, 1, 1, (), {name: name.encode()}))
    seed = tmp_path / "home" / "upper" / "var/lib/cloud/seed/config_drive"
    assert [path.name for path in seed.iterdir()] == ["other"]
