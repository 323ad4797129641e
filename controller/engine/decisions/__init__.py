"""Who may do what when: the table of deciders, a module for each topic, and the alarms. No I/O here."""
