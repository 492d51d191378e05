"""Released things stay: migrations, kinds of steps, the API. `backend/tools/release.py` stores it."""

import copy
import gzip
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader

from recovery.release import migration_files
from tests.arch.api_compatibility import breaking_changes
from tests.support.yaml_text import load_yaml, openapi
from vnfm.lcm.sagas.step_kinds import STEP_KINDS_BY_NAME

ROOT = Path(__file__).parents[2]
RELEASED = ROOT / "tests" / "fixtures" / "released"

LOCKS_ALLOWED: dict[str, str] = {
    "elements.0009_equipment_missing": "only Django's choices change: nothing is done in the database",
    "inventory.0004_vnfinstance_name": "only drops the unique constraint and its indexes: no row is read or written",
    "notifications.0003_interfaces": "only Django's choices change: nothing is done in the database",
}
"""`app.name` of a migration that may lock its table, with the reason why that is short or does no harm."""
LONG_LOCKS: dict[type[Any], str] = {
    migrations.AddIndex: "locks out writers while it is built: use AddIndexConcurrently, with atomic = False",
    migrations.AlterField: "may rewrite the table: add a column, fill it, and drop the old one a release later",
    migrations.AddConstraint: "reads the whole table under a lock: add it NOT VALID by SQL, and validate it afterwards",
    migrations.RenameField: "breaks the release that runs still: add a column, and drop the old one a release later",
    migrations.RenameModel: "breaks the release that still runs",
    migrations.RunPython: "runs as long as there are rows: move data in batches outside of migrations",
}
"""Operations on tables that have rows already."""


def read(name: str) -> Any:
    file = RELEASED / name
    if name.endswith(".yaml.gz"):
        return load_yaml(gzip.decompress(file.read_bytes()))
    return json.loads(file.read_text())


def test_no_released_migration_changes_or_goes() -> None:
    """Its file has run in databases that we do not see: add a new one."""
    present = {name: sha256(path.read_bytes()).hexdigest() for name, path in migration_files(ROOT).items()}
    assert {name: digest for name, digest in read("migrations.json").items() if present.get(name) != digest} == {}


def long_locks(migration: migrations.Migration) -> Iterator[str]:
    """Operations that lock a table for as long as it is large; tables of the same migration are empty."""
    new = {operation.name_lower for operation in migration.operations if isinstance(operation, migrations.CreateModel)}
    for operation in migration.operations:
        table = getattr(operation, "model_name_lower", getattr(operation, "name_lower", ""))
        for kind, words in LONG_LOCKS.items():
            if isinstance(operation, kind) and not isinstance(operation, AddIndexConcurrently) and table not in new:
                yield f"{type(operation).__name__} on {table} {words}"


def test_new_migrations_lock_no_large_table() -> None:
    released = read("migrations.json")
    found = {
        f"{app}.{name}": list(long_locks(migration))
        for (app, name), migration in MigrationLoader(None).disk_migrations.items()
        if f"{app}.{name}" in migration_files(ROOT) and f"{app}.{name}" not in released | LOCKS_ALLOWED
    }
    assert {name: locks for name, locks in found.items() if locks} == {}


def test_a_migration_that_locks_a_large_table_is_found() -> None:
    class Slow(migrations.Migration):
        operations = [  # noqa: RUF012 - as Django has it
            migrations.CreateModel("Empty", fields=[]),
            migrations.RunPython(migrations.RunPython.noop),
            migrations.RenameField("Vim", "name", "title"),
            migrations.RenameField("Empty", "name", "title"),
        ]

    assert [line.split()[0] for line in long_locks(Slow("x", "vims"))] == ["RunPython", "RenameField"]


def released_tables() -> set[tuple[str, str]]:
    """App and model (lower case) of the tables that the release writes to."""
    released = read("migrations.json")
    return {
        (app, operation.name_lower)
        for (app, name), migration in MigrationLoader(None).disk_migrations.items()
        if f"{app}.{name}" in released
        for operation in migration.operations
        if isinstance(operation, migrations.CreateModel)
    }


