"""The one reader of TOML for every file of configuration, within limits of size, depth, memory and time.

It knows no key of any file, and may not import those that do (contract `layers`). Begin with `text.py`; `apart.py`
reads a text from a stranger in a process of its own.
"""
