"""Errors before the product runs, each as one sentence that tells the user what to do."""

import errno
from pathlib import Path


class LaunchError(Exception):
    """A failure that the user can act on; `str()` is the whole message, shown without a traceback."""


DISK_FULL = "The disk is full: free some space where {where} lives, then run the command again."
NO_VENV = (
    "This Python cannot make virtual environments: install its venv module (Debian, Ubuntu: apt install python3-venv), "
    "then run the command again."
)
NO_NETWORK = "Packages could not be downloaded: check the network (proxy, index settings), then run the command again."
WRONG_HASH = (
    "A downloaded package does not match its hash in the lock file and was not used: check the package index, then "
    "run the command again."
)
_SIGNS: dict[str, tuple[str, ...]] = {
    DISK_FULL: ("No space left on device", "ENOSPC"),
    NO_VENV: ("ensurepip is not available", "No module named ensurepip", "No module named venv"),
    WRONG_HASH: ("DO NOT MATCH THE HASHES", "Hash mismatch", "EINTEGRITY"),
    NO_NETWORK: (
        *("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ENETUNREACH", "ETIMEDOUT", "ConnectTimeout"),
        *("name resolution", "Name or service not known", "failed to lookup address", "dns error"),
        *("Failed to establish a new connection", "tcp connect error", "Connection refused", "Network is unreachable"),
        *("Cannot connect to proxy", "Could not connect"),
    ),
}


def known_cause(output: str) -> str | None:
    """Return the cause above that a failed installer's output shows; None if it is another one."""
    plain = " ".join(output.replace("'", "").split())  # some tools break their lines anywhere
    for cause, signs in _SIGNS.items():
        if any(sign in plain for sign in signs):
            return cause
    return None


def explain_output(output: str, where: Path) -> str | None:
    """Return the sentence for a failed installer's output; None if its cause is unknown."""
    cause = known_cause(output)
    return cause.format(where=where) if cause else None


def explain_os_error(error: OSError) -> str:
    """Return the sentence for an operating system error that the caller cannot explain better."""
    where = error.filename or "the state directory"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DISK_FULL.format(where=where)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"No permission to write {where}: choose another place with --state-dir, or change its owner."
    return f"{where}: {error.strerror or error}."


def last_lines(path: Path, count: int = 12) -> str:
    """Return the end of a log file, for the message of a process that did not start; "" without a file."""
    try:
        return "\n".join(path.read_text(errors="replace").splitlines()[-count:])
    except OSError:
        return ""


INTERRUPTED = 130  # 128 + SIGINT, as shells count


class Stop(BaseException):
    """A request to end, by Ctrl-C, `vnfm down` or a closed terminal."""
