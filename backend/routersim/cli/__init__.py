"""Command lines by family: show commands, and parsing, editing and committing configurations."""
