"""The launcher's side of backups: sentences of refusals, the schedule's command, the release."""

import io
import json
import os
import re
import socket
import subprocess
import sys
import tomllib
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from launcher.backup import Vault, restore, scheduled
from launcher.cli import main
from launcher.console import Console
from launcher.errors import LaunchError
from launcher.keys import make_keys
from launcher.layout import Checkout, Instance
from launcher.options import parser
from launcher.processes import Identity, spawn
from launcher.product import LOCK
from launcher.record import READY, Record, ServiceRecord
from launcher.run_plan import record_of
from launcher.schema import refusal
from launcher.starting import as_last_run, up_options
from launcher.steps import ensure, fingerprint
from launcher.tls import TlsFiles
from launcher.up_options import UpOptions
from launcher.upgrade import _handed_over, reason_to_stop, require_same_servers, up_command, upgrade, way_back
from launcher.version import version
from tests.factories.tls import certificate_files


def test_a_refusal_of_a_command_is_its_last_line() -> None:
    words = "upgrade_schema failed; log ends with:\n  Applying …\nCommandError: This database is newer."
    assert refusal(words) == "This database is newer."
    assert refusal("Traceback …\nValueError: x") is None
    assert refusal("") is None


def test_the_schedule_runs_only_where_a_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout, instance = Checkout.here(), Instance(tmp_path)
    for name in [name for name in os.environ if name.startswith("VNFM_BACKUP")]:
        monkeypatch.delenv(name)
    assert scheduled(checkout, instance, "postgresql://x/y") == ()
    monkeypatch.setenv("VNFM_BACKUP_DIR", "/backup")
    with pytest.raises(LaunchError, match="passphrase in VNFM_BACKUP_PASSPHRASE_FILE"):
        scheduled(checkout, instance, "postgresql://x/y")
    monkeypatch.setenv("VNFM_BACKUP_PASSPHRASE_FILE", "/secret")
    monkeypatch.setenv("VNFM_BACKUP_HOURS", "6")
    [service] = scheduled(checkout, instance, "postgresql://u:password@x/y")
    assert service.command[1:] == ("-m", "recovery", "schedule", "/backup", "--hours", "6", "--keep", "14")
    assert service.env is not None
    assert service.env["DATABASE_URL"] == "postgresql://u:password@x/y", "and on no command line"
    assert service.env["VNFM_SEAL_KEYS_FILE"] == str(tmp_path / "keys" / "seal-keys")


def test_the_way_back_names_the_latest_backup(tmp_path: Path) -> None:
    instance = Instance(tmp_path)
    assert way_back(instance) == ""
    Vault(instance).before_upgrades.mkdir()
    for seconds, name in enumerate(("before-1.1.0-b.backup", "before-1.0.0-a.backup")):
        file = Vault(instance).before_upgrades / name
        file.touch()
        os.utime(file, (seconds, seconds))
    assert "restore " + str(Vault(instance).before_upgrades / "before-1.0.0-a.backup") in way_back(instance)


def test_the_version_is_that_of_the_project_with_the_heads_of_the_schema() -> None:
    stream, checkout = io.StringIO(), Checkout.here()
    assert version(checkout, Console(stream)) == 0
    first, second = stream.getvalue().splitlines()
    project = tomllib.loads((checkout.root / "pyproject.toml").read_text())["project"]["version"]
    assert re.fullmatch(rf"vnfm {re.escape(project)}( \([0-9a-f]{{7,}}\+?\))?", first)
    assert "telemetry.0002_traffic" in second
    assert len(re.findall(r"\blcm\.\d{4}_", second)) == 1, "the last one of each app"


def installed(checkout: Checkout, program: str) -> Checkout:
    """As an installation leaves it, with a shell script for its Python."""
    checkout.prepare()
    for file, text in ((checkout.lock_file(LOCK), ""), (checkout.python(LOCK), f"#!/bin/sh\n{program}\n")):
        file.parent.mkdir(parents=True)
        file.write_text(text)
        file.chmod(0o700)
    key = fingerprint(checkout.root, [checkout.lock_file(LOCK)], str(checkout.root))
    ensure(checkout.stamps / f"venv-{LOCK}", key, checkout.python(LOCK), lambda: None)
    return checkout


def test_after_a_restore_that_died_the_next_start_looks_at_the_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have exchanged the databases before: the new one is of another release, and has the note of a restore."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://other@127.0.0.1:1/none")
    instance = Instance(tmp_path / "state")
    stamp = instance.postgres / "schema"
    stamp.parent.mkdir(parents=True)
    stamp.write_text("of this checkout\n")
    checkout = installed(Checkout(tmp_path / "checkout"), f"test ! -e {stamp} || exit 3; kill -9 $$")
    code = restore(checkout, instance, Console(io.StringIO()), tmp_path / "x", passphrase=None, replace=True)
    assert code == -9, "3: the stamp was there while it ran"
    assert not stamp.exists()


