"""The composition root and the verbs; one module for each group of verbs."""
