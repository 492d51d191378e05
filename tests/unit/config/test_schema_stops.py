"""Some statements of migrations stop the release that still runs."""

import pytest

from vnfm.config.schema_stops import stopping_statements

NEW = 'CREATE TABLE "pm_job" ("id" uuid NOT NULL PRIMARY KEY)'


@pytest.mark.parametrize(
    "statement",
    [
        NEW,
        '-- Add field scope to apitoken\nALTER TABLE "a" ADD COLUMN "scope" varchar(20) DEFAULT \'\' NOT NULL;',
        'ALTER TABLE "a" ADD COLUMN "b_id" uuid NULL CONSTRAINT "fk" REFERENCES "b"("id") DEFERRABLE',
        'CREATE INDEX CONCURRENTLY "i" ON "a" ("b")',
        'DROP INDEX IF EXISTS "i"',
        'ALTER TABLE "a" DROP CONSTRAINT "a_name_key"',
        'ALTER TABLE "a" ALTER COLUMN "b" DROP NOT NULL',
        'ALTER TABLE "a" ADD CONSTRAINT "c" CHECK ("b" > 0) NOT VALID',
        "-- (no-op)",
    ],
)
def test_what_adds_is_borne(statement: str) -> None:
    assert list(stopping_statements([statement])) == []


@pytest.mark.parametrize(
    "statement",
    [
        'ALTER TABLE "a" DROP COLUMN "b"',
        'ALTER TABLE "a" ADD COLUMN "b" integer NOT NULL',
        'ALTER TABLE "a" ALTER COLUMN "b" DROP DEFAULT',
        'ALTER TABLE "a" ALTER COLUMN "b" TYPE bigint',
        'ALTER TABLE "a" RENAME TO "c"',
        'ALTER TABLE "a" ADD CONSTRAINT "c" UNIQUE ("b")',
        'CREATE INDEX "i" ON "a" ("b")',
        'DROP TABLE "a"',
        'UPDATE "a" SET "b" = 0',
    ],
)
def test_what_takes_away_or_locks_is_not(statement: str) -> None:
    assert list(stopping_statements([statement])) == [statement]


def test_a_program_is_not() -> None:
    assert list(stopping_statements(["-- THIS OPERATION CANNOT BE WRITTEN AS SQL"])) == ["a program that changes rows"]


def test_a_table_that_the_same_upgrade_makes_is_empty() -> None:
    index, default = 'CREATE INDEX "i" ON "pm_job" ("id")', 'ALTER TABLE "pm_job" ALTER COLUMN "id" DROP DEFAULT'
    assert list(stopping_statements([NEW, index, default])) == []
    assert list(stopping_statements([index, NEW])) == [index]
