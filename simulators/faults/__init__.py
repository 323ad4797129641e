"""What goes wrong at a table: the language of faults, when they strike, and who does the mischief."""
