"""Names in the schema `telemetry`: for `tables`, which describes them to Alembic, and for all that speaks SQL."""

SCHEMA = "telemetry"

PARTITIONED = ("op_transition_history", "alarm_event", "alarm_archive", "vim_probe", "counter_rollup", "traffic_sample")
"""Tables with a partition a month."""

COUNTS = (
    "octets_in", "octets_out", "packets_in", "packets_out",
    "errors_in", "errors_out", "discards_in", "discards_out",
    "cpu", "memory", "capacity",
)  # fmt: skip
"""Columns of what is counted: counts, percentages times seconds, and the octets that an interface could carry."""
