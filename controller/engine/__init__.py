"""The table's state machine: pure functions over frozen structs; time and randomness are parameters."""
