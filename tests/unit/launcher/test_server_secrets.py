"""Passwords of the database and the broker in containers: made once, chosen, changed."""

import stat
from pathlib import Path
from urllib.parse import unquote, urlsplit

from launcher.server_secrets import BROKER, DATABASE, FORMER, PGPASS, REDIS_URL, make_server_secrets


def _files(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_they_are_generated_once_and_fit_each_other(tmp_path: Path) -> None:
    make_server_secrets(tmp_path)
    first = _files(tmp_path)
    make_server_secrets(tmp_path)
    assert _files(tmp_path) == first
    password = first[DATABASE].strip()
    assert len(password) > 40
    assert first[PGPASS] == f"*:*:*:*:{password}\n"
    url = urlsplit(first[REDIS_URL].strip())
    assert first[BROKER] == f"requirepass {unquote(url.password or '')}\n"
    assert password not in first[BROKER]
    assert FORMER not in first


def test_only_what_the_servers_read_is_readable_by_other_users(tmp_path: Path) -> None:
    make_server_secrets(tmp_path)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == {DATABASE: 0o644, BROKER: 0o644, PGPASS: 0o600, REDIS_URL: 0o600}


def test_a_chosen_password_of_the_database_stays_and_the_former_is_known(tmp_path: Path) -> None:
    make_server_secrets(tmp_path)
    made, broker = _files(tmp_path)[DATABASE], _files(tmp_path)[BROKER]
    make_server_secrets(tmp_path, "as: chosen\\")
    make_server_secrets(tmp_path)
    after = _files(tmp_path)
    assert (after[DATABASE], after[FORMER], after[BROKER]) == ("as: chosen\\\n", made, broker)
    assert after[PGPASS] == "*:*:*:*:as\\: chosen\\\\\n"
    make_server_secrets(tmp_path, "another")
    assert _files(tmp_path)[FORMER] == f"{made}as: chosen\\\n", "the server may have either"
