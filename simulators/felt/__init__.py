"""The physical table: cards, chips, players, and the camera that sees them."""
