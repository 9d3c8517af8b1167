"""What the environment decides: where the workspace lies, which web and which Temporal server are used."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class Environment(BaseSettings):
    """Read once at the start of a process."""

    model_config = SettingsConfigDict(populate_by_name=True, extra="ignore")

    workspace: Path = Field(Path("~/.jobctrl"), validation_alias="JOBCTRL_DIR", description="The workspace folder.")
    web: str = Field("live", validation_alias="JOBCTRL_WEB", description="`live`, `recorded:DIR` or `record:DIR`.")
    temporal_address: str | None = Field(
        None, validation_alias="TEMPORAL_ADDRESS", description="A Temporal server to use instead of the embedded one."
    )
    temporal_namespace: str = Field("default", validation_alias="TEMPORAL_NAMESPACE", description="Its namespace.")
    task_queue: str = Field(
        "jobctrl-default", validation_alias="JOBCTRL_TASK_QUEUE", description="The queue workers listen on."
    )
    api_host: str = Field("127.0.0.1", validation_alias="JOBCTRL_API_HOST", description="Where the API listens.")
    api_port: int = Field(8766, validation_alias="JOBCTRL_API_PORT", description="The API's port.")
