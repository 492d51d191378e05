"""Daily verbs of the VNF manager in the terminal, over its public API. Uses the client of `demo.api`."""
