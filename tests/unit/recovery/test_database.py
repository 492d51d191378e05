"""The programs of a backup and a restore use the server of the URL."""

import pytest

from recovery.database import Database
from recovery.errors import RecoveryError

TWO = "postgresql://vnfm:p%40ss@db-1.example:5432,db-2.example:6432/vnfm"


def test_of_several_hosts_the_one_that_takes_writes_is_used() -> None:
    env = Database(TWO).environment
    assert (env["PGHOST"], env["PGPORT"]) == ("db-1.example,db-2.example", "5432,6432")
    assert env["PGTARGETSESSIONATTRS"] == "read-write"
    assert Database(TWO).named("other").parameters["target_session_attrs"] == "read-write"
    assert Database(f"{TWO}?target_session_attrs=any").environment["PGTARGETSESSIONATTRS"] == "any"
    assert "PGTARGETSESSIONATTRS" not in Database("postgresql://vnfm@db.example/vnfm").environment


def test_what_is_no_url_is_refused_without_its_password() -> None:
    with pytest.raises(RecoveryError, match="DATABASE_URL must be a URL such as") as refused:
        Database("postgresql://vnfm:%secret@db/vnfm").environment  # noqa: B018 - read to be refused
    assert "secret" not in str(refused.value)
