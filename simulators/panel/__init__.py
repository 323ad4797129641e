"""The panel of the simulator: a page to watch the bench, take over from the robot dealer, and let things go wrong."""
