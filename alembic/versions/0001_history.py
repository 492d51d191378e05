"""History of operations, alarms and VIM reachability, with retention, reporting views and a read-only role.

Revision: 0001
Follows: nothing

The partitions are not made here but by `vnfm.telemetry.partitions`, at every upgrade and every hour: which ones are
needed depends on the day.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

SCHEMA = "telemetry"
READER = "vnfm_reader"

KEEP_MONTHS = {
    "op_transition_history": 24,
    "alarm_event": 24,
    "alarm_archive": 24,
    "vim_probe": 6,
    "counter_rollup": 12,
}
COUNTS = (
    *("octets_in", "octets_out", "packets_in", "packets_out"),
    *("errors_in", "errors_out", "discards_in", "discards_out"),
    *("cpu", "memory", "capacity"),
)

VIEWS = {
    "v_operations": """
        SELECT op_occ_id, vnf_instance_id, operation,
               min(occurred_at) AS began_at,
               max(occurred_at) FILTER (WHERE state IN ('COMPLETED', 'FAILED', 'ROLLED_BACK')) AS ended_at,
               (array_agg(state ORDER BY occurred_at DESC, event_id DESC))[1] AS last_state,
               count(*) FILTER (WHERE state = 'FAILED_TEMP') AS interruptions
        FROM telemetry.op_transition_history
        GROUP BY op_occ_id, vnf_instance_id, operation
    """,
    "v_alarms": """
        SELECT alarm_id, managed_object_type, managed_object_id, fault_type,
               min(occurred_at) FILTER (WHERE event = 'raised') AS raised_at,
               max(occurred_at) FILTER (WHERE event = 'cleared') AS cleared_at,
               min(occurred_at) FILTER (WHERE event = 'acknowledged') AS acknowledged_at
        FROM telemetry.alarm_event
        GROUP BY alarm_id, managed_object_type, managed_object_id, fault_type
    """,
    "v_alarm_archive": """
        SELECT alarm_id, managed_object_type, managed_object_id, fault_type, severity, raised_at,
               occurred_at AS cleared_at, record
        FROM telemetry.alarm_archive
    """,
    "v_counters": """
        SELECT element_id, object, occurred_at, seconds,
               8 * octets_in / nullif(seconds, 0) AS bits_in, 8 * octets_out / nullif(seconds, 0) AS bits_out,
               packets_in / nullif(seconds, 0) AS packets_in, packets_out / nullif(seconds, 0) AS packets_out,
               errors_in, errors_out, discards_in, discards_out,
               cpu / nullif(seconds, 0) AS cpu, memory / nullif(seconds, 0) AS memory
        FROM telemetry.counter_rollup
    """,
    "v_vim_reachability": """
        SELECT vim_id, reachable, reason, occurred_at AS since,
               lead(occurred_at) OVER (PARTITION BY vim_id ORDER BY occurred_at, event_id) AS until
        FROM telemetry.vim_probe
    """,
}

CREATE_READER = f"""
DO $$
BEGIN
    CREATE ROLE {READER} NOLOGIN;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL;
    WHEN insufficient_privilege THEN
        RAISE NOTICE 'No right to create role {READER}: create it yourself, and grant it USAGE on schema {SCHEMA}'
            ' and SELECT on its v_* views.';
END $$
"""
GRANT_READER = f"""
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = '{READER}') THEN
        GRANT USAGE ON SCHEMA {SCHEMA} TO {READER};
        GRANT SELECT ON {", ".join(f"{SCHEMA}.{name}" for name in VIEWS)} TO {READER};
    END IF;
END $$
"""
REVOKE_READER = f"""
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = '{READER}') THEN
        REVOKE USAGE ON SCHEMA {SCHEMA} FROM {READER};
    END IF;
