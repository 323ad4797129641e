"""The panel of the simulator: a page to watch the bench, stop the robot dealer, and let things go wrong."""
