"""The plan of an upgrade of the database schema, and the upgrade, done once for each set of migrations."""

import json
import os
import subprocess
from collections.abc import Callable, Mapping

from launcher.backup import Vault, recovery_environment
from launcher.errors import LaunchError
from launcher.layout import Checkout, Instance
from launcher.product import Product
from launcher.service import Service
from launcher.steps import ensure, fingerprint

Plan = Mapping[str, list[str] | str]
"""The output of `upgrade_schema --plan`; `stops` lists changes with which the running release cannot work."""


def schema_plan(checkout: Checkout, instance: Instance, url: str) -> Plan:
    """Return the plan of `upgrade_schema`. Raises LaunchError with its sentence if it refuses."""
    command = Product(checkout, instance).manage("upgrade_schema", "--plan")
    env = recovery_environment(checkout, instance, url)
    answer = subprocess.run(command, env=env, cwd=checkout.backend, capture_output=True, text=True, check=False)
    if answer.returncode:
        raise LaunchError(refusal(answer.stderr) or f"The schema could not be read:\n{answer.stderr.strip()}")
    plan: Plan = json.loads(answer.stdout.splitlines()[-1])
    return plan


def require_migrated(plan: Plan) -> None:
    """Raise LaunchError if migrations are pending: a host that joins an installation must not run them."""
    if plan["pending"]:
        raise LaunchError(
            f"The database lacks {plan['pending'][0]} of release {plan['version']}: start or upgrade the "
            "installation's first host, the one without --roles, before this one. Nothing was changed."
        )


def ensure_schema(product: Product, env: Mapping[str, str], run: Callable[[Service], None]) -> None:
    """Upgrade the schema; for our own database only if the migrations have changed, since the check takes seconds.

    `run` runs a program to its end and raises LaunchError with its output if it fails. A backup of existing data is
    made first. Raises LaunchError for a database that this release cannot upgrade.
    """
    checkout, instance = product.checkout, product.instance
    env = dict(env) | recovery_environment(checkout, instance, env["DATABASE_URL"])
    program = product.upgrade_schema(env, Vault(instance).before_upgrades)

    def upgrade() -> None:
        try:
            run(program)
        except LaunchError as error:
            raise LaunchError(refusal(str(error)) or str(error)) from None

    if os.environ.get("DATABASE_URL"):
        upgrade()
    else:
        key = fingerprint(checkout.root, checkout.migrations())
        ensure(instance.postgres / "schema", key, instance.postgres, upgrade)


def refusal(output: str) -> str | None:
    """Return the sentence with which a management command refused; None if it failed in another way."""
    last = (output.strip().splitlines() or [""])[-1]
    return last.removeprefix("CommandError: ") if last.startswith("CommandError: ") else None
