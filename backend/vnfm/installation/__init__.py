"""Facts about this installation as a whole: which migrations made its schema, and what it was restored from."""
