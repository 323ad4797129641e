"""The odds and the house edge of every wager, computed by the code that settles the live table.

`dealer-station certify` prints them; `statistics` compares a table with them. It may import the rulebook, `toml` and
`system`, and neither the engine, nor a device, nor a network (contract `certify-knows-the-law-alone`). Begin with
`games.py`, which lists the wagers and the job of each, then `fortune_8.py`, the shortest one.
"""
