"""A process of a toy instance: says what it is as one line of JSON, then waits for its end."""

import colorsys  # a module that nothing but a fork server would have loaded before
import json
import os
import signal
import sys
from pathlib import Path

sys.stdout.write(
    json.dumps(
        {
            "parent": os.getppid(),
            "session": os.getsid(0),
            "arguments": sys.argv[1:],
            "environment": dict(os.environ),
            "folder": str(Path.cwd()),
            "umask": os.umask(0o077),
            "files": sorted(int(file.name) for file in Path("/proc/self/fd").iterdir()),
            "forked": hasattr(colorsys, "forked"),
        }
    )
    + "\n"
)
sys.stdout.flush()
if sys.argv[1:2] == ["fail"]:
    sys.exit("it failed")
signal.pause()
