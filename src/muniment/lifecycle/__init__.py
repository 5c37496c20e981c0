"""What happens to facts after they were written: evidence, verdicts, retention."""
