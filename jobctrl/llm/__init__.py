"""Models that answer with a validated value, and none of them trusted: providers, fences, and the meter around."""
