"""The model of a network element, from which all tables, notifications and command outputs are computed."""
