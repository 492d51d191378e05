"""A simulated OpenStack Liberty cloud, served over HTTP by one asyncio process.

It is other people's system: nothing of the product may import it, and it imports nothing of the product.
Run it with ``python -m cloudsim --port 5000 --state-dir DIR``; see README.md next to this file.
"""
