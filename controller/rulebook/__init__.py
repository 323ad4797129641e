"""The law: cards, hands, paytables and one package for each regulation. No I/O here.

Values in, values out: it may import no other part of the controller (contract `layers`), and neither the clock, nor
chance, nor I/O (contract `pure-law`). What games share may not import a game (contract `law-knows-no-game`); only
`games.py` does. README.md has how a regulation is added. Begin with `cards.py`, then `fortune_3_card_poker/settle.py`.
"""
