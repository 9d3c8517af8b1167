"""The public pages of postings whose board sends no text, and what can be wrong with a page."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from typing import Any

from world.boards import listing_url, native_id
from world.compose import Employer, Row, country_of
from world.wire import Recording, json_bytes, slug

HTML_TYPE = "text/html; charset=utf-8"


def _posting(employer: Employer, row: Row) -> dict[str, Any]:
    """The JobPosting of schema.org that the page carries."""
    places = [
        {
            "@type": "Place",
            "address": {
                "@type": "PostalAddress",
                "addressLocality": city,
                "addressRegion": country_of(city)[2],
                "addressCountry": country_of(city)[1],
            },
        }
        for city in row.cities
    ]
    posting: dict[str, Any] = {
        "@context": "https://schema.org/",
        "@type": "JobPosting",
        "title": row.title,
        "description": row.html(),
        "identifier": {"@type": "PropertyValue", "name": employer.name, "value": native_id(row, employer.kind)},
        "datePosted": row.published.date().isoformat(),
        "employmentType": "FULL_TIME",
        "hiringOrganization": {"@type": "Organization", "name": employer.name},
        "jobLocation": places if len(places) > 1 else places[0],
        "directApply": True,
    }
    if row.mode == "remote":
        posting["jobLocationType"] = "TELECOMMUTE"
        posting["applicantLocationRequirements"] = {"@type": "Country", "name": country_of(row.cities[0])[0]}
    return posting


def _script(value: str) -> str:
    safe = value.replace("</", "<\\/")
    return f'<script type="application/ld+json">{safe}</script>'


def _ld(posting: dict[str, Any]) -> str:
    return _script(json.dumps(posting, ensure_ascii=False))


def _page(employer: Employer, row: Row, *, head: str = "", main: str | None = None, aside: str = "") -> str:
    """A career page of the employer around the main part."""
    name, title = html.escape(employer.name), html.escape(row.title)
    place = html.escape(", ".join(row.cities))
    if main is None:
        main = (
            f'<h1>{title}</h1>\n<p class="job-place">{place}</p>\n<div class="job-description">\n{row.html()}\n</div>\n'
            f'<a class="apply" href="{listing_url(employer, row)}/apply">Apply for this job</a>'
        )
    return (
        f'<!DOCTYPE html>\n<html lang="{row.language}">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title} | {name}</title>\n{head}\n</head>\n<body>\n"
        f'<header><nav><a href="/">{name}</a> <a href="/jobs">All openings</a>'
        ' <a href="/people">People</a></nav></header>\n'
        f"<main>\n{main}\n</main>\n{aside}\n"
        f"<footer><p>{name} uses two cookies, both for signing in.</p></footer>\n</body>\n</html>\n"
    )


def _jsonld(employer: Employer, row: Row) -> str:
    return _page(employer, row, head=_ld(_posting(employer, row)))


def _graph(employer: Employer, row: Row) -> str:
    """The posting inside `@graph`, its organisation only referred to."""
    posting = _posting(employer, row)
    del posting["@context"]
    posting["hiringOrganization"] = {"@id": "#organisation"}
    organisation = {"@type": "Organization", "@id": "#organisation", "name": employer.name}
    site = {"@type": "WebSite", "@id": "#site", "name": f"Careers at {employer.name}"}
    graph = {"@context": "https://schema.org", "@graph": [site, organisation, posting]}
    return _page(employer, row, head=_ld(graph))


def _dom(employer: Employer, row: Row) -> str:
    return _page(employer, row)


def _broken_jsonld(employer: Employer, row: Row) -> str:
    """JSON-LD with a trailing comma and an organisation that is a bare string."""
    posting = _posting(employer, row) | {"hiringOrganization": employer.name}
    text = json.dumps(posting, ensure_ascii=False)
    return _page(employer, row, head=_script(text[:-1] + ",}"))


def _expired(employer: Employer, row: Row) -> str:
    """Everything looks open, but the date until which the posting holds has passed."""
    return _page(employer, row, head=_ld(_posting(employer, row) | {"validThrough": "2026-06-30T23:59:59+02:00"}))


def _salary_word(employer: Employer, row: Row) -> str:
    """A salary that is a word."""
    return _page(employer, row, head=_ld(_posting(employer, row) | {"baseSalary": "By agreement"}))


def _closed(employer: Employer, row: Row) -> str:
    main = (
        f"<h1>{html.escape(row.title)}</h1>\n"
        '<div class="banner">This position has been filled and is no longer accepting applications.</div>\n'
        f'<div class="job-description">\n{row.html()}\n</div>'
    )
    return _page(employer, row, main=main)


def _closed_fr(employer: Employer, row: Row) -> str:
    main = (
        f"<h1>{html.escape(row.title)}</h1>\n"
        '<div class="banner">Cette offre d\u2019emploi n\u2019est plus disponible.</div>\n'
        f'<p class="job-place">{html.escape(", ".join(row.cities))}</p>'
    )
    return _page(employer, row, main=main)


def _similar(employer: Employer, row: Row) -> str:
    """An open posting beside a card of another one that is closed."""
    aside = (
        '<aside class="similar-jobs"><h2>Similar jobs</h2>\n<article class="card"><h3>Data Steward, Archive</h3>'
        "<p>This job is no longer available.</p></article>\n"
        '<article class="card"><h3>Reporting Lead</h3><p>Rotterdam, 38 to 40 hours</p></article></aside>'
    )
    return _page(employer, row, head=_ld(_posting(employer, row)), aside=aside)


TEXTS: dict[str, Callable[[Employer, Row], str]] = {
    "jsonld": _jsonld,
    "graph": _graph,
    "dom": _dom,
    "broken_jsonld": _broken_jsonld,
    "expired": _expired,
    "salary_word": _salary_word,
    "closed": _closed,
    "closed_fr": _closed_fr,
    "similar": _similar,
}
"""Pages that answer with status 200."""

REFUSALS: dict[str, tuple[int, str, dict[str, str]]] = {
    "gone": (404, "<h1>Page not found</h1><p>There is nothing at this address.</p>", {}),
    "wall": (403, "<h1>Checking your browser</h1><p>Enable scripts and cookies to continue. Ray 8f1c.</p>", {}),
    "busy": (429, "<h1>Too many requests</h1>", {"Retry-After": "2"}),
}
"""Pages that do not show the posting: status, body, headers."""


def pages(employer: Employer) -> list[Recording]:
    """What the public addresses of this employer's postings answer, as far as they were recorded."""
    recordings = []
    by_kind = {row.marks["page"]: row for row in employer.rows if "page" in row.marks}
    for row in employer.rows:
        kind = row.marks.get("page", "")
        url = listing_url(employer, row)
        file = f"pages/{employer.token}-{slug(row.title)}.html"
        if kind in TEXTS:
            body = TEXTS[kind](employer, row).encode()
            recordings.append(Recording(url, file, body, content_type=HTML_TYPE))
        elif kind in REFUSALS:
            status, text, headers = REFUSALS[kind]
            body = f"<!DOCTYPE html>\n<html><body>{text}</body></html>\n".encode()
            recordings.append(Recording(url, file, body, status=status, content_type=HTML_TYPE, headers=headers))
        elif kind == "moved":
            other = by_kind["jsonld"]
            file = f"pages/{employer.token}-{slug(other.title)}.html"
            final = listing_url(employer, other)
            recordings.append(
                Recording(url, file, _jsonld(employer, other).encode(), content_type=HTML_TYPE, final_url=final)
            )
        elif kind == "forbidden":
            # The page itself was never fetched: the site's robots.txt does not allow it.
            rules = f"User-agent: *\nDisallow: /jobs/{native_id(row, employer.kind)}-\n".encode()
            host = url.split("/")[2]
            recordings.append(
                Recording(f"https://{host}/robots.txt", f"pages/{host}.robots.txt", rules, content_type="text/plain")
            )
    return recordings


