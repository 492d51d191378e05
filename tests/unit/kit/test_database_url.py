"""A database URL sets options, and limits the wait for peers that are lost."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from vnfm.config.database_settings import database
from vnfm.kit.durable.database_url import connection_to

TWO = "postgresql://vnfm:p%40ss@db-1.example:5432,db-2.example:6432/vnfm"


def test_a_host_that_takes_writes_is_meant() -> None:
    parts = connection_to(TWO)
    assert (parts["host"], parts["port"]) == ("db-1.example,db-2.example", "5432,6432")
    assert parts["target_session_attrs"] == "read-write"
    assert connection_to("postgresql://vnfm@balancer.example/vnfm")["target_session_attrs"] == "read-write"
    assert connection_to(TWO + "?target_session_attrs=any")["target_session_attrs"] == "any"
    assert connection_to("postgresql://vnfm:p?w=:@db.example/vnfm")["password"] == "p?w=:", "which libpq reads"


def test_a_peer_that_is_lost_is_noticed_in_seconds_by_either_side() -> None:
    parts = connection_to("postgresql://vnfm@db.example/vnfm?keepalives_idle=60&options=-c%20work_mem%3D8MB")
    assert (parts["keepalives_idle"], parts["tcp_user_timeout"]) == ("60", 10_000)
    assert parts["options"].startswith("-c work_mem=8MB -c tcp_keepalives_idle=5")


@pytest.mark.parametrize(
    "url",
    [
        "mysql://vnfm:secret@db/vnfm",
        "host=db user=vnfm password=secret",
        "postgresql://vnfm:secret@db/vnfm?sslmoed=require",
        "postgresql://vnfm:bare/secret@db/vnfm",
        "postgresql://vnfm:12/secret@db/vnfm",
        "postgresql://vnfm:bare/?secret@db/vnfm",
        "postgresql://vnfm:bare/?secret=x@db/vnfm",
        "postgresql://vnfm:bare@secret@db/vnfm",
        "postgresql://vnfm:%secret@db/vnfm",
        "postgresql://vnfm@db:secret/vnfm",
    ],
)
def test_what_is_no_url_of_postgresql_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="VNFM_X must be a URL such as") as refused:
        connection_to(url, "VNFM_X")
    assert "secret" not in str(refused.value)
    assert ("sslmoed" in str(refused.value)) == ("sslmoed" in url)


@pytest.mark.parametrize("ports", ["0", "5432,65536", "5432,x"])
def test_a_port_that_is_none_is_refused(ports: str) -> None:
    hosts = ",".join(f"db:{port}" for port in ports.split(","))
    with pytest.raises(ImproperlyConfigured, match="its port is no number from 1 to 65535"):
        connection_to(f"postgresql://vnfm:p%40ss@{hosts}/vnfm")


def test_a_request_waits_long_enough_for_the_second_host() -> None:
    found = database(15, TWO)
    assert (found["HOST"], found["PORT"]) == ("db-1.example,db-2.example", "5432,6432")
    assert (found["USER"], found["PASSWORD"], found["NAME"]) == ("vnfm", "p@ss", "vnfm")
    assert found["OPTIONS"]["pool"]["timeout"] == 2 * found["OPTIONS"]["connect_timeout"]
    assert "idle_in_transaction_session_timeout=60000" in found["OPTIONS"]["options"]
