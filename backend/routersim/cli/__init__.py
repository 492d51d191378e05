"""Command lines by family: show commands, and the parsing, editing and committing of configurations."""
