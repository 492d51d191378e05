"""The command line: what is understood, what is answered, what runs."""

import ast
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from launcher.binaries import find_postgres_bin, find_valkey
from launcher.checks import needs_pages
from launcher.cli import main
from launcher.cloud import Cloud, choose_cloud
from launcher.console import Console
from launcher.errors import LaunchError
from launcher.keys import make_keys
from launcher.layout import Checkout, Instance
from launcher.processes import Identity
from launcher.product import Endpoints, Product, Web
from launcher.record import READY, Record, ServiceRecord
from launcher.run_plan import public_urls
from launcher.status import disk_lines
from launcher.tls import TlsFiles, check
from launcher.up import up
from launcher.up_options import UpOptions
from tests.factories.tls import certificate_files
from vnfm.kit.durable.places import Places

ROOT = Path(__file__).parents[3]
LOGIN = "auth: {auth_url: 'https://cloud.example:5000', username: u, password: p, project_name: v}"
CLOUDS = f"clouds:\n  one: {{{LOGIN}, region_name: R}}\n  two: {{{LOGIN}}}\n"


def test_status_of_nothing_is_a_document_and_exit_code_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", "--json", "--state-dir", str(tmp_path)]) == 3
    document = json.loads(capsys.readouterr().out)
    assert list(document) == [
        *("url", "local_url", "tls_cert", "admin", "clouds_yaml", "cloud", "database_url", "redis_url", "services")
    ]
    assert document["admin"] == {"username": "admin", "password": None}
    assert document["services"] == {}


def test_status_shows_the_space_that_uploads_reserve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = Instance(tmp_path)
    assert disk_lines(instance)[-1] == "  uploads    0 MB of at most 40% of the disk"
    place = Places("upload", 4, instance.artifacts / "places").take()
    assert place is not None
    place.reserve(12_000_000)
    monkeypatch.setenv("VNFM_SPOOL_QUOTA", "2000000000")
    assert disk_lines(instance)[-1] == "  uploads    12 MB of at most 2000 MB"
    place.leave()
    assert disk_lines(instance)[-1].startswith("  uploads    0 MB")


@pytest.mark.parametrize("command", ["token", "shell", "demo"])
def test_commands_for_an_instance_say_how_to_start_one(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--state-dir", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "Nothing runs here: start it with ./vnfm up.\n"


@pytest.mark.parametrize("arguments", [["up", "--port", "0"], ["up", "--port", "x"], ["down", "--force"], ["fly"], []])
def test_nonsense_is_refused_with_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refusal:
        main(arguments)
    assert refusal.value.code == 2
    assert "usage: vnfm" in capsys.readouterr().err


def test_an_unwritable_state_directory_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main(["up", "--detach", "--state-dir", str(tmp_path / "file" / "state")]) == 1
    words = capsys.readouterr().err
    assert str(tmp_path / "file") in words
    assert words.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--listen", "0.0.0.0"], "passwords would cross the network in clear: give --tls-cert and --tls-key"),
        (["--tls-cert", "a.pem"], "TLS needs both --tls-cert and --tls-key"),
        (["--tls-cert", "a.pem", "--tls-key", "a.pem"], "a.pem does not exist"),
    ],
)
def test_an_unsafe_address_is_refused_before_the_start(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["up", "--state-dir", str(tmp_path / "state"), *arguments]) == 1
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert not (tmp_path / "state").exists()


def test_the_public_url_has_the_name_of_the_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = TlsFiles(*certificate_files(tmp_path, "vnfm.example"))
    here = UpOptions(tmp_path, None, listen="0.0.0.0", tls=files)
    monkeypatch.delenv("VNFM_PUBLIC_URL", raising=False)
    assert public_urls(here, 8443, check(files)) == ("https://127.0.0.1:8443", "https://vnfm.example:8443")
    elsewhere = UpOptions(tmp_path, None, listen="192.0.2.1", tls=files)
    assert public_urls(elsewhere, 8443, check(files)) == ("https://192.0.2.1:8443", "https://vnfm.example:8443")
    monkeypatch.setenv("VNFM_PUBLIC_URL", "https://front.example/")
    assert public_urls(UpOptions(tmp_path, None), 8080, None) == ("http://127.0.0.1:8080", "https://front.example")


