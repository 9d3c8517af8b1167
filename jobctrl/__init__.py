"""JobCtrl: a local-first workbench for one person's job search."""

__version__ = "0.1.0"
