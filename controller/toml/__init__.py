"""The one reader of TOML: what every file of configuration is read with, within limits. It knows no key of any file."""
