"""What must not become a requirement: words meant for a machine, and traits nobody may be asked for."""

from __future__ import annotations

from jobctrl.scoring.cues import speaks_of


def is_addressed_to_a_machine(text: str) -> bool:
    """Whether *text* speaks to a model or a screening system rather than to a person."""
    return speaks_of("orders", text)


def names_a_protected_trait(text: str) -> bool:
    """Whether *text* speaks of age, gender, origin, belief, health or family."""
    return speaks_of("traits", text)
