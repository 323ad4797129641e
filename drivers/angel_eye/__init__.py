"""The card-reading shoe, an Angel Eye: a serial line.

It may import the ports and what all makes share, and no other make (contract `makes`); `codec.py` and `dialogue.py`
have no I/O (contract `codecs`). Begin with `codec.py`, then `dialogue.py`.
"""
