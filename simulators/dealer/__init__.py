"""The robot dealer, who knows of the station only what its screen says."""
