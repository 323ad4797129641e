"""The simulated devices, each speaking its real wire."""
