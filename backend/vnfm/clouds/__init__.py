"""What the product needs of a cloud: ports, types and an error taxonomy. The adapter lives in `openstack/`."""
