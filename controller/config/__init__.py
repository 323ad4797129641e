"""The configuration, station.toml: from TOML to frozen structs.

Every mistake of a file is found in one pass. Each module reads one section. It knows what a game offers by the registry
of games and imports no game (contract `registry`), and no HTTP (contract `console-knows-http`). Begin with
`section.py`, which reads a table key by key, then `file.py`, which has the struct `Config`.
"""
