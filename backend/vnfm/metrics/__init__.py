"""What processes count about themselves, kept as totals in PostgreSQL (ADR-0048)."""
