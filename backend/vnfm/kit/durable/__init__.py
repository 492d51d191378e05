"""Work that survives a crash, on PostgreSQL: leases, outbox, LISTEN, requests to workers, heartbeats."""
