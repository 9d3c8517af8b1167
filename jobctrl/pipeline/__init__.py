"""Across contexts: preparation targets, reconciliation between stages, workflow runs and the steps of Discover."""
