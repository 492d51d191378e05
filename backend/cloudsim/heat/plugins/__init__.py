"""The resource types: schemas of properties, attributes, and create, update, check and delete."""
