"""Stacks and what is done to them: create, update, delete, check, suspend, resume."""
