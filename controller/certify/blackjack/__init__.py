"""The main game of black-jack/21: best strategy, exact edge on an infinite deck, simulated edge at a table.

A hand here depends on decisions, so odds need a strategy first. What it may import is what all of certify may (contract
`certify-knows-the-law-alone`). Begin with `main_game.py`; `by_the_rulebook.py` plays a round by the rulebook alone, and
`quick_play.py` must agree with it.
"""
