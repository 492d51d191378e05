"""Install, start, watch and stop everything that one instance of the product needs.

Standard library only: the launcher runs before anything is installed. It knows the product as commands,
environment variables and HTTP answers, never as imports.
"""
