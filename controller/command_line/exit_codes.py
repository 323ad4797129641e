"""Exit codes that a shell and a service manager understand: those of sysexits.h where it has one."""

EXIT_REFUSED = 2  # a round, a hand or an argument that cannot be
EXIT_CORRUPT = 65  # EX_DATAERR: the journal is not as it was written
EXIT_NO_JOURNAL = 66  # EX_NOINPUT: a live table's journal is not there
# EX_UNAVAILABLE: an address is taken, or a program that is needed is missing or does not come up.
EXIT_UNAVAILABLE = 69
EXIT_SOFTWARE = 70  # EX_SOFTWARE: a defect of the program itself
EXIT_OUTPUT = 74  # EX_IOERR: standard output takes no more
EXIT_TEMPORARY = 75  # EX_TEMPFAIL: the journal cannot be opened now, or not be read to its end
EXIT_CONFIGURATION = 78  # EX_CONFIG
EXIT_INTERRUPTED = 130  # as a shell reports a command that SIGINT ended
EXIT_PIPE = 141  # as a shell reports a command that SIGPIPE ended
