"""The one reader of TOML for every file of configuration, within limits of size, depth, memory and time.

It knows no key of any file, and may not import modules that do (contract `layers`). Begin with `text.py`; `apart.py`
reads an untrusted text in a separate process.
"""
