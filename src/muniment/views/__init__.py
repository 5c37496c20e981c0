"""Text rendered from facts: pure functions, stored nowhere as truth."""
