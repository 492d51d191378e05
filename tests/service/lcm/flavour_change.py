"""The change to the large flavour of the data path."""

TO_LARGE = {"newFlavourId": "large-data-path"}

LARGE = "vnf.dpdk.large"

SPECS = {"hw:cpu_policy": "dedicated", "hw:mem_page_size": "1048576", "hw:numa_nodes": "1"}
