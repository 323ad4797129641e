"""The progressive sign by the Alpha sign protocol: its packets, its memory, and its serial line."""
