"""Fixtures of the whole suite: real PostgreSQL and Valkey, started when the first test asks; a simulated cloud.

TEST_DATABASE_URL and TEST_REDIS_URL name running servers to use instead; the database is `test_<name>` there. Side by
side every xdist worker has servers of its own, since roles and some databases' names hold for a whole server. Django's
settings read the environment when they load, so `pytest_configure` prepares it, before pytest-django looks; therefore
nothing here may import Django, or our packages that do, at module level.
"""

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import hypothesis
import pytest

from tests.support import timings
from tests.support.matrices import spread
from tests.support.xdist_groups import REAL_CLOUD, KeepTogether, group

if TYPE_CHECKING:
    from psycopg_pool import ConnectionPool
    from pytest_django import DjangoDbBlocker
    from xdist.remote import Producer
    from xdist.scheduler.protocol import Scheduling

    from tests.support.cloudsim_process import CloudsimProcess
    from tests.support.rabbitmq import RabbitMq
    from tests.support.routersim_process import RoutersimProcess
    from tests.support.validating_client import ValidatingClient

HELPERS = {f"tests.support.{path.stem}" for path in (Path(__file__).parent / "support").iterdir()}
pytest.register_assert_rewrite(*HELPERS - sys.modules.keys())  # a helper's assertion says what it saw, too
STATE = pytest.StashKey[Path]()
CLOSED_BROKER = "redis://127.0.0.1:1/0"
"""A task is sent here in tests that do not ask for `valkey`: refused at once, as when the broker is down."""


gc.set_threshold(50_000, 20, 10)
"""Together with `gc.freeze` below this saves time: looking at the modules of all tests again takes a quarter of the
unit tests' time."""

