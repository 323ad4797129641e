"""The configuration file, station.toml: from TOML to frozen structs."""
