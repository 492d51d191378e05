"""Generated files are committed as they are generated."""

from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState
from drf_spectacular.validation import validate_schema

from tests.support.yaml_text import openapi

ROOT = Path(__file__).parents[2]


def test_openapi_yaml_matches_the_code(tmp_path: Path) -> None:
    """After a change of the API: cd backend && manage.py spectacular --validate --file openapi.yaml"""
    fresh = tmp_path / "openapi.yaml"
    call_command("spectacular", file=str(fresh), fail_on_warn=True)
    assert fresh.read_text() == (ROOT / "backend" / "openapi.yaml").read_text()


@pytest.mark.long  # three seconds of processor; a change of the file is validated when it is written
def test_openapi_yaml_is_openapi() -> None:
    validate_schema(openapi())


def test_models_and_migrations_agree() -> None:
    """As `makemigrations --check`, which also asks a database what it has."""
    loader = MigrationLoader(None)
    detector = MigrationAutodetector(loader.project_state(), ProjectState.from_apps(apps))
    assert detector.changes(graph=loader.graph) == {}


def test_djangos_own_checks_pass() -> None:
    call_command("check", fail_level="WARNING")
