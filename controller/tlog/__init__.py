"""What lets others check the record: the Merkle tree over it, and signed notes in the forms of C2SP. No I/O here."""
