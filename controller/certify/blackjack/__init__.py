"""The main game of black-jack/21: best strategy, exact edge on an infinite deck, simulated edge at a table."""
