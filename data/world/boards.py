"""The boards of the invented employers, each in the wire shape of its vendor, faults included."""

from __future__ import annotations

import html
import uuid
from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape

from world.compose import Block, Employer, Row, country_of, stable_number, to_html, to_text
from world.wire import Recording, json_bytes, slug

ROUGH = (
    '<style>.jd{color:#333}</style><script>window.dataLayer=[{"event":"view","label":"a > b"}]</script>'
    '<p title="years > 3" data-hint="latency < 5 ms">Two numbers matter here: pumps > 3, minutes < 5.</p>'
    "<table><tr><th>Tool</th><th>Use</th></tr><tr><td>Terraform</td><td>daily</td></tr>"
    "<tr><td>Kubernetes</td><td>daily</td></tr></table>"
)


def native_id(row: Row, kind: str) -> str:
    """The id under which the vendor knows the posting."""
    match kind:
        case "lever" | "ashby":
            return row.native_id
        case "smartrecruiters":
            return f"744{row.number % 10**9:012d}"[:15]
        case "recruitee" | "personio":
            return str(1_000_000 + row.number % 1_900_000)
        case "workable":
            return uuid.UUID(row.native_id).hex[:10].upper()
        case "teamtailor":
            return str(6_000_000 + row.number % 900_000)
        case "workday":
            return f"R-{10_000 + row.number % 80_000}"
        case _:
            return str(row.number)


def listing_url(employer: Employer, row: Row) -> str:
    """The public address of the posting, as the board gives it."""
    token, number = employer.token, native_id(row, employer.kind)
    match employer.kind:
        case "greenhouse":
            site = str(employer.words.get("site", f"https://job-boards.greenhouse.io/{token}/jobs/{{id}}"))
            return site.format(id=number)
        case "lever":
            return f"https://jobs.lever.co/{token}/{number}"
        case "ashby":
            return f"https://jobs.ashbyhq.com/{token}/{number}"
        case "smartrecruiters":
            return f"https://jobs.smartrecruiters.com/{token}/{number}-{slug(row.title)}"
        case "recruitee":
            return f"https://{token}.recruitee.com/o/{slug(row.title)}"
        case "personio":
            return f"https://{token}.jobs.personio.de/job/{number}"
        case "workable":
            return f"https://apply.workable.com/j/{number}"
        case "teamtailor":
            return f"https://{token}.teamtailor.com/jobs/{number}-{slug(row.title)}"
        case _:
            host, _, site = token.split("/")
            return f"https://{host}/en-US/{site}{_workday_path(row)}"


def _has_text(row: Row) -> bool:
    return "page" not in row.marks and row.marks.get("wire") != "no_text"


def _body_html(row: Row) -> str:
    """The description as this board would hold it."""
    if not _has_text(row):
        return ""
    match row.marks.get("wire"):
        case "rough_html":
            return ROUGH + row.html()
        case "short":
            return "<p>Join us.</p>"
        case "surrogate":
            return row.html() + "<p>Field trips included \ud83c</p>"
        case "odd_unicode":
            odd = "Ef\ufb01cient \ufb02ows\u200b, na\u0308ive\u00a0tests, \u202eevil\u202c"
            odd += " and a \U0001f9ea in\u00adside\ufeff."
            return f"<p>{odd}</p>" + row.html()
        case _:
            return row.html()


def _stamp(row: Row) -> str:
    return row.published.strftime("%Y-%m-%dT%H:%M:%S")


# Greenhouse


