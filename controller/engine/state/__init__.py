"""The table as it is, and how events change it. No I/O here."""
