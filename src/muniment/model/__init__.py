"""Pure values and rules, and the contracts (ports) that storage and archive fulfil."""
