"""A process of a toy instance: says what it is as one line of JSON, then waits for its end."""

import json
import os
import signal
import sys
from pathlib import Path

import colorsys  # a module that nothing but a fork server would have loaded before

print(
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
    ),
    flush=True,
)
if sys.argv[1:2] == ["fail"]:
    sys.exit("it failed")
signal.pause()
