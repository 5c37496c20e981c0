"""The life of facts: what they rest on in the world, and how to see whether it is still so."""