def bare_details(employer: Employer) -> list[Recording]:
    """The vendors' own answers about single postings that have no text there either."""
    recordings = []
    for row in employer.rows:
        if "page" not in row.marks and row.marks.get("wire") != "no_text":
            continue
        identity = native_id(row, employer.kind)
        gone = row.marks.get("page") in ("gone", "closed", "moved")
        if employer.kind == "greenhouse":
            url = f"https://boards-api.greenhouse.io/v1/boards/{employer.token}/jobs/{identity}"
            job = {
                "absolute_url": listing_url(employer, row),
                "internal_job_id": row.number % 10_000_000,
                "location": {"name": row.place},
                "id": row.number,
                "title": row.title,
                "content": "",
                "questions": [],
            }
            aliases: tuple[str, ...] = (f"{url}?pay_transparency=true",)
        elif employer.kind == "workable":
            url = f"https://apply.workable.com/api/v2/accounts/{employer.token}/jobs/{identity}"
            job = {
                "shortcode": identity,
                "title": row.title,
                "state": "published",
                "description": "",
                "requirements": "",
            }
            aliases = ()
        else:
            continue
        body = json_bytes({"status": 404, "error": "Job not found"} if gone else job)
        file = f"{employer.kind}/{employer.token}-{identity}.json"
        recordings.append(Recording(url, file, body, status=404 if gone else 200, aliases=aliases))
    return recordings
