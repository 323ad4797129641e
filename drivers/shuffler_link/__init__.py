"""The automatic shuffler at the end of our own link: a serial line.

It may import the ports and what all makes share, and no other make (contract `makes`). Begin with `codec.py`, then
`resend_window.py`, which has which messages are new, and `shuffler.py`.
"""
