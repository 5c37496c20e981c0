"""The HTTP door: the verbs of `Memory` as a small resource API, and the client that speaks it."""
