"""The command line over SSH, per family: what is shown, and how a configuration is read, edited and committed."""
