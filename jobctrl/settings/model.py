"""What can be configured: each setting with its default, its limits and when a change takes effect."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, field_validator

from jobctrl.settings.cron import checked_cron
from jobctrl.settings.formats import checked_formats

Activation = Literal["live", "next run", "restart"]
Topic = Literal["money", "models", "preparation", "reading boards", "schedule", "person"]


def setting(default: Any, says: str, *, takes_effect: Activation, about: Topic = "preparation", **limits: Any) -> Any:
    """A field with the words a person reads about it, and what it is *about*."""
    extra: dict[str, Any] = {"takes_effect": takes_effect, "about": about}
    return Field(default, description=says, json_schema_extra=extra, **limits)


class Settings(BaseModel):
    """The settings of one workspace, kept in its `config.json`. An unknown key or a bad value is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    time_zone: str = setting(
        "UTC", "The person's named time zone: it decides what `today` is.", takes_effect="live", about="person"
    )
    min_fit_score: int = setting(
        7, "Materials are prepared for scores from here on (1 to 10).", takes_effect="next run", ge=0, le=10
    )
    exploration_share: float = setting(
        0.0,
        "The share of jobs below that score that are prepared all the same, by chance, to learn what is missed.",
        takes_effect="next run",
        ge=0,
        le=0.2,
    )
    daily_budget_usd: Decimal = setting(
        Decimal(25),
        "What all paid calls of a UTC day may cost; 0 is no ceiling.",
        takes_effect="live",
        about="money",
        ge=0,
    )
    lane_token_limits: dict[Literal["enrich", "score", "tailor", "cover"], Annotated[int, Field(ge=0)]] = setting(
        {},
        "Input and output tokens a lane may use in a UTC day; 0 or absent is no limit.",
        takes_effect="live",
        about="money",
    )
    provider: Literal["local", "anthropic", "openai"] = setting(
        "local",
        "Which models are asked; `local` needs no key and costs nothing.",
        takes_effect="next run",
        about="models",
    )
    model: str = setting(
        "", "The model's name at the provider; empty takes its default.", takes_effect="next run", about="models"
    )
    provider_base_url: str | None = setting(
        None, "Another address that speaks the provider's protocol.", takes_effect="next run", about="models"
    )
    worker_activity_slots: int = setting(
        4, "How many activities one worker runs at a time.", takes_effect="restart", ge=1, le=64
    )
    pipeline_internal_concurrency: int = setting(
        4,
        "How many pages or jobs one run has under way at a time; automatic runs share it.",
        takes_effect="next run",
        ge=1,
        le=16,
    )
    max_parallel_families: int = setting(
        1, "How many source families are read at a time.", takes_effect="next run", about="reading boards", ge=1, le=4
    )
    max_posting_age_days: int = setting(
        365,
        "Postings published longer ago are turned away as ghosts; 0 keeps all.",
        takes_effect="next run",
        about="reading boards",
        ge=0,
    )
    crawl_contact: str = setting(
        "https://example.org/jobctrl",
        "Told to every site in the user agent.",
        takes_effect="next run",
        about="reading boards",
        max_length=240,
    )
    host_interval_seconds: float = setting(
        1.0,
        "The least time between two requests to one host.",
        takes_effect="next run",
        about="reading boards",
        ge=0.2,
        le=60,
    )
    requests_per_run: int = setting(
        2000, "How many requests one run may make.", takes_effect="next run", about="reading boards", ge=1, le=100_000
    )
    paper: Literal["a4", "letter"] = setting(
        "a4", "The paper of resumes and letters.", takes_effect="next run", about="person"
    )
    automatic_preparation: bool = setting(
        True,
        "Whether what waits or may be tried again is prepared by itself while `jobctrl up` or a worker runs.",
        takes_effect="live",
    )
    scheduling_enabled: bool = setting(
        False,
        "Whether the boards are read by themselves while `jobctrl up` runs.",
        takes_effect="live",
        about="schedule",
    )
    schedule_cron: str = setting(
        "0 7 * * *",
        "When: minute, hour, day, month, weekday; all five must match.",
        takes_effect="live",
        about="schedule",
    )
    schedule_time_zone: str | None = setting(
        None, "The named zone of these times; none takes `time_zone`.", takes_effect="live", about="schedule"
    )
    schedule_catchup_hours: int = setting(
        2,
        "A time that was missed, because nothing ran, is made up for this long.",
        takes_effect="live",
        about="schedule",
        ge=1,
        le=168,
    )

    weekly_report_enabled: bool = setting(
        False,
        "Whether the weekly report is written by itself while `jobctrl up` runs.",
        takes_effect="live",
        about="schedule",
    )
    weekly_report_cron: str = setting(
        "0 8 * * mon", "When, as in `schedule_cron` and in its zone.", takes_effect="live", about="schedule"
    )
    weekly_report_catchup_hours: int = setting(
        48,
        "A report that was missed, because nothing ran, is made up for this long.",
        takes_effect="live",
        about="schedule",
        ge=1,
        le=168,
    )
    weekly_report_formats: str = setting(
        "html,ipynb,parquet,csv,md", "Of these, with commas between.", takes_effect="next run", about="schedule"
    )
    weekly_report_folder: str | None = setting(
        None,
        "Where its folders are made, one a day; none takes `reports/weekly` in the workspace.",
        takes_effect="next run",
        about="schedule",
    )

    @property
    def schedule_zone(self) -> str:
        """The named zone the schedule goes by."""
        return self.schedule_time_zone or self.time_zone

    @field_validator("schedule_cron", "weekly_report_cron")
    @classmethod
    def _is_a_cron_expression(cls, value: str) -> str:
        return checked_cron(value)

    @field_validator("weekly_report_formats")
    @classmethod
    def _are_formats(cls, value: str) -> str:
        return checked_formats(value)

    @field_validator("time_zone", "schedule_time_zone")
    @classmethod
    def _is_a_named_zone(cls, value: str | None) -> str | None:
        if value is None:
            return None
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            # An OSError: the word is a folder of the zone database, as `Europe` is, or no file name at all.
            raise ValueError("is no named time zone such as Europe/Warsaw") from error
        return value
