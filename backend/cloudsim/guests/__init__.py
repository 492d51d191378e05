"""Servers with guests: boots their images on this machine and connects their networks."""
