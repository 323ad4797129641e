"""The odds and the house edge of every wager, out of the code that settles the live table."""
