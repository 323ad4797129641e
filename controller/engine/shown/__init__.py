"""What is shown of the table: prompts, the public table, displays, and orders to its devices. No I/O here."""