def _greenhouse_job(employer: Employer, row: Row) -> dict[str, Any]:
    body = html.escape(_body_html(row))
    if row.marks.get("wire") == "twice_escaped":
        body = html.escape(body)
    offices: list[dict[str, Any]] = [
        {
            "id": stable_number(city) % 100_000,
            "name": city,
            "location": f"{city}, {country_of(city)[0]}",
            "child_ids": [],
            "parent_id": None,
        }
        for city in row.cities
    ]
    requisition = row.marks.get("req", f"{employer.token[:2].upper()}-{row.number % 9000}")
    title = f" {row.title}\u00a0 " if row.marks.get("wire") == "loose_title" else row.title
    return {
        "absolute_url": listing_url(employer, row),
        "data_compliance": [{"type": "gdpr", "requires_consent": False, "retention_period": None}],
        "internal_job_id": stable_number(requisition) % 10_000_000,
        "location": {"name": row.place},
        "metadata": [
            {
                "id": 70_112,
                "name": "Contract",
                "value": "Intern" if row.level == "intern" else "Permanent",
                "value_type": "single_select",
            }
        ],
        "id": row.number,
        "updated_at": f"{_stamp(row)}-04:00",
        "requisition_id": requisition,
        "title": title,
        "company_name": employer.name,
        "first_published": f"{_stamp(row)}-04:00",
        "language": row.language,
        "application_deadline": None,
        "content": body,
        "departments": [
            {"id": stable_number(row.role) % 100_000, "name": _department(row), "child_ids": [], "parent_id": None}
        ],
        "offices": offices,
    }


def _department(row: Row) -> str:
    return {
        "data_engineer": "Data",
        "analytics_engineer": "Data",
        "data_analyst": "Data",
        "data_scientist": "Data",
        "bi_developer": "Data",
        "data_governance": "Data",
        "ml_engineer": "Machine Learning",
        "mlops": "Machine Learning",
        "product_manager": "Product",
        "sales": "Sales",
        "marketing": "Marketing",
        "lawyer": "Legal",
        "accountant": "Finance",
        "recruiter": "People",
        "support": "Customer Care",
        "nurse": "Health",
        "warehouse_worker": "Operations",
    }.get(row.role, "Engineering")


def _greenhouse(employer: Employer) -> list[Recording]:
    jobs: list[Any] = []
    for row in employer.rows:
        wire = row.marks.get("wire")
        if wire == "repeat_of_first":
            again = dict(jobs[0])
            again["absolute_url"] += "?gh_src=autumn26"
            jobs.append(again)
        elif wire == "not_an_object":
            jobs.append(row.title)
        else:
            job = _greenhouse_job(employer, row)
            if wire == "missing_id":
                del job["id"], job["absolute_url"]
            jobs.append(job)
    url = f"https://boards-api.greenhouse.io/v1/boards/{employer.token}/jobs?content=true"
    return [
        Recording(url, f"greenhouse/{employer.token}.json", json_bytes({"jobs": jobs, "meta": {"total": len(jobs)}}))
    ]


# Lever

INTERVALS = {"year": "per-year-salary", "month": "per-month-salary", "hour": "per-hour-wage"}


def _lever_posting(employer: Employer, row: Row) -> dict[str, Any]:
    opening, lists, additional = _in_sections(row.blocks if _has_text(row) else ())
    url = listing_url(employer, row)
    place = row.place
    country = country_of(row.cities[0])[1] if row.cities else None
    mode = row.marks.get("field_mode", {"on_site": "onsite", "-": "unspecified"}.get(row.mode, row.mode))
    opening_html, additional_html = to_html(opening, "b"), to_html(additional, "b")
    if row.marks.get("wire") == "surrogate":
        additional_html += "<p>Field trips included \ud83c</p>"
    posting: dict[str, Any] = {
        "additionalPlain": to_text(additional),
        "additional": additional_html,
        "categories": {
            "commitment": "Internship" if row.level == "intern" else "Full-time",
            "department": _department(row),
            "location": place,
            "team": row.marks.get("team", _department(row)),
            "allLocations": [place, *(f"{c}, {country_of(c)[0]}" for c in row.cities[1:])],
        },
        "createdAt": int(row.published.timestamp() * 1000),
        "descriptionPlain": to_text(opening),
        "description": opening_html,
        "id": row.native_id,
        "lists": lists,
        "text": row.title,
        "country": country,
        "workplaceType": mode,
        "opening": "",
        "openingPlain": "",
        "descriptionBody": opening_html,
        "descriptionBodyPlain": to_text(opening),
        "hostedUrl": url,
        "applyUrl": f"{url}/apply",
    }
    if row.marks.get("wire") == "no_lists":
        del posting["lists"]
        posting["description"] = "<div>" + row.text().replace("\n\n", "<br><br>").replace("\n", "<br>") + "</div>"
        posting["descriptionPlain"] = row.text()
        posting["additional"] = posting["additionalPlain"] = ""
    if paid := row.paid():
        currency, low, high, period = paid
        posting["salaryRange"] = {"min": low, "max": high, "currency": currency, "interval": INTERVALS[period]}
        posting["salaryDescription"] = "<div>The range depends on experience and contract.</div>"
        posting["salaryDescriptionPlain"] = "The range depends on experience and contract."
    if row.marks.get("wire") == "missing_id":
        for key in ("id", "hostedUrl", "applyUrl"):
            del posting[key]
    return posting


