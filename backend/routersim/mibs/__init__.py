"""Tables of public MIBs as views of the model; each file names its MIB, and columns keep its names and numbers."""
