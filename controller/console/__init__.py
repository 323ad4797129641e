"""The dealer's and supervisor's way in: HTTP, with server-sent events out and inputs posted in."""
