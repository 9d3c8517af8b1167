"""Postings of the invented world, composed from the word lists with a seed of their own each."""

from __future__ import annotations

import html
import random
import tomllib
import uuid
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
Words = dict[str, Any]
Block = tuple[str, str | list[str]]
"""`h` and a heading, `p` and a paragraph, or `ul` and its items."""

YEARS = {
    "intern": "You are enrolled in a degree and will return to it after the internship",
    "junior": "Up to two years of work, study projects count",
    "mid": "Three or more years in a comparable position",
    "senior": "At least five years of relevant experience",
    "lead": "Seven years of experience, two of them leading others",
    "staff": "Nine or more years of experience and a record of work across teams",
}
SCOPE = {
    "intern": "You will have a mentor and a project that ships.",
    "junior": "You will learn beside two seniors who have time for it.",
    "mid": "You will own features from the first question to the first alert.",
    "senior": "You will own a whole area and coach the people around it.",
    "lead": "You will set the goals of the group and answer for them.",
    "staff": "You will set technical direction across teams and write the documents others build on.",
}
FIRST = [
    "In your first month you will ship a small change in each of our main repositories.",
    "After ninety days we sit down together and look at what worked.",
    "Your first project is already chosen: it has waited since spring.",
    "You would start in a pair and take over a module by the end of the quarter.",
    "The first week belongs to reading, asking and one release.",
    "Within half a year you should be the person others ask about this area.",
    "We expect questions in week one and opinions in week four.",
    "The person who held this seat moved to another team and will hand over in peace.",
]
MODE_WORDS = {
    "hybrid": [
        "This is a hybrid role with two office days a week.",
        "We work hybrid: some days together, some at home.",
    ],
    "remote": ["This role is fully remote.", "You can do this work from home."],
    "on_site": ["This role is on-site.", "The work is done at our site, five days a week."],
}


@dataclass(frozen=True)
class Row:
    """One posting before a vendor has shaped it."""

    employer: str
    index: int
    native_id: str
    title: str
    role: str
    place: str
    mode: str
    pay: str
    published: datetime
    level: str
    marks: dict[str, str]
    blocks: tuple[Block, ...]
    language: str = "en"
    cities: tuple[str, ...] = ()

    @property
    def cases(self) -> list[str]:
        return [case for case in self.marks.get("case", "").split(",") if case]

    @property
    def number(self) -> int:
        """A stable number of seven to twelve digits, for vendors that count."""
        return stable_number(self.native_id)

    def html(self) -> str:
        return to_html(self.blocks)

    def text(self) -> str:
        return to_text(self.blocks)

    def paid(self) -> tuple[str, int, int, str] | None:
        """Currency, low, high and period of the vendor's own pay fields."""
        stated = self.marks.get("paid", "none")
        if stated == "none":
            return None
        currency, low, high, period = stated.split(":")
        return currency, int(low), int(high), period


@dataclass(frozen=True)
class Employer:
    key: str
    name: str
    kind: str
    token: str
    words: Words
    rows: list[Row] = field(default_factory=list)

    @property
    def source_id(self) -> str:
        return f"{self.kind}:{self.token}"


def stable_number(key: str) -> int:
    return 4_000_000_000 + uuid.uuid5(uuid.NAMESPACE_URL, key).int % 900_000_000


def load(name: str) -> Words:
    return tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))


PLACES: dict[str, list[str]] = load("places")


def country_of(city: str) -> tuple[str, str, str]:
    """Country name, alpha-2 and region of a city of this world."""
    name, code, region = PLACES[city]
    return name, code, region


def cities_in(text: str) -> list[str]:
    """The cities and countries named in a label, in its order."""
    found = sorted((text.find(city), city) for city in PLACES if city in text)
    cities = [city for _, city in found]
    towns = [city for city in cities if PLACES[city][2]]
    return towns or cities


def blocks_of(text: str) -> list[Block]:
    """The blocks of a whole body from `texts.toml`."""
    blocks: list[Block] = []
    for line in text.strip().splitlines():
        if line.startswith("# "):
            blocks.append(("h", line[2:]))
        elif line.startswith("- "):
            if not blocks or blocks[-1][0] != "ul":
                blocks.append(("ul", []))
            items = blocks[-1][1]
            assert isinstance(items, list)
            items.append(line[2:])
        else:
            blocks.append(("p", line))
    return blocks


