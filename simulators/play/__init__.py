"""A seat at the simulated table for a person: the page to play on, and what it shows.

It shows the public table and the cards of that seat, as a player sees them, and may not import the controller (contract
`simulators`). Begin with `play.py`.
"""
