"""The main workflow in the terminal, by the public API alone; results are compared with the cloud's own API."""
