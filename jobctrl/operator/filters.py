"""What a person does with the filters they gave a name."""

from __future__ import annotations

from jobctrl.operations import saved_filters
from jobctrl.operations.saved_filters import BoardFilter
from jobctrl.store import Store


class FilterActions:
    store: Store

    def save_filter(self, name: str, wanted: BoardFilter) -> str:
        """Keep a filter of the job list under a name, in place of what had that name. Raises InvalidRequest."""
        with self.store.writer() as tx:
            kept = saved_filters.save(tx, name, wanted)
        return f"Saved as {kept}."

    def rename_filter(self, name: str, new: str) -> str:
        """Raises NotFound, and InvalidRequest when the new name is taken."""
        with self.store.writer() as tx:
            kept = saved_filters.rename(tx, name, new)
        return f"{name} is now {kept}."

    def delete_filter(self, name: str) -> str:
        """Raises NotFound."""
        with self.store.writer() as tx:
            saved_filters.delete(tx, name)
        return f"Deleted the filter {name}; no job is touched."
