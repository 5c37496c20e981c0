"""What turns words into vectors: one file an embedder, one contract, one registry. Nothing here runs unless it is asked for."""
