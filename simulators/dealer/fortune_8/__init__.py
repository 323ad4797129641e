"""Fortune 8 in the hands of the robot dealer."""
