"""What a journal is asked for, as answers in JSON: rounds, alarms, entries and payment slips. Nothing here writes."""