def refused_inserts(app: str, migration: migrations.Migration, tables: set[tuple[str, str]]) -> Iterator[str]:
    """Added columns for which PostgreSQL refuses a row that does not name them: Django's default is none of its own."""
    for operation in migration.operations:
        if not isinstance(operation, migrations.AddField) or (app, operation.model_name_lower) not in tables:
            continue
        field = operation.field
        if not (field.null or field.has_db_default() or field.many_to_many):
            yield f"{operation.model_name_lower}.{operation.name} needs null=True or db_default"


def test_the_release_still_inserts_into_tables_with_new_columns() -> None:
    """During a rolling upgrade its web processes and workers write rows on the new schema."""
    released, tables = read("migrations.json"), released_tables()
    assert ("vims", "vim") in tables
    found = {
        f"{app}.{name}": list(refused_inserts(app, migration, tables))
        for (app, name), migration in MigrationLoader(None).disk_migrations.items()
        if f"{app}.{name}" in migration_files(ROOT) and f"{app}.{name}" not in released
    }
    assert {name: columns for name, columns in found.items() if columns} == {}


def test_a_column_that_the_release_cannot_leave_out_is_found() -> None:
    class Narrow(migrations.Migration):
        operations = [  # noqa: RUF012 - as Django has it
            migrations.AddField("Vim", "bare", models.TextField()),
            migrations.AddField("vim", "of_django", models.TextField(default="")),
            migrations.AddField("vim", "of_postgresql", models.TextField(default="", db_default="")),
            migrations.AddField("vim", "unknown", models.TextField(null=True)),
            migrations.AddField("new", "bare", models.TextField()),
        ]

    found = list(refused_inserts("vims", Narrow("x", "vims"), {("vims", "vim")}))
    assert [line.split()[0] for line in found] == ["vim.bare", "vim.of_django"]


def refused_deletes(app: str, migration: migrations.Migration, tables: set[tuple[str, str]]) -> Iterator[str]:
    """Foreign keys with a constraint in the database to tables of the release, which deletes rows there.

    It does not know the new table or column, so it neither deletes nor empties what refers to those rows.
    """
    for operation in migration.operations:
        fields: list[tuple[str, Any]] = []
        if isinstance(operation, migrations.CreateModel):
            model, fields = operation.name_lower, list(operation.fields)
        elif isinstance(operation, migrations.AddField | migrations.AlterField):
            model, fields = operation.model_name_lower, [(operation.name, operation.field)]
        elif isinstance(operation, migrations.RunSQL) and "REFERENCES" in str(operation.sql).upper():
            yield "SQL adds a foreign key: leave its constraint out"
        for name, field in fields:
            if _has_constraint(field) and _referenced(app, model, field) in tables:
                yield f"{model}.{name} needs db_constraint=False"


def _has_constraint(field: Any) -> bool:
    return bool(field.remote_field and getattr(field, "db_constraint", getattr(field.remote_field, "db_constraint", 0)))


def _referenced(app: str, model: str, field: Any) -> tuple[str, str]:
    """App and model (lower case) that the field refers to."""
    name = field.remote_field.model  # in a migration its name
    full = f"{app}.{model}" if name == "self" else name if "." in name else f"{app}.{name}"
    target_app, _, target = full.lower().partition(".")
    return target_app, target


def test_the_release_still_deletes_from_its_tables() -> None:
    """During a rolling upgrade its web processes and workers delete rows of tables that newer tables refer to."""
    released, tables = read("migrations.json"), released_tables()
    found = {
        f"{app}.{name}": list(refused_deletes(app, migration, tables))
        for (app, name), migration in MigrationLoader(None).disk_migrations.items()
        if f"{app}.{name}" in migration_files(ROOT) and f"{app}.{name}" not in released
    }
    assert {name: keys for name, keys in found.items() if keys} == {}


