"""Net-SNMP's snmptrap and snmpinform, where installed (Debian: snmp)."""

import shutil
import subprocess
import tempfile
from pathlib import Path

LINK_DOWN = "1.3.6.1.6.3.1.1.5.3"


def available() -> bool:
    return shutil.which("snmptrap") is not None


def notify(*options: str, to: str, oid: str = LINK_DOWN, variables: tuple[str, ...] = (), seconds: int = 20) -> str:
    """Send a notification; options are as `-v2c -c public -Ci` (inform). Returns its error output; "" is success."""
    own = Path(tempfile.gettempdir()) / "vnfm-net-snmp"
    for folder in ("cert_indexes", "mib_indexes"):  # else the first run says that it made them
        (own / folder).mkdir(parents=True, exist_ok=True)
    command = ["snmptrap", "-m", "", "-t", "1", "-r", str(seconds), *options, to, "100", oid, *variables]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=seconds * 2,
        env={"SNMP_PERSISTENT_DIR": str(own)},
        check=False,
    )
    return done.stderr.strip()
