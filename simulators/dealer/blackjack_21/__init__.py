"""Black-jack/21 in the hands of the robot dealer."""