def test_a_key_that_keeps_the_release_from_deleting_is_found() -> None:
    def to(target: str, **options: Any) -> Any:
        return models.ForeignKey(target, on_delete=models.CASCADE, **options)

    class Bound(migrations.Migration):
        operations = [  # noqa: RUF012 - as Django has it
            migrations.CreateModel(
                "Note",
                fields=[
                    *(("bare", to("vims.Vim")), ("loose", to("vims.Vim", db_constraint=False))),
                    *(("new", to("Note")), ("many", models.ManyToManyField("vims.Vim"))),
                    *(
                        ("one", models.OneToOneField("vims.Vim", on_delete=models.PROTECT)),
                        ("text", models.TextField()),
                    ),
                ],
            ),
            migrations.AddField("Vim", "parent", to("self", null=True)),
            migrations.AddField("Vim", "note", to("Note", null=True)),
            migrations.RunSQL("ALTER TABLE note ADD FOREIGN KEY (vim) REFERENCES vims_vim"),
        ]

    found = list(refused_deletes("vims", Bound("x", "vims"), {("vims", "vim")}))
    assert [line.split()[0] for line in found] == ["note.bare", "note.many", "note.one", "vim.parent", "SQL"]


TAKES_AWAY = re.compile(r"\b(drop_\w+|alter_column|rename_table|DROP|RENAME|UPDATE|DELETE)\b")


@pytest.mark.parametrize("file", sorted((ROOT / "alembic" / "versions").glob("0*.py")), ids=lambda path: path.stem)
def test_a_revision_of_alembic_that_takes_away_says_that_it_stops_the_product(file: Path) -> None:
    """`./vnfm upgrade` runs it beside the release before, unless it has STOPS."""
    text = file.read_text()
    upgrade = text[text.index("def upgrade") : text.index("def downgrade")]
    assert not TAKES_AWAY.search(upgrade) or "\nSTOPS = " in text or file.stem.startswith("0001")


def test_every_released_kind_of_step_is_known() -> None:
    """An operation of an older release ends under this one: a changed step is `name@2` beside `name@1`."""
    assert set(read("steps.json")) - STEP_KINDS_BY_NAME.keys() == set()


def test_all_kinds_of_steps_have_versions() -> None:
    assert {name for name in STEP_KINDS_BY_NAME if not name.rpartition("@")[2].isdigit()} == set()


def test_the_api_keeps_its_word() -> None:
    present = openapi()
    assert breaking_changes(read("openapi.yaml.gz"), present) == []


BOX = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "kind": {"enum": ["A", "B"]}}}
API = {
    "paths": {
        "/boxes": {
            "get": {"responses": {"200": {"content": {"json": {"schema": {"$ref": "#/components/schemas/Box"}}}}}},
            "post": {
                "parameters": [{"in": "query", "name": "dry"}],
                "requestBody": {"content": {"json": {"schema": {"$ref": "#/components/schemas/Box"}}}},
                "responses": {"201": {}},
            },
        }
    },
    "components": {"schemas": {"Box": BOX}},
}


def _changed(change: str) -> dict[str, Any]:  # noqa: C901 - one case for each change
    api: dict[str, Any] = copy.deepcopy(API)
    box, boxes = api["components"]["schemas"]["Box"], api["paths"]["/boxes"]
    match change:
        case "path":
            del api["paths"]["/boxes"]
        case "method":
            del boxes["post"]
        case "field":
            del box["properties"]["kind"]
        case "type":
            box["properties"]["id"]["type"] = "integer"
        case "required":
            box["properties"]["size"] = {"type": "integer"}
            box["required"].append("size")
        case "made required":
            box["required"].append("kind")
        case "value":
            box["properties"]["kind"]["enum"] = ["A"]
        case "parameter":
            boxes["post"]["parameters"][0]["required"] = True
        case "response":
            boxes["get"]["responses"] = {"204": {}}
        case "more":
            box["properties"]["size"] = {"type": "integer"}
            box["properties"]["kind"]["enum"].append("C")
            boxes["delete"] = {"responses": {"204": {}}}
    return api


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("path", "GET /boxes is gone"),
        ("method", "POST /boxes is gone"),
        ("field", "GET /boxes 200 has lost .kind"),
        ("type", "GET /boxes 200 gives .id another type"),
        ("required", "POST /boxes must have .size in its body now"),
        ("made required", "POST /boxes must have .kind in its body now"),
        ("value", "POST /boxes takes .kind no longer as B"),
        ("parameter", "POST /boxes must have the parameter dry now"),
        ("response", "GET /boxes has lost its response 200"),
    ],
)
def test_a_change_that_breaks_clients_is_found(change: str, words: str) -> None:
    assert words in breaking_changes(API, _changed(change))


def test_additions_break_no_client() -> None:
    assert breaking_changes(API, _changed("more")) == []
