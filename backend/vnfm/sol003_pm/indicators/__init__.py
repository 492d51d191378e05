"""The table of VNF indicators: an app of its own, since release 1.0.0 created it as one."""