def _in_sections(blocks: tuple[Block, ...]) -> tuple[tuple[Block, ...], list[dict[str, str]], tuple[Block, ...]]:
    """Lever keeps a posting as an opening, headed lists, and what follows them."""
    opening: list[Block] = []
    lists: list[dict[str, str]] = []
    additional: list[Block] = []
    heading = ""
    for kind, content in blocks:
        if isinstance(content, list):
            items = "".join(f"<li>{html.escape(item, quote=False)}</li>" for item in content)
            lists.append({"text": heading, "content": items})
        elif kind == "h":
            heading = content
        else:
            (additional if lists else opening).append((kind, content))
    return tuple(opening), lists, tuple(additional)


def _lever(employer: Employer) -> list[Recording]:
    postings = [_lever_posting(employer, row) for row in employer.rows]
    url = f"https://api.lever.co/v0/postings/{employer.token}?mode=json"
    body = json_bytes(postings)
    return [Recording(url, f"lever/{employer.token}.json", body, content_type="application/json; charset=utf-8")]


# Ashby


def _ashby_compensation(row: Row) -> dict[str, Any]:
    components: list[dict[str, Any]] = []
    summary = None
    if paid := row.paid():
        currency, low, high, period = paid
        summary = f"{currency} {low / 1000:g}K – {high / 1000:g}K"
        components.append(
            {
                "id": str(uuid.uuid5(uuid.UUID(row.native_id), "salary")),
                "summary": summary,
                "compensationType": "Salary",
                "interval": f"1 {period.upper()}",
                "currencyCode": currency,
                "minValue": low,
                "maxValue": high,
            }
        )
    if "P23" in row.cases:
        components.append(
            {
                "id": str(uuid.uuid5(uuid.UUID(row.native_id), "equity")),
                "summary": "Offers Equity",
                "compensationType": "EquityPercentage",
                "interval": "NONE",
                "currencyCode": None,
                "minValue": None,
                "maxValue": None,
            }
        )
    if "P22" in row.cases:
        components.append(
            {
                "id": str(uuid.uuid5(uuid.UUID(row.native_id), "commission")),
                "summary": "Offers Commission",
                "compensationType": "Commission",
                "interval": "1 YEAR",
                "currencyCode": "USD",
                "minValue": 30000,
                "maxValue": 45000,
            }
        )
    parts = [str(component["summary"]) for component in components]
    tiers = []
    if components:
        tiers = [
            {
                "id": str(uuid.uuid5(uuid.UUID(row.native_id), "tier")),
                "tierSummary": " • ".join(parts),
                "title": None,
                "additionalInformation": None,
                "components": components,
            }
        ]
    return {
        "compensationTierSummary": " • ".join(parts) or None,
        "scrapeableCompensationSalarySummary": summary.replace("–", "-") if summary else None,
        "compensationTiers": tiers,
        "summaryComponents": [{k: v for k, v in c.items() if k not in ("id", "summary")} for c in components],
    }


