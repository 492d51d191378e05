"""Who may import whom, and what is generated is what is committed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

ROOT = Path(__file__).parents[2]


def test_no_import_contract_is_broken() -> None:
    program = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    assert program is not None
    run = subprocess.run(
        [program, "--no-cache"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": "backend"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout


def test_openapi_yaml_is_what_the_code_says(tmp_path: Path) -> None:
    """After a change of the API: cd backend && manage.py spectacular --file openapi.yaml"""
    fresh = tmp_path / "openapi.yaml"
    call_command("spectacular", file=str(fresh), validate=True, fail_on_warn=True)
    assert fresh.read_text() == (ROOT / "backend" / "openapi.yaml").read_text()


@pytest.mark.django_db
def test_models_and_migrations_agree() -> None:
    call_command("makemigrations", check=True, dry_run=True)


@pytest.mark.django_db
def test_djangos_own_checks_pass() -> None:
    call_command("check", fail_level="WARNING")
