"""Servers that really run: their images booted on this machine, their networks joined."""
