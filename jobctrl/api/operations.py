"""How the pipeline stands at this moment."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from jobctrl.api.answers import Acting, camel

router = APIRouter()


@router.get("/v1/pipeline/operations")
def pipeline_operations(operator: Acting) -> dict[str, Any]:
    """Which execution owns work, what is left in each scope, what the workers do now, and how long it may take."""
    found: dict[str, Any] = camel(operator.operations())
    return found
