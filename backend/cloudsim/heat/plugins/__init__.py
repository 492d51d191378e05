"""Resource types: schema of properties, attributes, and what create, update, check and delete do."""
