"""Taiwan-Pai Kao in the hands of the robot dealer."""
