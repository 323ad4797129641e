"""The automatic shuffler at the end of our own link: a serial line."""
