"""Stacks and their operations: create, update, delete, check, suspend, resume."""
