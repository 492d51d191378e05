"""What traffic probes count through VNFs.

Revision: 0002
Follows: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SCHEMA = "telemetry"
KEEP_MONTHS = 3
POLICY = sa.table("retention_policy", sa.column("table_name"), sa.column("keep_months"), schema=SCHEMA)


def upgrade() -> None:
    op.create_table(
        "traffic_sample",
        sa.Column("vnf_instance_id", sa.Uuid, nullable=False),
        sa.Column("path", sa.Text, nullable=False, comment="from where to where, as the probe calls it"),
        sa.Column("occurred_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seconds", sa.Double, nullable=False, comment="that the values cover"),
        sa.Column("sent", sa.BigInteger, nullable=False, comment="numbered packets"),
        sa.Column("lost", sa.BigInteger, nullable=False),
        sa.Column("gap", sa.Double, nullable=False, comment="the longest time without a packet, in seconds"),
        sa.PrimaryKeyConstraint("vnf_instance_id", "path", "occurred_at"),
        schema=SCHEMA,
        postgresql_partition_by="RANGE (occurred_at)",
    )
    op.bulk_insert(POLICY, [{"table_name": "traffic_sample", "keep_months": KEEP_MONTHS}])


def downgrade() -> None:
    op.execute(POLICY.delete().where(POLICY.c.table_name == "traffic_sample"))
    op.drop_table("traffic_sample", schema=SCHEMA)
