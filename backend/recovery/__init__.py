"""Backup and restore of an installation: database, artifacts, keys and settings in one file.

Knows files and PostgreSQL, nothing of Django, the product's models or the launcher: it works on a schema of any
version, and while nothing runs. `python -m recovery --help`; operators use `./vnfm backup` and `./vnfm restore`.
"""
