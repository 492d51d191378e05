"""Tables of public MIBs as views of the model. Each file names the MIB; columns keep its names and numbers."""
