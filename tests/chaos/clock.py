"""The product's clock, which a test may set back or forward without privileges."""

import shutil
import struct
import subprocess
from pathlib import Path

SOURCE = Path(__file__).parent / "clock_step.c"


class Clock:
    """Needs a C compiler on the machine; without one `is_real` is False, and the product runs on the real time."""

    def __init__(self, folder: Path) -> None:
        self._step = folder / "step"
        self._library = folder / "clock_step.so"
        self.set(0)
        compiler = shutil.which("cc")
        self.is_real = compiler is not None
        if compiler is not None:
            subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", self._library, SOURCE, "-ldl"], check=True)

    @property
    def environment(self) -> dict[str, str]:
        """For the product to be started with."""
        return {"LD_PRELOAD": str(self._library), "CLOCK_STEP_FILE": str(self._step)} if self.is_real else {}

    def set(self, seconds: int) -> None:
        """Set the clock this many seconds off the real time, from now on."""
        with self._step.open("r+b" if self._step.exists() else "wb") as file:
            file.write(struct.pack("l", seconds))