END $$
"""  # noqa: S608 - our own names


def history(name: str, *columns: sa.Column, keys: tuple[str, ...]) -> None:
    op.create_table(
        name,
        sa.Column("event_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("occurred_at", sa.DateTime(timezone=True), nullable=False),
        *columns,
        sa.Column("recorded_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.PrimaryKeyConstraint("event_id", "occurred_at"),
        schema=SCHEMA,
        postgresql_partition_by="RANGE (occurred_at)",
    )
    for key in keys:
        op.create_index(f"{name}_{key}", name, [key, "occurred_at"], schema=SCHEMA)


def counted(name: str) -> None:
    op.create_table(
        name,
        sa.Column("element_id", sa.Uuid, nullable=False),
        sa.Column("object", sa.Text, nullable=False, comment="an interface's name, or (element)"),
        sa.Column("occurred_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seconds", sa.Double, nullable=False, comment="that the values cover"),
        *(sa.Column(count, sa.Double) for count in COUNTS),
        sa.PrimaryKeyConstraint("element_id", "object", "occurred_at"),
        schema=SCHEMA,
        postgresql_partition_by="RANGE (occurred_at)",
    )


def upgrade() -> None:
    history(
        "op_transition_history",
        sa.Column("op_occ_id", sa.Uuid, nullable=False),
        sa.Column("vnf_instance_id", sa.Uuid, nullable=False),
        sa.Column("operation", sa.Text, nullable=False),
        sa.Column("previous", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        keys=("op_occ_id", "vnf_instance_id"),
    )
    history(
        "alarm_event",
        sa.Column("alarm_id", sa.Uuid, nullable=False),
        sa.Column("managed_object_type", sa.Text, nullable=False),
        sa.Column("managed_object_id", sa.Uuid, nullable=False),
        sa.Column("faulty_resource", sa.Text, nullable=False),
        sa.Column("fault_type", sa.Text, nullable=False),
        sa.Column("severity", sa.Text, nullable=False),
        sa.Column("event", sa.Text, nullable=False, comment="raised, changed, cleared, acknowledged, unacknowledged"),
        keys=("alarm_id", "managed_object_id"),
    )
    history(
        "alarm_archive",
        sa.Column("alarm_id", sa.Uuid, nullable=False),
        sa.Column("managed_object_type", sa.Text, nullable=False),
        sa.Column("managed_object_id", sa.Uuid, nullable=False),
        sa.Column("fault_type", sa.Text, nullable=False),
        sa.Column("severity", sa.Text, nullable=False, comment="the highest that it had"),
        sa.Column("raised_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column(
            "record",
            postgresql.JSONB,
            nullable=False,
            comment="the whole alarm as it left the list, its notes included",
        ),
        keys=("managed_object_id", "fault_type"),
    )
    history(
        "vim_probe",
        sa.Column("vim_id", sa.Uuid, nullable=False),
        sa.Column("reachable", sa.Text, nullable=False, comment="True, False or Unknown"),
        sa.Column("reason", sa.Text, nullable=False),
        keys=("vim_id",),
    )
    counted("counter_sample")
    counted("counter_rollup")
    op.create_index(
        "counter_sample_occurred_at",
        "counter_sample",
        ["occurred_at"],
        schema=SCHEMA,
        postgresql_using="brin",
        postgresql_with={"autosummarize": "on"},
    )
    op.create_index("counter_rollup_occurred_at", "counter_rollup", ["occurred_at"], schema=SCHEMA)
    op.create_table(
        "quarantine",
        sa.Column("event_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("table_name", sa.Text, nullable=False),
        sa.Column("occurred_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("row", postgresql.JSONB, nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.PrimaryKeyConstraint("event_id", "table_name"),
        schema=SCHEMA,
    )
    policy = op.create_table(
        "retention_policy",
        sa.Column("table_name", sa.Text, primary_key=True),
        sa.Column("keep_months", sa.Integer, nullable=False, comment="full months kept beside the current one"),
        schema=SCHEMA,
    )
    op.bulk_insert(policy, [{"table_name": name, "keep_months": months} for name, months in KEEP_MONTHS.items()])
    for name, query in VIEWS.items():
        op.execute(f"CREATE VIEW {SCHEMA}.{name} AS {query}")
    op.execute(CREATE_READER)
    op.execute(GRANT_READER)


def downgrade() -> None:
    """The role stays: it belongs to the whole server, and other databases may know it."""
    op.execute(REVOKE_READER)
    for name in reversed(VIEWS):
        op.execute(f"DROP VIEW {SCHEMA}.{name}")
    for name in (
        "retention_policy",
        "quarantine",
        "counter_rollup",
        "counter_sample",
        "vim_probe",
        "alarm_archive",
        "alarm_event",
        "op_transition_history",
    ):
        op.drop_table(name, schema=SCHEMA)
