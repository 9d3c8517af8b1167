"""What the environment decides: which web and which Temporal server are used."""

from __future__ import annotations

from typing import Any

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from jobctrl.errors import ConfigurationError


class Environment(BaseSettings):
    """Read once at the start of a process. ConfigurationError names each variable with a bad value."""

    model_config = SettingsConfigDict(populate_by_name=True, extra="ignore", validate_default=True)

    web: str = Field("live", validation_alias="JOBCTRL_WEB", description="`live`, `recorded:DIR` or `record:DIR`.")
    temporal_address: str | None = Field(
        None, validation_alias="TEMPORAL_ADDRESS", description="A Temporal server to use instead of the embedded one."
    )
    temporal_namespace: str = Field("default", validation_alias="TEMPORAL_NAMESPACE", description="Its namespace.")
    task_queue: str = Field(
        "jobctrl-default", validation_alias="JOBCTRL_TASK_QUEUE", description="The queue workers listen on."
    )
    api_host: str = Field("127.0.0.1", validation_alias="JOBCTRL_API_HOST", description="Where the API listens.")
    api_port: int = Field(8766, validation_alias="JOBCTRL_API_PORT", description="The API's port.", ge=0, le=65_535)

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
            raise ConfigurationError(f"{faults}.", hint="Mend or unset the environment variable.") from error
