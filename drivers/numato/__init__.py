"""The jackpot slots on a Numato board: a terminal on USB CDC."""