def to_html(blocks: tuple[Block, ...], heading: str = "h3") -> str:
    """The body as the simple HTML that recruiting systems keep."""
    parts = []
    for kind, content in blocks:
        if isinstance(content, list):
            parts.append("<ul>" + "".join(f"<li>{html.escape(item, quote=False)}</li>" for item in content) + "</ul>")
        elif kind == "h":
            parts.append(f"<{heading}>{html.escape(content, quote=False)}</{heading}>")
        else:
            parts.append(f"<p>{html.escape(content, quote=False)}</p>")
    return "\n".join(parts)


def to_text(blocks: tuple[Block, ...]) -> str:
    """The body as plain text, the way vendors send it beside the HTML."""
    parts = []
    for _, content in blocks:
        parts.append("\n".join(f"- {item}" for item in content) if isinstance(content, list) else content)
    return "\n\n".join(parts)


def _fill(sentences: list[str], words: Words) -> list[str]:
    filled = [sentence.format_map(words) for sentence in sentences]
    return [sentence[0].upper() + sentence[1:] for sentence in filled]


def _body(words: Words, role: Words, level: str, mode: str, seed: str, marks: dict[str, str]) -> list[Block]:
    """About, tasks, requirements, extras and benefits; the same seed draws the same sentences."""
    draw = random.Random(seed)
    about, work, must, extra, offer = words["heads"]
    intro = draw.choice(_fill(role["intro"], words))
    if team := marks.get("team"):
        intro = f"This is a place in the {team} team. {intro}"
    needs = draw.sample(_fill(role["must"], words), k=min(len(role["must"]), draw.randint(5, 7)))
    opening = [words["about"][0], *draw.sample(words["about"][1:], k=min(2, len(words["about"]) - 1))]
    blocks: list[Block] = [
        ("h", about),
        ("p", " ".join(opening)),
        ("p", f"{intro} {SCOPE[level]} {draw.choice(FIRST)}"),
        ("h", work),
        ("ul", draw.sample(_fill(role["do"], words), k=min(len(role["do"]), draw.randint(5, 7)))),
        ("h", must),
        ("ul", [YEARS[level], *needs]),
        ("h", extra),
        ("ul", draw.sample(_fill(role["nice"], words), k=min(len(role["nice"]), draw.randint(2, 4)))),
        ("h", offer),
        ("ul", draw.sample(words["benefits"], k=min(len(words["benefits"]), draw.randint(4, 6)))),
    ]
    if mode in MODE_WORDS:
        blocks.append(("p", draw.choice(MODE_WORDS[mode])))
    return blocks


def _row(key: str, voice: Words, employer: Words, index: int, line: str, roles: Words, texts: Words) -> Row:
    cells = [cell.strip(" ") for cell in line.split("|")]
    title, role, place, mode, pay, day, marked, note = cells
    marks = dict(mark.split("=", 1) for mark in marked.split())
    level = marks.get("level", "mid")
    seed = f"{marks['seed']}/{role}" if "seed" in marks else f"{employer['token']}/{title}/{place}/{level}"
    stated_mode = "-" if note and marks.get("field_mode") else mode
    if body := marks.get("body"):
        blocks = blocks_of(texts[body])
        language = body.split("_")[0]
    else:
        blocks = _body(voice, roles[role], level, stated_mode, seed, marks)
        language = "en"
    if note:
        blocks.append(("p", note))
    if extra := marks.get("body_extra"):
        blocks += blocks_of(texts[extra])
    if pay:
        blocks.append(("p", pay))
    if language == "en":
        blocks.append(("p", voice["closing"]))
    named = f"{employer['kind']}/{employer['token']}/{title}/{place}/{day}/{marks.get('wire', '')}"
    draw = random.Random(named)
    moment = datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC)
    cities = [marks["city"].replace("_", " ")] if "city" in marks else cities_in(place)
    also = [city.replace("_", " ") for city in marks.get("also", "").split(";") if city]
    return Row(
        employer=key,
        index=index,
        native_id=str(uuid.uuid5(uuid.NAMESPACE_URL, named)),
        title=title,
        role=role,
        place=place,
        mode=mode,
        pay=pay,
        published=moment + timedelta(minutes=draw.randint(6 * 60, 17 * 60), seconds=draw.randint(0, 59)),
        level=level,
        marks=marks,
        blocks=tuple(blocks),
        language=language,
        cities=(*cities, *also),
    )


def employers() -> list[Employer]:
    """Every employer with its postings, in the order of the word list."""
    roles, texts, listed = load("roles"), load("texts"), load("employers")
    world = []
    for key, words in listed.items():
        voice = listed[words.get("voice", key)]
        lines = words["jobs"].strip("\n").splitlines()
        rows = [_row(key, voice, words, index, line, roles, texts) for index, line in enumerate(lines)]
        world.append(Employer(key, words["name"], words["kind"], words["token"], words, rows))
    return world
