"""How fast JobCtrl is, each task as a ratio to a bare baseline measured in the same run: `make bench`."""
