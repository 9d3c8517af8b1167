"""The stage machine: states, legal moves, attempts, owners and baselines. Generic: it knows no context."""