def _postal(city: str) -> dict[str, Any]:
    country, _, region = country_of(city)
    address = {"addressRegion": region, "addressCountry": country, "addressLocality": city}
    return {"postalAddress": {key: value for key, value in address.items() if value and value != country}} | (
        {"postalAddress": {"addressCountry": country}} if not region else {}
    )


def _ashby_job(employer: Employer, row: Row) -> dict[str, Any]:
    flags: dict[str, tuple[bool | None, str | None]] = {
        "remote": (True, "Remote"),
        "hybrid": (False, "Hybrid"),
        "on_site": (False, "OnSite"),
        "remote_and_hybrid": (True, "Hybrid"),
        "null": (None, None),
    }
    is_remote, workplace = flags[row.marks.get("field_mode", row.mode)]
    url = listing_url(employer, row)
    body = _body_html(row)
    first = row.cities[0] if row.cities else None
    others = row.cities[1:]
    job: dict[str, Any] = {
        "id": row.native_id,
        "title": row.title,
        "department": _department(row),
        "team": row.marks.get("team", _department(row)),
        "employmentType": "FullTime",
        "location": row.place,
        "shouldDisplayCompensationOnJobPostings": row.paid() is not None,
        "secondaryLocations": [{"location": city, "address": _postal(city)} for city in others],
        "publishedAt": f"{_stamp(row)}.000+00:00",
        "isListed": row.marks.get("wire") != "unlisted",
        "isRemote": is_remote,
        "workplaceType": workplace,
        "address": _postal(first) if first else None,
        "jobUrl": url,
        "applyUrl": f"{url}/application",
        "descriptionHtml": body,
        "descriptionPlain": row.text() if body else "",
        "compensation": _ashby_compensation(row),
    }
    if row.marks.get("wire") == "missing_title":
        del job["title"]
    return job


def _ashby(employer: Employer) -> list[Recording]:
    jobs = [_ashby_job(employer, row) for row in employer.rows]
    base = f"https://api.ashbyhq.com/posting-api/job-board/{employer.token}"
    body = json_bytes({"jobs": jobs, "apiVersion": "1"})
    return [Recording(f"{base}?includeCompensation=true", f"ashby/{employer.token}.json", body)]


# Workday

COUNTRY_IDS = {"DE": "dcc5b7608d8644b3a93716604e78e995", "US": "bc33aa3152ec42d4995f4791a106ed09"}


def _workday_path(row: Row) -> str:
    place = row.place.replace(", ", "-").replace(" - ", "-").replace(" ", "-")
    title = "".join(char if char.isalnum() else "-" for char in row.title)
    ascii_place = slug(place).title()
    return f"/job/{ascii_place}/{title}_{native_id(row, 'workday')}"


def _posted_on(row: Row) -> str:
    if row.marks.get("wire") == "thirty_plus":
        return "Posted 30+ Days Ago"
    days = 1 + row.number % 28
    return "Posted Yesterday" if days == 1 else f"Posted {days} Days Ago"


def _workday_also(row: Row) -> list[str]:
    return [place.replace("_", " ") for place in row.marks.get("also", "").split(";") if place]


