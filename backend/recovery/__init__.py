"""Backup and restore of an installation: database, artifacts, keys and settings in one file.

It uses files and PostgreSQL, but neither Django nor the product's models nor the launcher: it works on a schema of any
version, also while the product is stopped. Operators use `./vnfm backup` and `./vnfm restore`.
"""