def test_an_unknown_log_names_those_there_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "web.log").write_text("hello\n")
    assert main(["logs", "wbe", "--state-dir", str(tmp_path)]) == 1
    assert "choose one of web" in capsys.readouterr().err
    assert main(["logs", "web", "--state-dir", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "hello\n"


def test_the_root_script_can_be_read_by_older_pythons() -> None:
    ast.parse((ROOT / "vnfm").read_text(), feature_version=(3, 7))


def test_the_launcher_imports_nothing_but_the_standard_library() -> None:
    for file in (ROOT / "backend" / "launcher").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert all(name.split(".")[0] in {*sys.stdlib_module_names, "launcher"} for name in names), file.name


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [([], True), (["-x"], True), (["tests/unit"], False), (["tests/unit", "tests/browser/test_flow.py"], True)],
)
def test_pages_are_built_for_browser_tests_only(arguments: list[str], needed: bool) -> None:
    assert needs_pages(arguments) is needed


def test_the_default_cloud_is_simulated(tmp_path: Path) -> None:
    cloud = choose_cloud(None, tmp_path / "clouds.yaml", Path(sys.executable), {})
    assert cloud == Cloud(tmp_path / "clouds.yaml", "cloudsim", simulated=True)


def test_a_cloud_of_the_users_own_file(tmp_path: Path) -> None:
    file = tmp_path / "clouds.yaml"
    file.write_text(CLOUDS)
    env = {"OS_CLIENT_CONFIG_FILE": str(file)}
    python = Path(sys.executable)
    assert choose_cloud("two", tmp_path / "sim", python, env) == Cloud(file, "two", simulated=False)
    assert choose_cloud(None, tmp_path / "sim", python, env | {"OS_CLOUD": "one"}).name == "one"
    with pytest.raises(LaunchError, match=r"several clouds \(one, two\)"):
        choose_cloud(None, tmp_path / "sim", python, env)
    with pytest.raises(LaunchError, match="have a cloud 'three'"):
        choose_cloud("three", tmp_path / "sim", python, env)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (CLOUDS.replace("password: p", "password: ''"), "Cloud 'two' does not say its auth.password."),
        (CLOUDS.replace("two: {", "two: {auth_type: v3oidcpassword, "), "auth_type 'v3oidcpassword'; there are"),
        (CLOUDS.replace("https://cloud.example:5000", "cloud:5000"), "authUrl: 'cloud:5000' is not a URL"),
        (CLOUDS.replace("two: {", "two: {cacert: none.pem, "), "none.pem"),
    ],
)
def test_an_entry_that_cannot_log_in_is_refused_first(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "clouds.yaml"
    file.write_text(text)
    with pytest.raises(LaunchError, match=words):
        choose_cloud("two", tmp_path / "sim", Path(sys.executable), {"OS_CLIENT_CONFIG_FILE": str(file)})


def test_clouds_yaml_is_found_where_openstack_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / ".config" / "openstack" / "clouds.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(CLOUDS)
    env = {"HOME": str(tmp_path)}
    assert choose_cloud("one", tmp_path / "sim", Path(sys.executable), env).clouds_yaml == file
    file.write_text("- not a mapping\n")
    with pytest.raises(LaunchError, match=r"not a clouds\.yaml"):
        choose_cloud("one", tmp_path / "sim", Path(sys.executable), env)


def test_a_record_says_the_same_after_a_round_trip(tmp_path: Path) -> None:
    record = Record(Identity(42, "boot/1"), READY, "http://127.0.0.1:8080", services={})
    record.services["web"] = ServiceRecord(43, "boot/2", "running", 1, 15, 10.0)
    record.save(tmp_path / "state.json")
    assert Record.load(tmp_path / "state.json") == record
    assert (tmp_path / "state.json").stat().st_mode & 0o777 == 0o600
    (tmp_path / "state.json").write_text("{half")
    assert Record.load(tmp_path / "state.json") is None


def test_the_environment_of_the_services(tmp_path: Path) -> None:
    instance = Instance(tmp_path)
    instance.prepare()
    product = Product(Checkout(ROOT), instance)
    make_keys(instance.keys)
    cloud = Cloud(instance.cloudsim / "clouds.yaml", "cloudsim", simulated=True)
    endpoints = Endpoints("https://vnfm.example", "https://192.0.2.1:443", "postgresql://db", "redis://broker", cloud)
    env = product.environment(endpoints)
    assert env["DATABASE_URL"] == "postgresql://db"
    assert (env["VNFM_PUBLIC_URL"], env["VNFM_LOCAL_URL"]) == ("https://vnfm.example", "https://192.0.2.1:443")
    assert len(Path(env["VNFM_SECRET_KEY_FILE"]).read_text()) > 50
    services = [*product.background(env), *product.web(env, Web(5, "http://127.0.0.1:8080", processes=2))]
    assert [service.name for service in services] == [
        "worker",
        "beat",
        "relay",
        "watch",
        "elements",
        "counters",
        "traps",
        "web",
        "web-2",
    ]


def test_the_simulated_routers_listen_where_they_are_registered(tmp_path: Path) -> None:
    instance = Instance(tmp_path)
    instance.prepare()
    product = Product(Checkout(ROOT), instance)
    cloud = Cloud(instance.cloudsim / "clouds.yaml", "cloudsim", simulated=True)
    serves = product.routersim(cloud, "127.0.0.1:9162").command
    registered = product.bootstrap({}, cloud, network=True).command

    def value(command: Sequence[str], option: str) -> int:
        return int(command[command.index(option) + 1])

    port, netconf = value(registered, "--network-port"), value(registered, "--network-netconf-port")
    assert [value(serves, f"--{name}-port") for name in ("snmp", "ssh", "netconf")] == [port, port, netconf]
    assert port != netconf, "a router has both on one address"


def test_programs_named_by_the_user_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundled = find_postgres_bin()
    for name in ("initdb", "postgres"):
        (tmp_path / name).symlink_to(bundled / name)
    monkeypatch.setenv("VNFM_PG_BIN", str(tmp_path))
    assert find_postgres_bin() == tmp_path
    monkeypatch.setenv("VNFM_VALKEY_BIN", "/opt/valkey-server")
    assert find_valkey() == Path("/opt/valkey-server")


def test_without_a_database_program_the_error_names_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LaunchError, match="REDIS_URL"):
        find_valkey(tmp_path)


