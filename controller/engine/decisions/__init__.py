"""Who may do what when: the table of deciders, a module for each topic, and the alarms. No I/O here.

A decider takes an input, refuses it or records events. It has codes with values and no sentence, and may not import the
catalogues (contract `engine-has-codes`) nor `shown` (contract `engine`). Begin with `deciders.py`, which has a row for
each input, then `betting.py`, a short topic.
"""
