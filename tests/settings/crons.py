"""Cron expressions that Temporal takes and that it refuses; the first are given to the real server too."""

from __future__ import annotations

TAKEN = [
    "0 7 * * *",
    "30 2 * * *",
    "0 7 * * 1-5",
    "0 7 * * MON-FRI",
    "0 7 * * sun,wed",
    "0 7 * * 7",
    "0 7 1 JAN *",
    "5/10 * * * *",
    "*/15 6-22/4 * * *",
    "0 7 29 2 *",
    "0 7 */2 * 1",
    "0,30 7 1,15 1-6,12 *",
]
REFUSED = [
    ("", "five fields"),
    ("0 7 * *", "five fields"),
    ("0 7 * * * *", "five fields"),
    ("@daily", "five fields"),
    ("61 * * * *", "minute"),
    ("-1 * * * *", "minute"),
    ("0 24 * * *", "hour"),
    ("0 7 0 * *", "day of the month"),
    ("0 7 ? * *", "day of the month"),
    ("0 7 * 13 *", "month"),
    ("0 7 * mon *", "month"),
    ("0 7 * * 8", "day of the week"),
    ("0 7 * * 5-1", "day of the week"),
    ("0 7 * * jan", "day of the week"),
    ("*/0 * * * *", "minute"),
    ("1,,2 * * * *", "minute"),
    ("² 7 * * *", "minute"),
    ("0 7 31 2 *", "months do not have"),
    ("0 7 31 4,6 *", "months do not have"),
]
