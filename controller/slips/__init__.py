"""The payment slip of a jackpot hit: a value, its amount in words, and the page that is printed."""