def _workday(employer: Employer) -> list[Recording]:
    host, tenant, site = employer.token.split("/")
    base = f"https://{host}/wday/cxs/{tenant}/{site}"
    recordings = []
    for offset in range(0, len(employer.rows), 20):
        page = employer.rows[offset : offset + 20]
        listed = {
            # Later pages of real tenants say 0 here.
            "total": len(employer.rows) if offset == 0 else 0,
            "jobPostings": [_workday_row(row) for row in page],
            "facets": [],
            "userAuthenticated": False,
        }
        file = f"workday/{tenant}/list-{offset}.json"
        recordings.append(
            Recording(f"{base}/jobs", file, json_bytes(listed), method="POST", body_match={"offset": offset})
        )
    empty = {"total": 0, "jobPostings": [], "facets": [], "userAuthenticated": False}
    beyond = -(-len(employer.rows) // 20) * 20
    recordings.append(
        Recording(
            f"{base}/jobs",
            f"workday/{tenant}/list-{beyond}.json",
            json_bytes(empty),
            method="POST",
            body_match={"offset": beyond},
        )
    )
    for row in employer.rows:
        url = f"{base}{_workday_path(row)}"
        file = f"workday/{tenant}/{native_id(row, 'workday')}.json"
        if row.marks.get("wire") == "no_detail":
            fault = {"errorCode": "HTTP_500", "httpStatus": 500, "message": "Unexpected fault"}
            recordings.append(Recording(url, file, json_bytes(fault), status=500))
        else:
            recordings.append(Recording(url, file, json_bytes(_workday_detail(employer, row))))
    return recordings


def _workday_row(row: Row) -> dict[str, Any]:
    also = _workday_also(row)
    listed = {
        "title": row.title,
        "externalPath": _workday_path(row),
        "locationsText": f"{1 + len(also)} Locations" if also else row.place,
        "postedOn": _posted_on(row),
        "bulletFields": [native_id(row, "workday")],
    }
    mode = row.marks.get("field_mode", row.mode)
    if mode != "-":
        listed["remoteType"] = {"on_site": "Onsite", "hybrid": "Hybrid", "remote": "Remote"}[mode]
    return listed


def _workday_detail(employer: Employer, row: Row) -> dict[str, Any]:
    _, _, site = employer.token.split("/")
    country, code, _ = country_of(row.cities[0])
    withdrawn = row.marks.get("wire") == "withdrawn"
    identity = native_id(row, "workday")
    land = {"descriptor": country, "id": COUNTRY_IDS.get(code, uuid.uuid5(uuid.NAMESPACE_URL, code).hex)}
    info: dict[str, Any] = {
        "id": uuid.UUID(row.native_id).hex,
        "title": row.title,
        "jobDescription": row.html(),
        "location": row.place,
        "postedOn": _posted_on(row),
        "startDate": row.published.date().isoformat(),
        "timeType": "Full time",
        "jobReqId": identity,
        "jobPostingId": _workday_path(row).rsplit("/", 1)[1],
        "jobPostingSiteId": site,
        "country": land,
        "canApply": not withdrawn,
        "posted": not withdrawn,
        "includeResumeParsing": True,
        "jobRequisitionLocation": {"descriptor": row.place, "country": {**land, "alpha2Code": code}},
        "externalUrl": listing_url(employer, row).replace("/en-US", ""),
    }
    if also := _workday_also(row):
        info["additionalLocations"] = also
    mode = row.marks.get("field_mode", row.mode)
    if mode != "-":
        info["remoteType"] = {"on_site": "Onsite", "hybrid": "Hybrid", "remote": "Remote"}[mode]
    return {
        "jobPostingInfo": info,
        "hiringOrganization": {"name": employer.name, "url": ""},
        "similarJobs": [],
        "userAuthenticated": False,
    }


# SmartRecruiters


def _smart_row(employer: Employer, row: Row) -> dict[str, Any]:
    identity = native_id(row, "smartrecruiters")
    country, code, region = country_of(row.cities[0])
    department = _department(row)
    language = {"en": ("English", "English"), "de": ("German", "Deutsch"), "es": ("Spanish", "Español")}
    label, native = language[row.language]
    return {
        "id": identity,
        "name": row.title,
        "uuid": row.native_id,
        "jobAdId": str(uuid.uuid5(uuid.UUID(row.native_id), "ad")),
        "defaultJobAd": True,
        "refNumber": f"REF{row.number % 9000}K",
        "company": {"identifier": employer.token, "name": employer.name},
        "releasedDate": f"{_stamp(row)}.000Z",
        "location": {
            "city": row.cities[0],
            "region": region,
            "country": code.lower(),
            "remote": row.mode == "remote",
            "hybrid": row.mode == "hybrid",
            "fullLocation": f"{row.cities[0]}, {region}, {country}",
        },
        "industry": {"id": "retail", "label": "Retail"},
        "department": {"id": str(stable_number(department) % 100_000), "label": department},
        "function": {"id": slug(department).replace("-", "_"), "label": department},
        "typeOfEmployment": {"id": "permanent", "label": "Full-time"},
        "experienceLevel": {"id": "mid_senior_level", "label": "Mid-Senior Level"},
        "customField": [],
        "visibility": "PUBLIC",
        "ref": f"https://api.smartrecruiters.com/v1/companies/{employer.token}/postings/{identity}",
        "language": {"code": row.language, "label": label, "labelNative": native},
    }


def _smart_detail(employer: Employer, row: Row) -> dict[str, Any]:
    company: list[Block] = []
    job: list[Block] = []
    needs: list[Block] = []
    other: list[Block] = []
    sections = (company, job, needs, other)
    at = 0
    for block in row.blocks:
        # Headings move the text on: company, tasks, requirements (with extras), and the rest.
        if block[0] == "h":
            at += 1
        sections[min(max(at - 1, 0) if at < 4 else at - 2, 3)].append(block)
    url = listing_url(employer, row)
    detail = _smart_row(employer, row)
    detail.pop("ref")
    short = row.marks.get("wire") == "short"
    detail |= {
        "jobId": str(uuid.uuid5(uuid.UUID(row.native_id), "job")),
        "postingUrl": url,
        "applyUrl": f"{url}?oga=true",
        "jobAd": {
            "sections": {
                key: {
                    "title": title,
                    "text": "" if short and key != "jobDescription" else to_html(tuple(part), "strong"),
                }
                for (key, title), part in zip(
                    (
                        ("companyDescription", "Company Description"),
                        ("jobDescription", "Job Description"),
                        ("qualifications", "Qualifications"),
                        ("additionalInformation", "Additional Information"),
                    ),
                    sections,
                    strict=True,
                )
            }
        },
        "active": row.marks.get("wire") != "inactive",
    }
    if short:
        detail["jobAd"]["sections"]["jobDescription"]["text"] = "<p>Join us.</p>"
    if paid := row.paid():
        currency, low, high, period = paid
        detail["compensation"] = {"min": low, "max": high, "currency": currency, "period": period}
    return detail


def _smartrecruiters(employer: Employer) -> list[Recording]:
    base = f"https://api.smartrecruiters.com/v1/companies/{employer.token}/postings"
    listed = {
        "offset": 0,
        "limit": 100,
        "totalFound": len(employer.rows),
        "content": [_smart_row(employer, row) for row in employer.rows],
    }
    folder = f"smartrecruiters/{employer.token}"
    recordings = [
        Recording(f"{base}?limit=100&offset=0", f"{folder}/list-0.json", json_bytes(listed), aliases=(base,)),
    ]
    for row in employer.rows:
        identity = native_id(row, "smartrecruiters")
        detail = json_bytes(_smart_detail(employer, row))
        recordings.append(Recording(f"{base}/{identity}", f"{folder}/{identity}.json", detail))
    return recordings


# Recruitee


def _recruitee_offer(employer: Employer, row: Row) -> dict[str, Any]:
    city = row.cities[0]
    country, code, region = country_of(city)
    paid = row.paid()
    url = listing_url(employer, row)
    split = next((i for i, block in enumerate(row.blocks) if block == ("h", employer.words["heads"][2])), None)
    described, required = (row.blocks[:split], row.blocks[split:]) if split else (row.blocks, ())
    when = row.published.strftime("%Y-%m-%d %H:%M:%S UTC")
    text = _has_text(row)
    rough = ROUGH if row.marks.get("wire") == "rough_html" else ""
    return {
        "id": int(native_id(row, "recruitee")),
        "guid": uuid.UUID(row.native_id).hex[:5],
        "slug": slug(row.title),
        "title": row.title,
        "company_name": employer.name,
        "city": city,
        "state_name": region,
        "country": country,
        "country_code": code,
        "location": f"{city}, {region}, {country}",
        "locations": [
            {
                "id": stable_number(place) % 100_000,
                "name": place,
                "city": place,
                "state": country_of(place)[2],
                "country": country_of(place)[0],
                "country_code": country_of(place)[1],
                "postal_code": None,
                "street": None,
                "note": None,
            }
            for place in row.cities
        ],
        "remote": row.mode == "remote",
        "hybrid": row.mode == "hybrid",
        "on_site": row.mode == "on_site",
        "status": "published",
        "careers_url": url,
        "careers_apply_url": f"{url}/c/new",
        "published_at": when,
        "created_at": when,
        "updated_at": when,
        "close_at": None,
        "salary": {
            "min": str(paid[1]) if paid else None,
            "max": str(paid[2]) if paid else None,
            "period": paid[3] if paid else None,
            "currency": paid[0] if paid else None,
        },
        "description": rough + to_html(described) if text else "",
        "requirements": to_html(required) if text else "",
        "department": _department(row),
        "category_code": "information_technology",
        "employment_type_code": "fulltime_permanent",
        "experience_code": "mid_level",
        "min_hours": 32,
        "max_hours": 40,
        "tags": [],
    }


def _recruitee(employer: Employer) -> list[Recording]:
    offers = [_recruitee_offer(employer, row) for row in employer.rows]
    base = f"https://{employer.token}.recruitee.com/api/offers"
    body = json_bytes({"offers": offers})
    return [Recording(f"{base}/", f"recruitee/{employer.token}.json", body, aliases=(base,))]


# Personio


def _personio_position(employer: Employer, row: Row) -> str:
    descriptions = []
    heading = "About"
    part: list[Block] = []
    if _has_text(row):
        for block in (*row.blocks, ("h", "")):
            if block[0] == "h" and isinstance(block[1], str):
                if part:
                    descriptions.append(
                        f"      <jobDescription>\n        <name>{escape(heading)}</name>\n"
                        f"        <value><![CDATA[{to_html(tuple(part))}]]></value>\n      </jobDescription>\n"
                    )
                heading, part = block[1], []
            else:
                part.append(block)
    offices = "".join(f"      <office>{escape(city)}</office>\n" for city in row.cities[1:])
    additional = f"    <additionalOffices>\n{offices}    </additionalOffices>\n" if offices else ""
    seniority = {"senior": "experienced", "junior": "entry-level"}.get(row.level, "experienced")
    return (
        "  <position>\n"
        f"    <id>{native_id(row, 'personio')}</id>\n"
        f"    <subcompany>{escape(employer.name)}</subcompany>\n"
        f"    <office>{escape(row.place)}</office>\n"
        f"{additional}"
        f"    <department>{_department(row)}</department>\n"
        f"    <recruitingCategory>{_department(row)}</recruitingCategory>\n"
        f"    <name>{escape(row.title)}</name>\n"
        f"    <jobDescriptions>\n{''.join(descriptions)}    </jobDescriptions>\n"
        "    <employmentType>permanent</employmentType>\n"
        f"    <seniority>{seniority}</seniority>\n"
        "    <schedule>full-time</schedule>\n"
        "    <yearsOfExperience>2-5</yearsOfExperience>\n"
        "    <occupation>software_and_web_development</occupation>\n"
        "    <occupationCategory>it_software</occupationCategory>\n"
        f"    <createdAt>{_stamp(row)}+02:00</createdAt>\n"
        "  </position>\n"
    )


def _personio(employer: Employer) -> list[Recording]:
    positions: list[str] = []
    for row in employer.rows:
        repeated = row.marks.get("wire") == "repeat_of_first"
        positions.append(positions[0] if repeated else _personio_position(employer, row))
    body = f'<?xml version="1.0" encoding="UTF-8"?>\n<workzag-jobs>\n{"".join(positions)}</workzag-jobs>\n'
    base = f"https://{employer.token}.jobs.personio.de/xml"
    return [
        Recording(
            base,
            f"personio/{employer.token}.xml",
            body.encode(),
            content_type="text/xml; charset=UTF-8",
            aliases=(f"{base}?language=en",),
        )
    ]


# Workable


def _workable_job(employer: Employer, row: Row) -> dict[str, Any]:
    identity = native_id(row, "workable")
    url = listing_url(employer, row)
    country, code, region = country_of(row.cities[0])
    day = row.published.date().isoformat()
    job: dict[str, Any] = {
        "title": row.title,
        "shortcode": identity,
        "code": "",
        "employment_type": "Full-time",
        "telecommuting": row.mode == "remote",
        "department": _department(row),
        "url": url,
        "shortlink": url,
        "application_url": f"{url}/apply",
        "published_on": day,
        "created_at": day,
        "country": country,
        "city": row.cities[0],
        "state": region,
        "education": "",
        "experience": "Mid-Senior level",
        "function": _department(row),
        "industry": "Computer Software",
        "locations": [
            {"country": country, "countryCode": code, "city": row.cities[0], "region": region, "hidden": False}
        ],
    }
    if _has_text(row):
        job["description"] = row.html()
    return job


def _workable(employer: Employer) -> list[Recording]:
    jobs = [_workable_job(employer, row) for row in employer.rows]
    base = f"https://apply.workable.com/api/v1/widget/accounts/{employer.token}"
    about = f"<p>{' '.join(employer.words['about'])}</p>"
    body = json_bytes({"name": employer.name, "description": about, "jobs": jobs})
    return [Recording(f"{base}?details=true", f"workable/{employer.token}.json", body)]


# Teamtailor


def _teamtailor_item(employer: Employer, row: Row) -> dict[str, Any]:
    number = int(native_id(row, "teamtailor"))
    when = f"{_stamp(row)}+02:00"
    return {
        "id": row.native_id,
        "title": row.title,
        "url": listing_url(employer, row),
        "date_published": when,
        "_jobposting": {
            "@context": "http://schema.org/",
            "@type": "JobPosting",
            "title": row.title,
            "identifier": {"@type": "PropertyValue", "name": employer.name, "value": number},
            "datePosted": when,
            "jobLocation": [
                {
                    "@type": "Place",
                    "address": {
                        "@type": "PostalAddress",
                        "addressLocality": city,
                        "addressCountry": country_of(city)[1],
                        "addressRegion": country_of(city)[2],
                    },
                }
                for city in row.cities
            ],
        },
    }


def _teamtailor(employer: Employer) -> list[Recording]:
    base = f"https://{employer.token}.teamtailor.com/jobs"
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": employer.name,
        "home_page_url": base,
        "feed_url": f"{base}.json",
        "items": [_teamtailor_item(employer, row) for row in employer.rows],
    }
    return [Recording(f"{base}.json", f"teamtailor/{employer.token}.json", json_bytes(feed))]


VENDORS: dict[str, Callable[[Employer], list[Recording]]] = {
    "greenhouse": _greenhouse,
    "lever": _lever,
    "ashby": _ashby,
    "workday": _workday,
    "smartrecruiters": _smartrecruiters,
    "recruitee": _recruitee,
    "personio": _personio,
    "workable": _workable,
    "teamtailor": _teamtailor,
}


def board(employer: Employer) -> list[Recording]:
    """Everything the employer's board answers."""
    return VENDORS[employer.kind](employer)
