"""A seat at the simulated table for a person: the page he plays on, and what it shows."""
