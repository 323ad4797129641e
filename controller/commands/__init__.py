"""What the commands of `dealer-station` do, one module each."""
