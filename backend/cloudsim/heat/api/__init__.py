"""Heat's REST API v1."""
