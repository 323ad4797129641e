"""What the machine offers to every part: files, ports, processes, tasks and the time."""
