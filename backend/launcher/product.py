"""The processes of the product: commands, environment and readiness checks."""

import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from launcher.binaries import find_postgres_bin, find_valkey
from launcher.cloud import Cloud
from launcher.forks import ForkServer
from launcher.guests import BRIDGED
from launcher.layout import ADMIN, Checkout, Instance
from launcher.ports import EVERYWHERE, LOOPBACK, persistent_port, remembered_port, remembered_trap_port
from launcher.postgres import PostgresCluster
from launcher.record import Record
from launcher.service import AFTER, BESIDE, KEPT, Running, Service, answers_at, answers_http, at_once
from launcher.tls import TlsFiles
from launcher.toolchain import installer_environment
from launcher.unprivileged import choose
from launcher.valkey import ValkeyStore

LOCK = "build"  # the lock file whose environment runs the product
ROUTER_PORT = "elements-port"  # file with the port of all simulated routers, by SNMP and by SSH
NETCONF_PORT = "netconf-port"  # and by NETCONF
CORE = "127.20.0.1"  # the simulated core router: the routers of VNFs have BGP sessions with it
PRELOAD, WARM_UP = "vnfm.config.preload", "vnfm.config.warm_up"
SIMULATORS = ("cloudsim.__main__",)
"""Simulators that the fork server imports, without routersim, whose ASN.1 compiler would add 20 MiB to each fork."""
WORKER_GRACE = 20.0  # tasks are short, as none waits for a cloud


@dataclass(frozen=True)
class Endpoints:
    """The addresses of one run of an instance and of the servers that it uses."""

    url: str
    """The public URL."""
    local_url: str
    """The URL at which programs of this host reach the web."""
    database_url: str
    redis_url: str
    cloud: Cloud
    web_processes: int = 1
    direct_tls: bool = False
    """Whether the web itself serves TLS, without a proxy in front of it."""
    guests: str = ""

    @classmethod
    def of(cls, record: Record, instance: Instance) -> "Endpoints":
        clouds_yaml = Path(record.clouds_yaml)
        cloud = Cloud(clouds_yaml, record.cloud, simulated=clouds_yaml.is_relative_to(instance.cloudsim))
        return cls(
            record.users_url,
            record.url,
            record.database_url,
            record.redis_url,
            cloud,
            record.web_processes,
            direct_tls=bool(record.tls_cert),
            guests=record.guests,
        )


@dataclass(frozen=True)
class Web:
    """The web's bound socket `listener`, and the `url` at which our own programs reach it."""

    listener: int
    url: str
    tls: TlsFiles | None = None
    processes: int = 1


