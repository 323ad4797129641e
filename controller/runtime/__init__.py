"""A table at work: the one queue and its one consumer, with what hands things to it and takes them from it."""
