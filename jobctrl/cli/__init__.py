"""The `jobctrl` command. Only typer and the standard library are imported before a command runs."""

from jobctrl.cli.app import main

__all__ = ["main"]
