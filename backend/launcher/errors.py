"""What goes wrong before the product runs, said in one sentence that tells the user what to do."""

import errno
from pathlib import Path


class LaunchError(Exception):
    """A failure the user can act on; `str()` is the whole message, shown without a traceback."""


_KNOWN_OUTPUT: dict[str, tuple[str, ...]] = {
    "The disk is full: free some space where {where} lives, then run the command again.": (
        "No space left on device",
        "ENOSPC",
    ),
    "This Python cannot make virtual environments: install its venv module (Debian, Ubuntu: apt install python3-venv), "
    "then run the command again.": ("ensurepip is not available", "No module named ensurepip", "No module named venv"),
    "Packages could not be downloaded: check the network (proxy, index settings), then run the command again.": (
        *("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ENETUNREACH", "ETIMEDOUT", "ConnectTimeout"),
        *("name resolution", "Name or service not known", "failed to lookup address", "dns error"),
        *("Failed to establish a new connection", "tcp connect error", "Connection refused", "Network is unreachable"),
        *("Cannot connect to proxy", "Could not connect", "No matching distribution found for uv"),
    ),
    "A downloaded package does not match its hash in the lock file: something changed it on the way; nothing of it was "
    "used.": ("DO NOT MATCH THE HASHES", "Hash mismatch", "EINTEGRITY"),
}


def explain_output(output: str, where: Path) -> str | None:
    """The sentence for a failed installer's output, None when the failure is not a known one."""
    plain = output.replace("'", "")
    for sentence, signs in _KNOWN_OUTPUT.items():
        if any(sign in plain for sign in signs):
            return sentence.format(where=where)
    return None


def explain_os_error(error: OSError) -> str:
    """The sentence for an operating system error that nobody nearer could explain."""
    where = error.filename or "the state directory"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"The disk is full: free some space where {where} lives, then run the command again."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"No permission to write {where}: choose another place with --state-dir, or change its owner."
    return f"{where}: {error.strerror or error}."


def last_lines(path: Path, count: int = 12) -> str:
    """The end of a log file, for the message of a process that would not start; empty when there is none."""
    try:
        return "\n".join(path.read_text(errors="replace").splitlines()[-count:])
    except OSError:
        return ""
