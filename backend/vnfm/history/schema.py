"""Bringing the schema up to date: Alembic's migrations, then the partitions that the day needs."""

from types import ModuleType

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from django.conf import settings

from vnfm.history.partitions import maintain
from vnfm.kit import clock


def alembic_config() -> Config:
    """Alembic's settings, from pyproject.toml."""
    return Config(toml_file=settings.REPOSITORY_DIR / "pyproject.toml")


def upgrade() -> None:
    """Safe to run twice, and at once."""
    command.upgrade(alembic_config(), "head")
    maintain(clock.now())


def pending(version: str) -> list[ModuleType]:
    """The revisions that a schema of this version has not got, the last one first."""
    scripts = ScriptDirectory.from_config(alembic_config())
    return [script.module for script in scripts.iterate_revisions("head", version)]
