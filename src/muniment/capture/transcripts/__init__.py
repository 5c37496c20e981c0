"""One module per harness: reads its transcripts and yields events."""
