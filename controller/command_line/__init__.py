"""What every command of the station and of the pit shares: arguments, answers, streams, signals and exit codes."""
