"""Restores a dump into a new database on several processors: several sessions load rows and build indexes.

`pg_restore --jobs` gives each table to one session, and one table has most of an installation's rows: the alarms, each
of which PostgreSQL has to split into words. So this module distributes the rows of each table. The load is not atomic:
the caller drops the database when it fails.
"""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from typing import BinaryIO

import psycopg

from recovery.database import Database, ensure_reader, program, tail
from recovery.errors import RecoveryError

BLOCK = 256 * 1024
"""Bytes of rows that a session gets at a time."""
_SESSION = (
    "SET client_encoding = 'UTF8'",
    (  # as in the script of pg_restore; PostgreSQL 17 added transaction_timeout
        "SELECT set_config(name, '0', false) FROM pg_settings"
        " WHERE name ~ '^(statement|lock|idle_in_transaction_session|transaction)_timeout$'"
    ),
    "SET synchronous_commit = off",  # safe, since the marker of the restore is written last and synchronously
)
_INDEXES = "-c maintenance_work_mem=256MB -c synchronous_commit=off -c statement_timeout=0"
_END = b"\\.\n"
_SETVAL = b"SELECT pg_catalog.setval("
_WITHOUT_DATA = (b"SET ", b"SELECT pg_catalog.set_config(", b"--", b"\\restrict ", b"\\unrestrict ", b"\n")
"""The beginnings of all lines besides COPY in the script of a dump without large objects."""


class _TruncatedError(RecoveryError):
    """The script of pg_restore ended before the table did."""


def load(database: Database, dump: Path) -> None:
    """Restore a file of `pg_dump -Fc` into an empty database. Raises RecoveryError, and leaves it partly filled."""
    jobs = min(4, max(2, os.cpu_count() or 2))
    options = [
        "--no-password",
        "--no-owner",
        "--exit-on-error",
        *([] if ensure_reader(database) else ["--no-privileges"]),
    ]
    into = [*options, f"--dbname={database.name}"]
    _run(database, [*into, "--section=pre-data", str(dump)])
    _load_rows(database, dump, jobs)
    _run(database, [*into, "--section=post-data", f"--jobs={jobs}", str(dump)], {"PGOPTIONS": _INDEXES})


def _run(database: Database, arguments: Sequence[str], variables: dict[str, str] | None = None) -> None:
    with tempfile.TemporaryFile() as errors:
        done = subprocess.run(
            [program("pg_restore"), *arguments],
            env=database.environment | (variables or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            check=False,
        )
        if done.returncode:
            raise RecoveryError(f"pg_restore failed: {tail(errors)}")


def _load_rows(database: Database, dump: Path, jobs: int) -> None:
    command = [program("pg_restore"), "--section=data", "--file=-", str(dump)]
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors) as process:
            assert process.stdout is not None
            try:
                _run_script(process.stdout, database, jobs)  # type: ignore[arg-type] # mypy knows pipes as IO[bytes]
            except _TruncatedError as error:
                process.wait()  # until it has written its reason
                raise RecoveryError(f"{error}: {tail(errors)}") from error
            except psycopg.Error as error:
                process.kill()
                raise RecoveryError(f"The rows of the backup cannot be loaded: {str(error).strip()}") from error
            except BaseException:
                process.kill()
                raise
        if process.returncode:
            raise RecoveryError(f"pg_restore failed: {tail(errors)}")


def _run_script(script: BinaryIO, database: Database, jobs: int) -> None:
    with ExitStack() as stack:
        sessions = [stack.enter_context(database.connect(autocommit=False)) for _ in range(jobs)]
        for session in sessions:
            for statement in _SESSION:
                session.execute(statement)
        for line in script:
            if line.startswith(b"COPY "):
                _deal_out(script, sessions, line)
            elif line.startswith(_SETVAL):
                sessions[0].execute(line)
            elif not line.startswith(_WITHOUT_DATA):
                text = line[:200].decode(errors="replace")
                raise RecoveryError(f"The dump in the backup has a line that no release of the product writes: {text}")


def _deal_out(script: BinaryIO, sessions: Sequence[psycopg.Connection], copy: bytes) -> None:
    """Send the rows of one COPY to the sessions in turn, so that each loads while the others receive."""
    with ExitStack() as stack:
        begun: dict[psycopg.Connection, psycopg.Copy] = {}
        for session, block in zip(cycle(sessions), _blocks(script), strict=False):
            if session not in begun:
                begun[session] = stack.enter_context(session.cursor().copy(copy))
            begun[session].write(block)


def _blocks(script: BinaryIO) -> Iterator[bytes]:
    """Yield whole rows of a COPY in blocks, up to its end. Raises _TruncatedError if the script ends before."""
    rows, size = [], 0
    while (row := script.readline()) != _END:
        if not row:
            raise _TruncatedError("pg_restore ended in the middle of a table")
        rows.append(row)
        size += len(row)
        if size >= BLOCK:
            yield b"".join(rows)
            rows, size = [], 0
    if rows:
        yield b"".join(rows)
