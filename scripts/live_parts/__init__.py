"""The parts of `scripts/live.py`: installing harnesses, and telling what was seen."""
