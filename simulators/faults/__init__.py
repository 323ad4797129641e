"""What goes wrong at a table: how faults are written, when they strike, and the mistakes of people."""
