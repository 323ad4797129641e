"""What a journal is asked for, as answers in JSON: rounds, alarms, sign-ins and payment slips. Nothing here writes."""
