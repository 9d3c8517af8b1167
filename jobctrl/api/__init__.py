"""The HTTP face, on this machine only: the Operator's actions as routes, the log as a stream."""
