"""A simulated OpenStack Liberty cloud, served over HTTP by one asyncio process.

It stands for a foreign system: it imports nothing of the product, and the product must not import it.
Run it with ``python -m cloudsim --port 5000 --state-dir DIR``; see README.md next to this file.
"""
