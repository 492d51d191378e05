"""The product's view of a cloud: ports, types and an error taxonomy. The adapter lives in `openstack/`."""