def test_a_host_that_joins_must_have_what_the_others_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    joins = UpOptions(tmp_path, 8080, roles=("worker",))
    for name in ("DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(LaunchError, match="set DATABASE_URL and REDIS_URL to its servers"):
        up(Checkout.here(), joins, Console(io.StringIO()))
    monkeypatch.setenv("DATABASE_URL", "postgresql://db/vnfm")
    monkeypatch.setenv("REDIS_URL", "redis://broker/0")
    with pytest.raises(LaunchError, match=f"copy the keys of its first host into {tmp_path / 'keys'}"):
        up(Checkout.here(), joins, Console(io.StringIO()))
    assert not any(tmp_path.iterdir()), "no keys of its own were made"
    make_keys(tmp_path / "keys")
    (tmp_path / "keys" / "django-secret").unlink()
    with pytest.raises(LaunchError, match="copy the keys of its first host"):
        up(Checkout.here(), joins, Console(io.StringIO()))


def test_a_host_that_joins_needs_no_password_of_the_administrator(tmp_path: Path) -> None:
    product = Product(Checkout.here(), Instance(tmp_path), Path(sys.executable))
    assert product.admin_password == ""
    make_keys(tmp_path / "keys")
    assert product.admin_password


def test_roles_are_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["up", "--roles", "worker,cook"])
    assert "'cook' is not one of web, worker, beat, relay" in capsys.readouterr().err
