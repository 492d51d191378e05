"""An entry of a clouds.yaml on disk, with the secure.yaml and the certificate next to it, as a `Connection`.

As a program, `python -m vnfm.vims.clouds_file FILE NAME`, it checks the entry without Django and database, and says on
stderr what is wrong with it (exit status 1).
"""

import sys
from pathlib import Path

from vnfm.clouds.types import Connection
from vnfm.vims.domain.clouds_yaml import CloudsYamlError, cacert_path, connection_named
from vnfm.vims.domain.registration import connection_errors


def read_connection(path: Path, name: str) -> Connection:
    """Raises CloudsYamlError for an entry that cannot be used, OSError for a file that cannot be read."""
    text = path.read_text()
    secure_path = path.with_name("secure.yaml")
    secure = secure_path.read_text() if secure_path.exists() else ""
    cacert = cacert_path(text, name, secure)
    pem = (path.parent / Path(cacert).expanduser()).read_text() if cacert else ""
    connection = connection_named(text, name, secure, pem)
    errors = connection_errors(connection)
    if errors:
        words = " ".join(f"{error.field.lstrip('/')}: {error.message}" for error in errors)
        raise CloudsYamlError(f"Cloud {name!r} cannot be used: {words}")
    return connection


def main() -> int:
    try:
        read_connection(Path(sys.argv[1]), sys.argv[2])
    except (CloudsYamlError, OSError, UnicodeDecodeError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
