"""The nine boards we read, one file a vendor."""

from jobctrl.discovery.model import BoardKind
from jobctrl.discovery.sources.ashby import Ashby
from jobctrl.discovery.sources.base import BoardAdapter
from jobctrl.discovery.sources.greenhouse import Greenhouse
from jobctrl.discovery.sources.lever import Lever
from jobctrl.discovery.sources.personio import Personio
from jobctrl.discovery.sources.recruitee import Recruitee
from jobctrl.discovery.sources.smartrecruiters import SmartRecruiters
from jobctrl.discovery.sources.teamtailor import Teamtailor
from jobctrl.discovery.sources.workable import Workable
from jobctrl.discovery.sources.workday import Workday

__all__ = ["BoardAdapter", "adapter_for"]

_ADAPTERS: dict[BoardKind, BoardAdapter] = {
    adapter.kind: adapter
    for adapter in (
        Greenhouse(),
        Lever(),
        Ashby(),
        SmartRecruiters(),
        Workable(),
        Recruitee(),
        Personio(),
        Teamtailor(),
        Workday(),
    )
}


def adapter_for(kind: BoardKind) -> BoardAdapter:
    """The adapter that reads boards of *kind*."""
    return _ADAPTERS[kind]
