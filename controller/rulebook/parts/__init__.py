"""The parts that a game is made of. Each answers questions, and a game that differs has a subclass of its own."""
