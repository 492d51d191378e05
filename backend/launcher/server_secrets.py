"""Creates the passwords of the database and the broker that run in containers, in files for all images.

`docker-compose.yml` runs this first, with a volume for these files alone.
"""

import os
import sys
from pathlib import Path
from urllib.parse import quote

from launcher.keys import token, write_private

DATABASE, FORMER, PGPASS = "postgres-password", "postgres-password-former", "pgpass"
BROKER, REDIS_URL = "broker.conf", "redis-url"
_REQUIRED = "requirepass "


def make_server_secrets(folder: Path, chosen: str = "") -> None:
    """Write the passwords; `chosen` is the administrator's for the database, otherwise one is created once.

    Earlier ones are kept, one per line, until `renew_database_password` finds that the server has the current one. All
    users of the volume can read the files of the servers, as each server runs as its own user.
    """
    before = _text(folder / DATABASE)
    password = chosen.strip() or before or token()
    if before not in ("", password):
        write_private(folder / FORMER, f"{_text(folder / FORMER)}\n{before}\n".lstrip())
    _write_shared(folder / DATABASE, password)
    escaped = password.replace("\\", "\\\\").replace(":", "\\:")
    write_private(folder / PGPASS, f"*:*:*:*:{escaped}\n")
    broker = _text(folder / BROKER).removeprefix(_REQUIRED) or token()
    _write_shared(folder / BROKER, _REQUIRED + broker)
    write_private(folder / REDIS_URL, f"redis://:{quote(broker, safe='')}@broker:6379/0\n")


def _text(path: Path) -> str:
    return path.read_text().strip() if path.exists() else ""


def _write_shared(path: Path, text: str) -> None:
    write_private(path, text + "\n")
    path.chmod(0o644)


if __name__ == "__main__":
    make_server_secrets(Path(sys.argv[1]), os.environ.get("POSTGRES_PASSWORD", ""))
