"""Ports towards network elements, and their adapters. `config.wiring` decides which adapter serves."""
