"""The main job in the terminal: a client of the public API like any other, and of the cloud's own API to compare."""
