"""The state of the manager and of the network elements as Prometheus series (ADR-0048)."""