QUICK_HASHER = "django.contrib.auth.hashers.MD5PasswordHasher"
"""It hashes passwords of tests' users: the product's takes 50 ms of processor for each login, which is what it is
for."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--store-timings", action="store_true", help="write the seconds of test files to tests/timings.json"
    )
    parser.addoption(
        "--shard", default="1/1", metavar="I/N", help="of the chaos matrix: only this share of its batches"
    )
    parser.addoption(
        "--rows", default="", metavar="REGEX", help="of the chaos matrix: only runs with this in their name"
    )
    parser.addoption(
        "--ledger", type=Path, metavar="FILE", help="of the chaos matrix: note runs here, and skip noted ones"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: what fixtures made in a cloud is removed
    state = config.stash[STATE] = Path(tempfile.mkdtemp(prefix="vnfm-tests-"))
    state.chmod(0o711)  # PostgreSQL may have to run as another user
    if not hasattr(config, "workerinput"):  # an xdist worker has its settings from the controller's environment already
        _prepare(state)
        if config.getoption("--store-timings"):
            config.pluginmanager.register(timings.TimingRecorder(config.rootpath))
    if "TEST_DATABASE_URL" in os.environ:
        os.environ["DATABASE_URL"] = os.environ["TEST_DATABASE_URL"]
    slow = [hypothesis.HealthCheck.too_slow]  # how fast examples come says how busy the machine is
    for profile, examples in (("suite", 25), ("thorough", 1000)):  # the other by --hypothesis-profile
        hypothesis.settings.register_profile(profile, deadline=None, suppress_health_check=slow, max_examples=examples)
    hypothesis.settings.load_profile("suite")
    if not config.getoption("numprocesses", None):  # the controller of xdist workers runs no test
        _prepare_django(state)


def _prepare_django(state: Path) -> None:
    """Load the settings, so that pytest-django sets up what they name."""
    from django.conf import settings

    assert settings.SECRET_KEY  # loads them; pytest-django sets up only what is configured
    settings.PASSWORD_HASHERS = [QUICK_HASHER, *settings.PASSWORD_HASHERS]
    # Files of its own: housekeeping removes those that its database does not know, and every worker has a database. The
    # settings may have been loaded before, from the controller's environment; processes read them from ours.
    settings.ARTIFACTS_DIR, settings.PACKAGE_CERTIFICATES_DIR = state / "artifacts", state / "certificates"
    os.environ["VNFM_ARTIFACTS_DIR"] = str(settings.ARTIFACTS_DIR)


def _prepare(state: Path) -> None:
    """The environment that the settings are read from."""
    from cryptography.fernet import Fernet

    (state / "secret_key").write_text("only for tests, where nothing is secret, and long enough for Django's check")
    (state / "seal_keys").write_text(Fernet.generate_key().decode() + "\n")
    (state / "ui").mkdir()
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "vnfm.config.settings",
        "VNFM_SECRET_KEY_FILE": str(state / "secret_key"),
        "VNFM_SEAL_KEYS_FILE": str(state / "seal_keys"),
        "VNFM_UI_DIR": str(state / "ui"),
        "VNFM_PUBLIC_URL": "http://testserver",
        "VNFM_ELEMENTS_ALLOWED": "127.0.0.0/8",  # simulated routers and agents
        "REDIS_URL": os.environ.get("TEST_REDIS_URL", CLOSED_BROKER),
    }


FIRST_TO_LAST = ("unit", "arch", "service", "contract", "chaos", "cloud", "browser", "bench", "containers")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """One process runs the quick kinds of tests first; parallel workers begin with the longest files.

    Marks are set before `-m` looks at them; the order is made after pytest-django's, which puts what needs no database
    last, the browser's tests too.
    """
    unknown = [i.nodeid for i in items if i.get_closest_marker("real_cloud") and group(i.nodeid) != REAL_CLOUD]
    assert not unknown, f"tests/support/xdist_groups.py does not know that these need the real cloud: {unknown}"
    _leave_most_of_matrices_out(items)
    seconds = timings.read()
    for item in items:
        if item.nodeid in seconds:
            item.add_marker(pytest.mark.slow)
    yield
    if hasattr(config, "workerinput") or config.getoption("dist", "no") != "no":
        items.sort(key=lambda item: timings.start_order(group(item.nodeid), seconds))
    else:
        tests = Path(__file__).parent
        items.sort(key=lambda item: FIRST_TO_LAST.index(item.path.relative_to(tests).parts[0]))


def pytest_collection_finish() -> None:
    gc.freeze()


def _leave_most_of_matrices_out(items: list[pytest.Item]) -> None:
    """Keep n rows of a test marked `matrix(n)`, spread over all of them, in the normal run; the others are `long`."""
    matrices: dict[tuple[Path, str], list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("matrix"):
            matrices.setdefault((item.path, item.name.partition("[")[0]), []).append(item)
    for rows in matrices.values():
        marker = rows[0].get_closest_marker("matrix")
        assert marker is not None
        staying = spread(len(rows), marker.args[0])
        for index, row in enumerate(rows):
            if index not in staying:
                row.add_marker(pytest.mark.long)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: "Producer") -> "Scheduling | None":
    """Side by side (`-n 4 --dist loadfile`) also keep together what shares more than its file."""
    return KeepTogether(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(config.stash[STATE], ignore_errors=True)


def _for_the_session() -> object:
    @pytest.fixture(scope="session", autouse=True)
    def unused() -> None:
        """Replace a fixture of pytest-django that each test would set up, for something that no test here uses."""

    return unused


_django_isolate_apps, _django_set_urlconf, _django_setup_unittest = (_for_the_session() for _ in range(3))
_fail_for_invalid_template_variable, _template_string_if_invalid_marker = (_for_the_session() for _ in range(2))
_django_clear_site_cache, _dj_autoclear_mailbox = (_for_the_session() for _ in range(2))


@pytest.fixture(scope="session")
def postgres(pytestconfig: pytest.Config) -> Iterator[str]:
    """URL of the server, not of the test database on it."""
    if url := os.environ.get("TEST_DATABASE_URL"):
        yield url
        return
    from launcher.postgres import EmbeddedPostgres
    from tests.support.schema_template import copy_to

    root = pytestconfig.stash[STATE] / "postgres"
    copy_to(root)
    with EmbeddedPostgres(root, fsync=False) as server:
        yield server.url


@pytest.fixture(scope="session")
def valkey(pytestconfig: pytest.Config) -> Iterator[str]:
    """URL of a running Valkey; settings and Celery are pointed at it for the rest of the session."""
    if url := os.environ.get("TEST_REDIS_URL"):
        yield url
        return
    from django.conf import settings

    from launcher.valkey import EmbeddedValkey
    from vnfm.config.celery import app

    with EmbeddedValkey(pytestconfig.stash[STATE] / "valkey") as server:
        settings.REDIS_URL = settings.CELERY_BROKER_URL = server.url
        app.conf.broker_url = app.conf.broker_write_url = app.conf.broker_read_url = server.url
        app.set_current()
        app._pool = app.amqp._producer_pool = None  # what a test before it opened to the address of the settings
        yield server.url


@pytest.fixture(scope="session")
def django_db_setup(
    postgres: str, django_db_modify_db_settings: None, django_db_blocker: "DjangoDbBlocker"
) -> Iterator[None]:
    """In place of pytest-django's own: the test database of our server has its schema already.

    On a server named by TEST_DATABASE_URL it is made: Django's tables, then Alembic's, as `upgrade_schema` does.
    """
    from django.db import connections
    from django.test import TransactionTestCase
    from django.test.utils import setup_databases, teardown_databases

    from tests.support.db_reset import empty_tables
    from tests.support.schema_template import TEST_DATABASE
    from vnfm.config.database_settings import database
    from vnfm.history import schema
    from vnfm.history.database import pool

    parsed, where = database(15, postgres), connections["default"].settings_dict
    where.update({key: parsed[key] for key in ("HOST", "PORT", "USER", "PASSWORD", "NAME")})
    created = None
    if "TEST_DATABASE_URL" in os.environ:
        with django_db_blocker.unblock():
            created = setup_databases(verbosity=0, interactive=False)
            schema.upgrade()
    else:
        where["NAME"] = TEST_DATABASE
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _: empty_tables())
        yield
    pool.close()  # a database in use cannot be dropped
    if created is not None:
        with django_db_blocker.unblock():
            teardown_databases(created, verbosity=0)


@pytest.fixture
def telemetry(transactional_db: None) -> "Iterator[ConnectionPool]":
    """The history's connections, whose writes no rollback of Django's undoes: its tables are empty before and after."""
    from vnfm.history.database import pool
    from vnfm.history.names import PARTITIONED

    def empty() -> None:
        with pool.connection() as connection:
            for table in (*PARTITIONED, "counter_sample", "quarantine"):
                connection.execute(f"TRUNCATE telemetry.{table}")

    empty()
    yield pool
    empty()


@pytest.fixture(scope="session")
def product_env(django_db_setup: None, postgres: str, valkey: str) -> dict[str, str]:
    """Environment for processes of the product (cwd `backend/`) on the test database; use with `transactional_db`."""
    from django.db import connection

    url = urlsplit(postgres)._replace(path="/" + connection.settings_dict["NAME"]).geturl()
    return os.environ | {"DATABASE_URL": url, "REDIS_URL": valkey, "PYTHONUNBUFFERED": "1"}


@pytest.fixture(scope="session")
def _cloudsim(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[CloudsimProcess]":
    from tests.support.cloudsim_process import CloudsimProcess

    with CloudsimProcess(tmp_path_factory.mktemp("cloudsim")) as process:
        yield process


@pytest.fixture(scope="module")
def cloudsim(_cloudsim: "CloudsimProcess") -> "CloudsimProcess":
    """The simulated cloud as a process of its own, reached over HTTP: fresh for a module of tests."""
    _cloudsim.control("POST", "/reset")
    return _cloudsim


@pytest.fixture(scope="session")
def _routersim(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[RoutersimProcess]":
    from tests.support.routersim_process import RoutersimProcess

    with RoutersimProcess(tmp_path_factory.mktemp("routersim")) as process:
        yield process


@pytest.fixture(scope="module")
def routersim(_routersim: "RoutersimProcess") -> "Iterator[RoutersimProcess]":
    """Simulated network elements as a process of their own; a module of tests adds its own elements."""
    yield _routersim
    _routersim.clear()


@pytest.fixture(scope="session")
def rabbitmq(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[RabbitMq]":
    """A real AMQP broker; without the programs the tests that need one are skipped."""
    from tests.support.rabbitmq import SERVER, RabbitMq, installed

    if not installed():
        pytest.skip(f"there is no {SERVER} (package rabbitmq-server), so no message bus to listen to")
    with RabbitMq(tmp_path_factory.mktemp("rabbitmq")) as broker:
        yield broker


@pytest.fixture
def api_as(db: None) -> "Callable[[str], ValidatingClient]":
    """`api_as("viewer")`: a client that logs in as a fresh user of that role, with a bearer token."""
    from tests.factories.accounts import make_user
    from tests.support.validating_client import ValidatingClient
    from vnfm.accounts.tokens import token_issue

    def client(role: str) -> "ValidatingClient":
        _, secret = token_issue(user=make_user(role=role), name="test")
        return ValidatingClient(headers={"Authorization": f"Bearer {secret}"})

    return client


@pytest.fixture
def api(api_as: "Callable[[str], ValidatingClient]") -> "ValidatingClient":
    """A client with an administrator's rights."""
    return api_as("admin")


@pytest.fixture
def operator_api(api_as: "Callable[[str], ValidatingClient]") -> "ValidatingClient":
    return api_as("operator")


@pytest.fixture
def viewer_api(api_as: "Callable[[str], ValidatingClient]") -> "ValidatingClient":
    return api_as("viewer")


@pytest.fixture
def anonymous_api(db: None) -> "ValidatingClient":
    from tests.support.validating_client import ValidatingClient

    return ValidatingClient()
