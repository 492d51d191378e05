"""Does once, when it is imported, what each process would do first: for a fork server, after all other modules.

A library's first use allocates, and fills the holes of the image: each fork would copy those pages (ADR-0052). None of
it knows a server, a secret or a file of the installation. Last, as the import of a class that is registered with an
abstract one would make the answers of that one unknown again.
"""

from cryptography.fernet import Fernet
from django.core.management import get_commands, load_command_class
from django.db.models import CharField
from psycopg import pq

from vnfm.config.celery import app


def _encrypt() -> None:
    """OpenSSL, 7 MiB: as sealed secrets use it."""
    box = Fernet(Fernet.generate_key())
    box.decrypt(box.encrypt(b"nothing"))


def _scram() -> None:
    """Psycopg's own OpenSSL, as a login at PostgreSQL uses it; there is no server."""
    connection = pq.PGconn.connect(b"host=/nonexistent")
    connection.encrypt_password(b"nothing", b"nobody", b"scram-sha-256")
    connection.finish()


def _ask_abstract_classes() -> None:
    """Fields ask `isinstance` of abstract classes, which ask all subclasses, 2 MiB, until the answer is known."""
    CharField()
    CharField(choices=[("", "")])


def _parse_commands() -> None:
    get_commands()
    load_command_class("vnfm.config", "worker").create_parser("manage.py", "worker")


_encrypt()
_scram()
_ask_abstract_classes()
_parse_commands()
_ = app.backend  # looks through all installed packages for what it might be
