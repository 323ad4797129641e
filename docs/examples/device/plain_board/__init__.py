"""The jackpot slots on a plain board: an invented serial device, the example of a make outside the product."""