class Product:
    """The services of one instance."""

    def __init__(
        self, checkout: Checkout, instance: Instance, python: Path | None = None, *, takes_over: bool = False
    ) -> None:
        self.checkout = checkout
        self.instance = instance
        self.takes_over = takes_over
        """Whether this run takes over from another release, whose servers already use the ports."""
        self.python = python or checkout.python(LOCK)

    @property
    def admin_password(self) -> str:
        """The first administrator's initial password; "" after it was changed, or on a host that does not have it."""
        file = self.instance.admin_password
        return file.read_text().strip() if file.exists() else ""

    def environment(self, endpoints: Endpoints) -> dict[str, str]:
        env = self.checkout.compiled_once(installer_environment()) | {
            "PYTHONUNBUFFERED": "1",
            "DATABASE_URL": endpoints.database_url,
            "REDIS_URL": endpoints.redis_url,
            "VNFM_SECRET_KEY_FILE": str(self.instance.keys / "django-secret"),
            "VNFM_SEAL_KEYS_FILE": str(self.instance.keys / "seal-keys"),
            "VNFM_ARTIFACTS_DIR": str(self.instance.artifacts),
            "VNFM_HEARTBEAT_DIR": str(self.instance.heartbeats),
            "VNFM_WATCHED_DISKS": ",".join(f"{name}={path}" for name, path in self._watched_disks().items()),
            "VNFM_PUBLIC_URL": endpoints.url,
            "VNFM_LOCAL_URL": endpoints.local_url,
            "VNFM_UI_DIR": str(self.checkout.ui),
            "VNFM_WEB_PROCESSES": str(endpoints.web_processes),
        }
        if endpoints.direct_tls:
            env.setdefault("VNFM_TRUSTED_PROXY", "none")
        env.setdefault("VNFM_LOG_FORMAT", "console")
        if endpoints.cloud.simulated:
            env.setdefault("VNFM_ELEMENTS_ALLOWED", "127.0.0.0/8")  # simulated routers have loopback addresses
        traps = EVERYWHERE if endpoints.guests in BRIDGED else LOOPBACK
        env.setdefault("VNFM_TRAP_LISTEN", f"{traps}:{remembered_trap_port(self.instance.root / 'trap-port')}")
        return env

    def _watched_disks(self) -> Mapping[str, Path]:
        places = self.instance
        return {"database": places.postgres / "cluster", "broker": places.valkey, "logs": places.logs}

    def _port(self, file: Path) -> int:
        return persistent_port(file) if self.takes_over else remembered_port(file)

    def postgres(self) -> tuple[PostgresCluster, Service]:
        programs = find_postgres_bin(self.checkout.site_packages(LOCK))
        cluster = PostgresCluster(
            self.instance.postgres, runner=choose(self.instance.postgres, programs), port=self._port
        )
        cluster.prepare()
        service = Service(
            "postgres",
            tuple(cluster.command),
            ready=lambda running: cluster.ready(running.pid),
            user=cluster.user,
            stop_signal=signal.SIGINT,
            orphan_signal=signal.SIGINT,
            grace=30,
            replaced=KEPT,
        )
        return cluster, service

    def valkey(self) -> tuple[ValkeyStore, Service]:
        store = ValkeyStore(
            self.instance.valkey, program=find_valkey(self.checkout.site_packages(LOCK)), port=self._port
        )
        store.prepare()
        service = Service(
            "valkey",
            tuple(store.command),
            ready=lambda _: store.ready(),
            orphan_signal=signal.SIGTERM,
            replaced=KEPT,
        )
        return store, service

    def cloudsim(self, guests: str = "") -> Service:
        state = self.instance.cloudsim
        port = self._port(state / "port")
        flags = ("--host", LOOPBACK, "--port", str(port), "--state-dir", str(state))
        # The seed serves the catalog and the user's templates; members may create further flavors.
        contents = ("--seed", "operator", "--flavor-create-role", "member")
        command = ("-m", "cloudsim", *flags, *contents, *(("--guests", guests) if guests else ()))
        ready = answers_http(port, "/healthz")
        return self._service("cloudsim", command, ready=ready, orphan_signal=signal.SIGTERM, replaced=KEPT)

    def routersim(self, cloud: Cloud, traps: str) -> Service:
        """Return the service of the simulated routers: physical ones, and one for each VNF with a loopback address.

        Their notifications go to `traps`, HOST:PORT.
        """
        state = self.instance.routersim
        elements, netconf = (str(persistent_port(state / name)) for name in (ROUTER_PORT, NETCONF_PORT))
        control = ("--state-dir", str(state), "--control-port", str(self._port(state / "port")))
        flags = (*control, "--snmp-port", elements, "--ssh-port", elements, "--netconf-port", netconf)
        routers = ("--scenario", str(self.checkout.backend / "routersim" / "trial.json"))
        follow = ("--clouds-yaml", str(cloud.clouds_yaml), "--cloud", cloud.name, "--follow-seconds", "1")
        adopt = ("--adopt", "--adopt-factory", "--adopt-peer", CORE)
        command = ("-m", "routersim", *flags, "--trap-to", traps, *routers, *follow, *adopt)
        # The start does not wait for it: the product must start even if a simulated router cannot listen.
        return self._service("routersim", command, orphan_signal=signal.SIGTERM, replaced=KEPT)

    def background(self, env: Mapping[str, str]) -> tuple[Service, ...]:
        """Return the services between the databases and the web; they can start in any order."""
        return (
            self._service("worker", ("manage.py", "worker"), env, ready=has_logged(" ready."), grace=WORKER_GRACE),
            self._service("beat", ("manage.py", "beat"), env, ready=has_logged("beat: Starting")),
            self._service("relay", ("manage.py", "relay"), env, ready=has_logged("listen.ready")),
            self._service("watch", ("manage.py", "watch"), env, ready=has_logged("watch.ready")),
            self._service("elements", ("manage.py", "elements"), env, ready=has_logged("elements.ready")),
            self._service("counters", ("manage.py", "counters"), env, ready=has_logged("counters.ready")),
            self._service("traps", ("manage.py", "traps"), env, ready=has_logged("traps.ready"), replaced=AFTER),
        )

    def web(self, env: Mapping[str, str], web: Web) -> tuple[Service, ...]:
        """Return the web processes, which share one listening socket: while one restarts, the others serve."""
        tls = ("--tls-cert", str(web.tls.cert), "--tls-key", str(web.tls.key)) if web.tls else ()
        command = ("-m", "vnfm.config.serve", "--fd", str(web.listener), *tls)
        healthy = answers_at(web.url, "/healthz", web.tls.cert if web.tls else None)
        listens = has_logged("Uvicorn running on")

        def ready(running: Running) -> bool:
            return listens(running) and healthy(running)

        names = ("web", *(f"web-{number}" for number in range(2, web.processes + 1)))
        return tuple(
            replace(
                self._service(name, command, dict(env) | {"VNFM_WEB_PROCESS_NAME": name}, ready=ready),
                fds=(web.listener,),
            )
            for name in names
        )

    def manage(self, *arguments: str) -> list[str]:
        return [str(self.python), "manage.py", *arguments]

    def fork_server(self, env: Mapping[str, str], *, simulators: bool) -> ForkServer:
        """Return the fork server of all services below, with the simulators' modules if `simulators`."""
        modules = (PRELOAD, *(SIMULATORS if simulators else ()), WARM_UP)
        return ForkServer(self.python, modules, commands=self.instance.commands, cwd=self.checkout.backend, env=env)

    def upgrade_schema(self, env: Mapping[str, str], keep: Path) -> Service:
        """Return the program that upgrades the schema; `keep` is the folder for backups of the database before it."""
        return self._service("upgrade_schema", ("manage.py", "upgrade_schema", "--keep", str(keep)), env)

    def bootstrap(self, env: Mapping[str, str], cloud: Cloud, *, network: bool) -> Service:
        """Return the program that creates the first objects; `network` adds the simulated routers."""
        admin = ("--admin-username", ADMIN, "--admin-password-file", str(self.instance.admin_password))
        vim = ("--clouds-yaml", str(cloud.clouds_yaml), "--cloud", cloud.name)
        routers: tuple[str, ...] = ()
        if network:
            state, scene = self.instance.routersim, self.checkout.backend / "routersim" / "scene.json"
            port, netconf = (str(persistent_port(state / name)) for name in (ROUTER_PORT, NETCONF_PORT))
            routers = ("--network", str(scene), "--network-port", port, "--network-netconf-port", netconf)
        catalog = ("--catalog", str(self.checkout.root / "catalog"))
        return self._service("bootstrap", ("manage.py", "bootstrap", *admin, *catalog, *vim, *routers), env)

    def _service(
        self,
        name: str,
        arguments: tuple[str, ...],
        env: Mapping[str, str] | None = None,
        *,
        ready: Callable[[Running], bool] = at_once,
        orphan_signal: int = signal.SIGKILL,
        grace: float = 10.0,
        replaced: str = BESIDE,
    ) -> Service:
        return Service(
            name,
            (str(self.python), *arguments),
            cwd=self.checkout.backend,
            env=env or installer_environment() | {"PYTHONUNBUFFERED": "1"},
            ready=ready,
            orphan_signal=orphan_signal,
            grace=grace,
            heartbeats=self.instance.heartbeats if env else None,
            forked=True,
            replaced=replaced,
        )


def has_logged(text: str) -> Callable[[Running], bool]:
    """Return a readiness check by a line of the log; Celery's `inspect ping` would take seconds of processor time."""
    return lambda running: running.has_logged(text)
