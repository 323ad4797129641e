"""A pot that several tables share: what table and pit say to each other, and the table's side. No I/O here."""
