"""From a question to ranked, receipted rows inside a byte budget."""
