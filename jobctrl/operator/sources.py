"""What a person does with boards."""

from __future__ import annotations

from jobctrl.discovery.locate import locate
from jobctrl.discovery.model import Source, SourceState
from jobctrl.discovery.registry import Registry
from jobctrl.store import Store


class SourceActions:
    store: Store

    def add_source(self, text: str) -> tuple[Source, bool]:
        """Add the board that an address, a posting's address or `kind:token` names; False when it was there already.

        Raises InvalidRequest when it names none.
        """
        source = locate(text)
        return source, Registry(self.store).add(source)

    def pause_source(self, source_id: str) -> str:
        """Leave a board out of every run until it is resumed. Raises NotFound."""
        Registry(self.store).set_state(source_id, SourceState.DISABLED, "paused by hand")
        return f"{source_id} is paused."

    def resume_source(self, source_id: str) -> str:
        """Read a board again. Raises NotFound."""
        Registry(self.store).set_state(source_id, SourceState.ACTIVE, "resumed by hand")
        return f"{source_id} is read again."
