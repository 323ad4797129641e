"""The commands of `dealer-pit`: the arguments of each, and what it does. What they need is imported when they run."""
