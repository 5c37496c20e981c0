"""Sessions, events and blobs kept verbatim; opens and verifies a receipt."""