def flags(**named: object) -> Namespace:
    """Return the flags of `upgrade`."""
    names = ("port", "cloud", "listen", "tls_cert", "tls_key", "web_processes", "guests", "roles")
    return Namespace(**{**dict.fromkeys(names), "state_dir": Path("/state"), **named})


@pytest.mark.parametrize(
    ("named", "variables", "words"),
    [
        ({"listen": "192.0.2.1"}, {}, "passwords would cross the network in clear"),
        ({"cloud": "mine"}, {"OS_CLIENT_CONFIG_FILE": "/none/clouds.yaml"}, "names /none/clouds.yaml, which cannot be"),
        ({}, {"VNFM_BACKUP_DIR": "/backups"}, "the passphrase in VNFM_BACKUP_PASSPHRASE_FILE"),
        ({}, {"REDIS_URL": "redis://127.0.0.1:1/0"}, "REDIS_URL names 127.0.0.1:1, which does not answer"),
    ],
)
def test_an_upgrade_refuses_what_could_not_start_before_it_looks_at_the_database(
    named: dict[str, str], variables: dict[str, str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (
        "DATABASE_URL",
        "REDIS_URL",
        "OS_CLIENT_CONFIG_FILE",
        "VNFM_BACKUP_DIR",
        "VNFM_BACKUP_PASSPHRASE_FILE",
    ):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    checkout, instance = installed(Checkout(tmp_path / "checkout"), "exit 9"), Instance(tmp_path / "state")
    options = UpOptions(instance.root, 8443, **named)
    with pytest.raises(LaunchError, match=words):
        upgrade(checkout, instance, Console(io.StringIO()), options, lambda: 0)


@pytest.fixture
def external(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Servers of the installation that accept connections, and say nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        monkeypatch.setenv("DATABASE_URL", f"postgresql://vnfm@{address}/vnfm")
        monkeypatch.setenv("REDIS_URL", f"redis://{address}/0")
        monkeypatch.delenv("OS_CLIENT_CONFIG_FILE", raising=False)
        yield


@pytest.mark.usefixtures("external")
def test_an_upgrade_of_several_hosts_stops_none_under_the_others(tmp_path: Path) -> None:
    plan = {"version": "2.0.0", "pending": ["lcm.0099_gone"], "stops": ["DROP TABLE a"]}
    checkout = installed(Checkout(tmp_path / "checkout"), f"echo '{json.dumps(plan)}'")
    (instance := Instance(tmp_path / "state")).prepare()
    make_keys(instance.keys)
    supervisor = spawn((sys.executable, "-c", "import signal; signal.pause()"))
    me = Identity.of(supervisor.pid)
    assert me is not None
    Record(me, READY, url="http://127.0.0.1:8443").save(instance.record)
    first, second = UpOptions(instance.root, 8443), UpOptions(instance.root, 8443, roles=("worker",))
    with pytest.raises(LaunchError, match=r"stop all of them with ./vnfm down, this one as the last"):
        upgrade(checkout, instance, Console(io.StringIO()), first, lambda: 0)
    with pytest.raises(LaunchError, match=r"lacks lcm.0099_gone of release 2.0.0: start or upgrade"):
        upgrade(checkout, instance, Console(io.StringIO()), second, lambda: 0)
    assert supervisor.poll() is None
    supervisor.kill()
    supervisor.wait()


def test_an_upgrade_finds_the_cloud_of_the_last_run_in_another_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    last = running(url="http://127.0.0.1:8443", clouds_yaml="/home/ann/clouds.yaml", cloud="mine")
    monkeypatch.setattr(os, "environ", {})
    as_last_run(flags(), last)
    assert os.environ == {"OS_CLIENT_CONFIG_FILE": "/home/ann/clouds.yaml"}
    monkeypatch.setattr(os, "environ", {"OS_CLIENT_CONFIG_FILE": "/etc/mine.yaml"})
    as_last_run(flags(), last)
    as_last_run(flags(cloud="other"), last)
    assert os.environ == {"OS_CLIENT_CONFIG_FILE": "/etc/mine.yaml"}, "what the shell names counts"
    monkeypatch.setattr(os, "environ", {})
    as_last_run(flags(cloud="other"), last)
    as_last_run(flags(), replace(last, clouds_yaml="/state/cloudsim/clouds.yaml", cloud="cloudsim"))
    assert os.environ == {}


def test_an_upgrade_starts_with_the_flags_of_the_last_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", "/home/ann/clouds.yaml")
    files = TlsFiles(*certificate_files(tmp_path))
    begun = UpOptions(Path("/state"), 8443, listen="0.0.0.0", tls=files, web_processes=2)
    last = record_of(begun, 8443)
    last.clouds_yaml, last.cloud, last.guests = "/home/ann/clouds.yaml", "mine", "namespaces"
    last.roles = ["worker"]
    same = {"port": 8443, "cloud": "mine", "listen": "0.0.0.0", "web_processes": 2, "guests": "namespaces"}
    same["roles"] = ("worker",)
    as_last_run(again := flags(), last)
    assert again == flags(**same, tls_cert=files.cert, tls_key=files.key)
    other = {"listen": "127.0.0.1", "web_processes": 1, "tls_cert": Path("c"), "tls_key": Path("k")}
    as_last_run(again := flags(**other), last)
    assert again == flags(**same | other), "flags that are named count"
    last.listen = last.tls_key = ""  # as an earlier release leaves it
    with pytest.raises(LaunchError, match="name --listen, --tls-cert and --tls-key"):
        as_last_run(flags(), last)
    last.tls_cert = ""
    as_last_run(again := flags(), last)
    assert (again.listen, again.tls_cert, again.tls_key) == ("127.0.0.1", None, None)


def test_a_running_instance_hands_over_unless_there_is_a_reason_to_stop() -> None:
    options = UpOptions(Path("/state"), 8443, "mine", listen="127.0.0.1", web_processes=2)
    last, bears = record_of(options, 8443), {"version": "1.1.0", "stops": []}
    assert reason_to_stop(last, options, bears) == "it is starting"
    last.phase = READY
    assert reason_to_stop(last, options, bears) == ""
    other = UpOptions(Path("/state"), 8443, listen="127.0.0.2")
    assert reason_to_stop(last, other, bears) == "it has to listen on another address"
    worker = replace(last, roles=["worker"])
    assert reason_to_stop(worker, replace(options, roles=("worker",)), bears) == ""
    assert reason_to_stop(worker, replace(options, roles=("worker", "web")), bears) == "it has to serve the web as well"
    dropped = bears | {"stops": ["DROP TABLE a"]}
    assert reason_to_stop(last, options, dropped) == "the running release cannot work after a migration (DROP TABLE a)"
    last.hands_over = 0  # as a release of before leaves it
    assert reason_to_stop(last, options, bears) == "the running release cannot hand over its connections"


def test_the_new_release_gets_the_flags_of_the_old_one(tmp_path: Path) -> None:
    files = TlsFiles(*certificate_files(tmp_path))
    options = UpOptions(
        tmp_path, 8443, "mine", listen="::", tls=files, web_processes=2, guests="namespaces", roles=("web", "worker")
    )
    python, program, *words = up_command(Checkout(Path("/new")), options)
    assert (python, program) == (sys.executable, "/new/vnfm")
    again = parser(Checkout.here()).parse_args(words)
    assert (again.command, again.detach, again.empty) == ("up", False, True), "the running process becomes it"
    assert up_options(again) == replace(options, empty=True)


def test_an_upgrade_that_must_go_on_serving_refuses_to_stop(tmp_path: Path) -> None:
    instance, options = Instance(tmp_path), UpOptions(tmp_path, 8443)
    instance.prepare()
    last = record_of(options, 8443)
    last.save(instance.record)
    with pytest.raises(LaunchError, match="The instance would have to stop: it is starting"):
        _handed_over(
            Checkout.here(),
            instance,
            Console(io.StringIO()),
            options,
            {"version": "1.1.0", "pending": [], "stops": []},
            may_stop=False,
        )


def running(**columns: str) -> Record:
    return Record(Identity(42, "boot/1"), READY, **columns)


def test_an_upgrade_stays_with_the_servers_of_the_last_run() -> None:
    own = running(database_url="postgresql://vnfm:x@127.0.0.1:5432/vnfm", redis_url="redis://:x@127.0.0.1:6379")
    own.services = {name: ServiceRecord(43, "boot/2", "running", 0, 15, 10.0) for name in ("postgres", "valkey")}
    named = {"DATABASE_URL": "postgresql://vnfm:secret@db/vnfm", "REDIS_URL": "redis://:secret@broker/0"}
    theirs = running(database_url=named["DATABASE_URL"], redis_url=named["REDIS_URL"])
    require_same_servers(own, {})
    require_same_servers(theirs, named)
    for last, env, words in (
        (own, named, "started with no DATABASE_URL, but this shell has DATABASE_URL at db/vnfm:"),
        (theirs, {}, "started with DATABASE_URL at db/vnfm, but this shell has no DATABASE_URL:"),
        (theirs, {**named, "REDIS_URL": "redis://:secret@other/0"}, "but this shell has REDIS_URL at other/0:"),
        (theirs, {**named, "REDIS_URL": "redis://:other@broker/0"}, "has REDIS_URL at broker/0 with another login:"),
    ):
        with pytest.raises(LaunchError, match=re.escape(words)) as refused:
            require_same_servers(last, env)
        assert "secret" not in str(refused.value)


def test_an_upgrade_on_other_servers_is_refused_before_anything_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    with subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"]) as supervisor:
        try:
            identity = Identity.of(supervisor.pid)
            assert identity is not None
            last = Record(identity, READY, database_url="postgresql://vnfm@db/vnfm")
            Instance(tmp_path).prepare()
            last.save(Instance(tmp_path).record)
            assert main(["upgrade", "--state-dir", str(tmp_path)]) == 1
            assert "this shell has no DATABASE_URL" in capsys.readouterr().err
            assert supervisor.poll() is None
        finally:
            supervisor.kill()
