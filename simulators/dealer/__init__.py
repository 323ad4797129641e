"""The robot dealer, who knows the station only by its screen.

He reads the prompt, moves real cards and chips on the felt, and enters what a dealer enters. What all games share may
not import a game (contract `dealer`), and nothing here may import the controller (contract `simulators`). Begin with
`robot.py`, then `game.py`.
"""
