"""Ties the process to its parent, then executes a command in it.

    python -IS die_with_parent.py SIGNAL PARENT UID COMMAND [ARGUMENT ...]

The kernel sends SIGNAL to COMMAND when PARENT ends, even by `kill -9` (prctl(2), PR_SET_PDEATHSIG; Linux only). A UID
other than -1 drops root first, because a change of credentials would clear the setting. It is a separate script, since
`preexec_fn` may deadlock in a program with threads.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def tie(orphan_signal: int, parent: int) -> None:
    """Have the kernel send us the signal when our parent ends; exit if our parent is no longer `parent`."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, orphan_signal)
    if os.getppid() != parent:
        sys.exit(0)


def main() -> int:
    orphan_signal, parent, uid = (int(word) for word in sys.argv[1:4])
    command = sys.argv[4:]
    # A shell without job control starts background programs with SIGINT ignored, which COMMAND would inherit.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if uid != -1:
        os.setgroups([])
        os.setgid(uid)
        os.setuid(uid)
    tie(orphan_signal, parent)
    try:
        os.execvp(command[0], command)  # noqa: S606 - becoming the command is the purpose
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
    return 127


if __name__ == "__main__":
    sys.exit(main())
