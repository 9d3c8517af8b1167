"""What can be configured, who owns it and where it is kept."""
