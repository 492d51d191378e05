"""Shared parts of the API: shapes, errors, downloads, limits of requests."""
