"""The keys that systemd hands to the service alone (`LoadCredential`), and their sources."""

from pathlib import Path

from controller.config.file import Config

CREDENTIALS = Path("/run/credentials/dealer-station.service")


def credential_file(config: Config, file: Path) -> Path:
    """The file beside the configuration that systemd hands over as `file`; `file` itself if the service reads it
    directly.
    """
    return config.path.with_name(file.name) if file.parent == CREDENTIALS else file


def seal_key_of(config: Config) -> Path:
    """The seal key for a command, whether the station runs or not."""
    file = config.seal_key_file
    return file if file.exists() else credential_file(config, file)
