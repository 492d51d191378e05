"""Counts that processes make of themselves, kept as totals in PostgreSQL (ADR-0048)."""
