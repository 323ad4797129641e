"""What operators are told of a running station: logs, metrics, and signs of life to the service manager."""
