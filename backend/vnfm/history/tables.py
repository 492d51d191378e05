"""The tables of schema `telemetry`: append-only history, one RANGE partition a month. Alembic makes them.

For Alembic alone: what reads and writes them speaks SQL by psycopg (ADR-0003).

A row is identified by (event_id, occurred_at): PostgreSQL wants the partition key in every unique key, and an outbox
event always carries the same time, so writing it again changes nothing.
"""

from typing import Any

from sqlalchemy import BigInteger, Column, DateTime, Double, Index, Integer, MetaData, Table, Text, Uuid, func
from sqlalchemy.dialects.postgresql import JSONB

from vnfm.history.names import COUNTS, SCHEMA

metadata = MetaData(schema=SCHEMA)


def _history(name: str, *columns: Column[Any], keys: tuple[str, ...]) -> Table:
    """A partitioned table with an index on each of `keys`, newest first."""
    return Table(
        name,
        metadata,
        Column("event_id", BigInteger, primary_key=True, autoincrement=False),
        Column("occurred_at", DateTime(timezone=True), primary_key=True),
        *columns,
        Column("recorded_at", DateTime(timezone=True), server_default=func.now(), nullable=False),
        *(Index(f"{name}_{key}", key, "occurred_at") for key in keys),
        postgresql_partition_by="RANGE (occurred_at)",
    )


op_transition_history = _history(
    "op_transition_history",
    Column("op_occ_id", Uuid, nullable=False),
    Column("vnf_instance_id", Uuid, nullable=False),
    Column("operation", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("state", Text, nullable=False),
    keys=("op_occ_id", "vnf_instance_id"),
)
"""Every state that an LCM operation occurrence entered."""

alarm_event = _history(
    "alarm_event",
    Column("alarm_id", Uuid, nullable=False),
    Column("managed_object_type", Text, nullable=False),
    Column("managed_object_id", Uuid, nullable=False),
    Column("faulty_resource", Text, nullable=False),
    Column("fault_type", Text, nullable=False),
    Column("severity", Text, nullable=False),
    Column("event", Text, nullable=False, comment="raised, changed, cleared, acknowledged, unacknowledged"),
    keys=("alarm_id", "managed_object_id"),
)
"""Everything that happened to an alarm."""

alarm_archive = _history(
    "alarm_archive",
    Column("alarm_id", Uuid, nullable=False),
    Column("managed_object_type", Text, nullable=False),
    Column("managed_object_id", Uuid, nullable=False),
    Column("fault_type", Text, nullable=False),
    Column("severity", Text, nullable=False, comment="the highest that it had"),
    Column("raised_at", DateTime(timezone=True), nullable=False),
    Column("record", JSONB, nullable=False, comment="the whole alarm as it left the list, its notes included"),
    keys=("managed_object_id", "fault_type"),
)
"""Alarms that left the list of cleared ones; `occurred_at` is when they were cleared."""

vim_probe = _history(
    "vim_probe",
    Column("vim_id", Uuid, nullable=False),
    Column("reachable", Text, nullable=False, comment="True, False or Unknown"),
    Column("reason", Text, nullable=False),
    keys=("vim_id",),
)
"""Every change of a VIM's reachability."""


def _counted(name: str, *indexes: Index) -> Table:
    """The counts of an object of a network element in `seconds` from `occurred_at` on; null: not known."""
    return Table(
        name,
        metadata,
        Column("element_id", Uuid, primary_key=True),
        Column("object", Text, primary_key=True, comment="an interface's name, or (element)"),
        Column("occurred_at", DateTime(timezone=True), primary_key=True),
        Column("seconds", Double, nullable=False, comment="that the values cover"),
        *(Column(count, Double) for count in COUNTS),
        *indexes,
        postgresql_partition_by="RANGE (occurred_at)",
    )


counter_sample = _counted(
    "counter_sample",
    Index(
        "counter_sample_occurred_at",
        "occurred_at",
        postgresql_using="brin",
        postgresql_with={"autosummarize": "on"},
    ),
)
"""As it was read; a partition a day (`history.days`). It is written in the order of time: a BRIN index finds the last
quarter of an hour in it and costs next to nothing."""
counter_rollup = _counted("counter_rollup", Index("counter_rollup_occurred_at", "occurred_at"))
"""Added up by quarters of an hour."""

traffic_sample = Table(
    "traffic_sample",
    metadata,
    Column("vnf_instance_id", Uuid, primary_key=True),
    Column("path", Text, primary_key=True, comment="from where to where, as the probe calls it"),
    Column("occurred_at", DateTime(timezone=True), primary_key=True),
    Column("seconds", Double, nullable=False, comment="that the values cover"),
    Column("sent", BigInteger, nullable=False, comment="numbered packets"),
    Column("lost", BigInteger, nullable=False),
    Column("gap", Double, nullable=False, comment="the longest time without a packet, in seconds"),
    postgresql_partition_by="RANGE (occurred_at)",
)
"""The counts of a traffic probe through a VNF."""

quarantine = Table(
    "quarantine",
    metadata,
    Column("event_id", BigInteger, primary_key=True, autoincrement=False),
    Column("table_name", Text, primary_key=True),
    Column("occurred_at", DateTime(timezone=True), nullable=False),
    Column("row", JSONB, nullable=False),
    Column("recorded_at", DateTime(timezone=True), server_default=func.now(), nullable=False),
)
"""Rows whose month has no partition. In a DEFAULT partition they would block making the month they belong to."""

retention_policy = Table(
    "retention_policy",
    metadata,
    Column("table_name", Text, primary_key=True),
    Column("keep_months", Integer, nullable=False, comment="full months kept beside the current one"),
)
"""The time that each table's partitions live; edited by the operator."""
