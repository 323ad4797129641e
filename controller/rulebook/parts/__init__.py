"""The parts that a game is made of: deck, source, betting, prize, session, seats. No I/O here.

Each answers questions, and a game that differs has a subclass in its own package. A part may not import a game
(contract `law-knows-no-game`). Begin with `deck.py`; `../game.py` has the game that they make.
"""
