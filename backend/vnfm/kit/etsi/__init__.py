"""ETSI's ways with lists (SOL013): filters, selectors, paging, versions and links."""
