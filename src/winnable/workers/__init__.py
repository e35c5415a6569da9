"""Where tasks run: in this process, on others of this machine, on a cluster."""
