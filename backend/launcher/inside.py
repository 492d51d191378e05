"""Commands that run inside an instance's environment: token, shell, manage, demo, routersim."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryFile

from launcher.console import Console
from launcher.errors import LaunchError
from launcher.forked_command import run_forked
from launcher.guests import BRIDGED
from launcher.keys import write_private
from launcher.layout import ADMIN, Checkout, Instance
from launcher.ports import LOOPBACK
from launcher.product import Endpoints, Product
from launcher.record import Record
from launcher.status import running_record


def _environment(checkout: Checkout, instance: Instance, record: Record) -> tuple[Product, dict[str, str]]:
    product = Product(checkout, instance)
    return product, product.environment(Endpoints.of(record, instance))


def _new_token(checkout: Checkout, instance: Instance) -> str:
    """Return a new bearer token of the admin from the running instance. Raises LaunchError."""
    product, env = _environment(checkout, instance, running_record(instance))
    arguments = ["manage.py", "issue_token", "--username", ADMIN]
    with TemporaryFile("w+") as output, TemporaryFile("w+") as errors:
        files = (0, output.fileno(), errors.fileno())
        code = run_forked(instance.commands, arguments, env=env, cwd=checkout.backend, files=files)
        if code is None:
            command = [str(product.python), *arguments]
            code = subprocess.run(
                command, env=env, cwd=checkout.backend, stdout=output, stderr=errors, check=False
            ).returncode
        output.seek(0)
        errors.seek(0)
        if code:
            raise LaunchError(f"No token could be issued:\n{errors.read().strip()}")
        return output.read().split()[-1]


def token(checkout: Checkout, instance: Instance, console: Console) -> int:
    console.say(_new_token(checkout, instance))
    return 0


def manage(checkout: Checkout, instance: Instance, arguments: Sequence[str]) -> int:
    """Run a management command of the product in the user's working directory; return its exit code."""
    product, env = _environment(checkout, instance, running_record(instance))
    command = [str(checkout.backend / "manage.py"), *arguments]
    sys.stdout.flush()
    code = run_forked(instance.commands, command, env=env, cwd=Path.cwd())
    return _become([str(product.python), *command], env) if code is None else code


def shell(checkout: Checkout, instance: Instance) -> int:
    """Replace this process by Django's shell, which needs the terminal."""
    product, env = _environment(checkout, instance, running_record(instance))
    return _become([str(product.python), str(checkout.backend / "manage.py"), "shell"], env)


def demo(checkout: Checkout, instance: Instance, arguments: Sequence[str]) -> int:
    """Replace this process by the demo client of this instance.

    The demo gets VNFM_URL and VNFM_TOKEN, the instance's own cloud in VNFM_CLOUDS_YAML and VNFM_CLOUD, and its
    simulated routers in VNFM_ROUTERSIM; if guests can reach this machine, also the port for their traps in
    VNFM_GUEST_TRAP_PORT. It runs in the user's working directory, so that a clouds.yaml there is found.
    """
    product = Product(checkout, instance)
    if any(word in arguments for word in ("-h", "--help")):
        extra: dict[str, str] = {}
    else:
        record = running_record(instance)
        extra = {"VNFM_URL": record.url, "VNFM_TOKEN": _new_token(checkout, instance)}
        extra |= {"VNFM_TLS_CERT": record.tls_cert} if record.tls_cert else {}
        extra |= {"VNFM_CLOUDS_YAML": record.clouds_yaml, "VNFM_CLOUD": record.cloud}
        if "routersim" in record.services:
            extra["VNFM_ROUTERSIM"] = f"http://{LOOPBACK}:{(instance.routersim / 'port').read_text().strip()}"
        if record.guests in BRIDGED:
            extra["VNFM_GUEST_TRAP_PORT"] = (instance.root / "trap-port").read_text().strip()
    env = os.environ | extra | {"PYTHONPATH": str(checkout.backend)}
    return _become([str(product.python), "-m", "demo", *arguments], env)


def routersim(checkout: Checkout, instance: Instance, arguments: Sequence[str]) -> int:
    """Replace this process by simulated routers besides those of the instance."""
    python = Product(checkout, instance).python
    env = os.environ | {"PYTHONPATH": str(checkout.backend)}
    return _become([str(python), "-m", "routersim", "--control-port", "0", *arguments], env)


def client(checkout: Checkout, instance: Instance, arguments: Sequence[str]) -> int:
    """Replace this process by a command of the API, at VNFM_URL if that is set, else at this instance."""
    env = dict(os.environ)
    if (
        "VNFM_URL" not in env
        and arguments[0] != "completion"
        and not any(word in arguments for word in ("-h", "--help"))
    ):
        record = running_record(instance)
        env |= {"VNFM_URL": record.url, "VNFM_TOKEN_FILE": str(_client_token(checkout, instance))}
        env |= {"VNFM_TOKEN_RENEWABLE": "1"}
        env |= {"VNFM_TLS_CERT": record.tls_cert} if record.tls_cert else {}
        env.pop("VNFM_TOKEN", None)
    python = Product(checkout, instance).python
    return _become([str(python), "-m", "cli", *arguments], env | {"PYTHONPATH": str(checkout.backend)})


def _client_token(checkout: Checkout, instance: Instance) -> Path:
    """Return the file with the token for commands; the first command creates it."""
    file = instance.root / "client-token"
    if not file.exists():
        write_private(file, f"{_new_token(checkout, instance)}\n")
    return file


def _become(command: Sequence[str], env: Mapping[str, str]) -> int:
    sys.stdout.flush()
    try:
        os.execve(command[0], list(command), dict(env))  # noqa: S606 - becoming the command is the purpose
    except FileNotFoundError:
        raise LaunchError("The product is not installed yet: run ./vnfm up first.") from None
