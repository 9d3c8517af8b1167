"""Which posting an address names: the applicant system's own id where it can be read, else the canonical address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from jobctrl.postings.address import canonical_url, clean
from jobctrl.postings.model import IdentityReading
from jobctrl.postings.naming import employer_key, title_key

__all__ = ["board_of", "canonical_url", "employer_key", "read_identity", "title_key"]

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_LOCALE = r"(?:/[a-z]{2}(?:[-_][A-Za-z]{2,4})?)?"


class _System:
    """How one system writes its addresses: paths with an `id` (and `tenant`) group, query names that hold the id."""

    def __init__(
        self, ats: str, *paths: str, query: str = "", host: str = "", tenant: str = "", upper: bool = False
    ) -> None:
        self.ats = ats
        self.host = re.compile(host) if host else None
        self.paths = tuple(re.compile(path, re.IGNORECASE) for path in paths)
        names, _, form = query.partition("=")
        self.names = tuple(names.split("|")) if names else ()
        self.form = re.compile(f"(?:{form})\\Z", re.IGNORECASE)
        self.tenant = tenant
        """`path` and `host` scope an id to its tenant; empty where the system numbers all its postings together."""
        self.upper = upper

    def read(self, host: str, path: str, fields: Mapping[str, str]) -> tuple[str, str] | None:
        """Tenant and native id, or None when the address names no posting of this system."""
        in_host = None
        if self.host and not (in_host := self.host.match(host)):
            return None
        if fields:
            for name in self.names:
                value = fields.get(name)
                if value and self.form.match(value):
                    return self._scoped(value, in_host, None)
        for pattern in self.paths:
            found = pattern.match(path)
            if found:
                return self._scoped(found["id"], in_host, found)
        return None

    def _scoped(
        self, native: str, in_host: re.Match[str] | None, in_path: re.Match[str] | None
    ) -> tuple[str, str] | None:
        native = native.upper() if self.upper else native
        if not self.tenant:
            return "", native
        source = in_path if self.tenant == "path" else in_host
        return (source["tenant"].lower(), native) if source else None


_GREENHOUSE_HOST = r"(?:job-)?boards(?:-api)?(?:\.eu)?\.greenhouse\.io|(?:boards-)?api(?:\.eu)?\.greenhouse\.io"
_SYSTEMS: dict[str, tuple[_System, ...]] = {
    "greenhouse.io": (
        _System(
            "greenhouse",
            r"/(?:v1/boards/)?[^/]+/jobs/(?P<id>\d+)(?:/|\Z)",
            query=r"gh_jid|token=\d+",
            host=_GREENHOUSE_HOST,
        ),
    ),
    "lever.co": (
        _System(
            "lever",
            rf"/(?:v0/postings/|v1/postings/)?[^/]+/(?P<id>{_UUID})(?:/|\Z)",
            host=r"(?:jobs|api)(?:\.eu)?\.lever\.co",
        ),
    ),
    "ashbyhq.com": (
        _System(
            "ashby",
            rf"/(?:posting-api/job-board/)?[^/]+/(?:job/|jobs/|posting/)?(?P<id>{_UUID})(?:/|\Z)",
            query=rf"ashby_jid|jobPostingId={_UUID}",
        ),
    ),
    "smartrecruiters.com": (
        _System(
            "smartrecruiters",
            r"/(?:v1/companies/|ni/)?[^/]+/(?:postings/)?(?P<id>\d{9,})(?:-|/|\Z)",
            rf"/(?:v1/companies/|ni/)?[^/]+/(?:postings/)?(?P<id>{_UUID})(?:-|/|\Z)",
            rf"/oneclick-ui/company/[^/]+/(?:publication|job)/(?P<id>{_UUID}|\d+)(?:/|\Z)",
        ),
    ),
    "workable.com": (
        _System(
            "workable", r"/view/(?P<id>[A-Za-z0-9]+)(?:/|\Z)", host=r"(?P<tenant>jobs)\.workable\.com", tenant="host"
        ),
        _System(
            "workable",
            r"/(?:[^/]+/)?j/(?P<id>[0-9A-F]{8,12})(?:/|\Z)",
            r"/api/v\d/accounts/[^/]+/jobs/(?P<id>[0-9A-F]{8,12})(?:/|\Z)",
            upper=True,
        ),
        _System(
            "workable",
            r"/jobs/(?P<id>\d+)(?:/|\Z)",
            host=r"(?P<tenant>(?!www\.|apply\.)[\w-]+)\.workable\.com",
            tenant="host",
        ),
    ),
    "recruitee.com": (
        _System(
            "recruitee",
            rf"(?:/l)?{_LOCALE}/(?:o|api/offers)/(?P<id>[^/]+)(?:/|\Z)",
            host=r"(?P<tenant>[\w-]+)\.recruitee\.com",
            tenant="host",
        ),
    ),
    "teamtailor.com": (
        _System(
            "teamtailor",
            rf"{_LOCALE}/jobs/(?P<id>\d+)(?:-|/|\Z)",
            host=r"(?P<tenant>[\w-]+(?:\.[a-z]{2})?)\.teamtailor\.com",
            tenant="host",
        ),
    ),
    "icims.com": (
        _System("icims", r"/jobs/(?P<id>\d+)(?:/|\Z)", host=r"(?P<tenant>[\w.-]+)\.icims\.com", tenant="host"),
    ),
    "jobvite.com": (
        _System("jobvite", r"/(?:[a-z]{2}/)?[^/]+/jobs?/(?P<id>o[A-Za-z0-9]+)(?:/|\Z)", query=r"j|jvi=o[A-Za-z0-9]+"),
    ),
    "bamboohr.com": (
        _System(
            "bamboohr",
            r"/(?:careers|jobs)/(?P<id>\d+)(?:/|\Z)",
            query=r"id=\d+",
            host=r"(?P<tenant>[\w-]+)\.bamboohr\.com",
            tenant="host",
        ),
    ),
    "breezy.hr": (
        _System("breezy", r"/p/(?P<id>[0-9a-f]{8,})(?:-|/|\Z)", host=r"(?P<tenant>[\w-]+)\.breezy\.hr", tenant="host"),
    ),
    "applytojob.com": (
        _System(
            "jazzhr",
            r"/apply/(?:jobs/details/)?(?P<id>[A-Za-z0-9]{8,})(?:/|\Z)",
            host=r"(?P<tenant>[\w-]+)\.applytojob\.com",
            tenant="host",
        ),
    ),
    "rippling.com": (
        _System("rippling", rf"{_LOCALE}/[^/]+/jobs/(?P<id>{_UUID})(?:/|\Z)", host=r"ats(?:\.\w+)?\.rippling\.com"),
    ),
    "pinpointhq.com": (
        _System(
            "pinpoint",
            rf"{_LOCALE}/(?:jobs|postings)/(?P<id>{_UUID}|\d+)(?:/|\Z)",
            host=r"(?P<tenant>[\w-]+)\.pinpointhq\.com",
            tenant="host",
        ),
    ),
    "paylocity.com": (_System("paylocity", r"/Recruiting/Jobs/(?:Details|Apply)/(?P<id>\d+)(?:/|\Z)"),),
    "ultipro.com": (_System("ultipro", query=rf"opportunityId={_UUID}"),),
    "taleo.net": (_System("taleo", query=r"job=[\w-]+", host=r"(?P<tenant>[\w-]+)\.taleo\.net", tenant="host"),),
    "oraclecloud.com": (
        _System(
            "oracle",
            r"/hcmUI/CandidateExperience/[^/]+/sites/[^/]+/(?:requisitions/preview|job)/(?P<id>\d+)(?:/|\Z)",
            host=r"(?P<tenant>[\w.-]+)\.oraclecloud\.com",
            tenant="host",
        ),
    ),
    "eightfold.ai": (
        _System(
            "eightfold",
            r"/careers/job/(?P<id>\d+)(?:-|/|\Z)",
            query=r"pid=\d+",
            host=r"(?P<tenant>[\w-]+)\.eightfold\.ai",
            tenant="host",
        ),
    ),
    "linkedin.com": (
        _System("linkedin", r"/jobs/view/(?:[^/]*-)?(?P<id>\d{6,})(?:/|\Z)", query=r"currentJobId=\d{6,}"),
        _System("linkedin", r"/jobs-guest/jobs/api/jobPosting/(?P<id>\d{6,})(?:/|\Z)"),
    ),
    "indeed.com": (_System("indeed", query=r"jk|vjk=[0-9a-f]{8,}"),),
    "stepstone.de": (_System("stepstone", r"/.*--(?P<id>\d{5,})-inline\.html\Z", r"/.*-(?P<id>\d{6,})\.html\Z"),),
    "xing.com": (_System("xing", r"/jobs/(?:[^/]*-)?(?P<id>\d{5,})(?:/|\Z)"),),
    "dice.com": (_System("dice", rf"/job-detail/(?P<id>{_UUID})(?:/|\Z)"),),
    "wellfound.com": (_System("wellfound", r"/jobs/(?P<id>\d+)(?:-|/|\Z)"),),
    "ycombinator.com": (
        _System("ycombinator", r"/companies/[^/]+/jobs/(?P<id>[A-Za-z0-9]+)(?:-|/|\Z)"),
        _System("hackernews", query=r"id=\d+", host=r"news\.ycombinator\.com"),
    ),
    "usajobs.gov": (_System("usajobs", r"/(?:GetJob/ViewDetails|job)/(?P<id>\d+)(?:/|\Z)"),),
    "join.com": (_System("join", r"/companies/[^/]+/(?P<id>\d+)(?:-|/|\Z)"),),
    "gem.com": (_System("gem", r"/[^/]+/(?P<id>[\w-]{8,})(?:/|\Z)", host=r"jobs\.gem\.com"),),
}
_COUNTRY_SITES = (
    (re.compile(r"(?:[\w-]+\.)*indeed\.[a-z.]{2,6}\Z"), _SYSTEMS["indeed.com"]),
    (
        re.compile(r"(?:[\w-]+\.)*glassdoor\.[a-z.]{2,6}\Z"),
        (_System("glassdoor", r"/.*JL(?P<id>\d{6,})", query=r"jl|jobListingId=\d{6,}"),),
    ),
    (re.compile(r"(?:[\w-]+\.)*stepstone\.[a-z.]{2,5}\Z"), _SYSTEMS["stepstone.de"]),
    (
        re.compile(r"(?P<tenant>[\w-]+)\.jobs\.personio\.(?:de|com)\Z"),
        (
            _System(
                "personio",
                rf"{_LOCALE}/job/(?P<id>\d+)(?:/|\Z)",
                host=r"(?P<tenant>[\w-]+)\.jobs\.personio\.(?:de|com)\Z",
                tenant="host",
            ),
        ),
    ),
)
# A company's own page that shows one posting of an applicant system says so in its query.
_EMBEDDED = (
    ("gh_jid", "greenhouse", re.compile(r"\d+\Z")),
    ("ashby_jid", "ashby", re.compile(rf"{_UUID}\Z", re.IGNORECASE)),
)
_WORKDAY_HOST = re.compile(r"(?P<tenant>[\w-]+)\.(?P<shard>wd\d+)\.myworkdayjobs(?:-impl)?\.com\Z")
_WORKDAY_SITE_HOST = re.compile(r"(?:(?P<tenant>[\w-]+)\.)?(?P<shard>wd\d+)\.myworkdaysite\.com\Z")
_WORKDAY_JOB = re.compile(r"(?:job|details)/(?:[^/]+/)*?[^/]*_(?P<id>[A-Za-z]*[-_]?\d[\w.-]*)(?:/apply(?:/.*)?)?\Z")
_LOCALE_SEGMENT = re.compile(r"[a-z]{2}(?:-[A-Za-z]{2,4})?\Z")


def read_identity(url: str) -> IdentityReading:
    """The identity of the posting at *url*. Two addresses of one posting agree on `key`; no key for what names none."""
    canonical, dropped = clean(url)
    try:
        parts = urlsplit(canonical)
        host = parts.hostname
    except ValueError:
        return IdentityReading(None)
    if not host or parts.scheme not in ("http", "https"):
        return IdentityReading(None)
    fields = dict(parse_qsl(parts.query)) if parts.query else {}
    found = _workday(host, parts.path) or _by_system(host, parts.path, fields) or (fields and _embedded(fields))
    if found:
        ats, tenant, native = found
        return IdentityReading(f"{ats}:{tenant}:{native.strip()}", ats, native, canonical, dropped)
    # The scheme is not part of what a page shows; an address that never left http has no second posting on https.
    address = canonical.partition("://")[2]
    bare = not parts.path and not parts.query and not parts.fragment
    return IdentityReading(None if bare else f"url:https://{address}", None, None, canonical, dropped)


def _by_system(host: str, path: str, fields: Mapping[str, str]) -> tuple[str, str, str] | None:
    path = unquote(path)
    for system in _systems(host):
        if found := system.read(host, path, fields):
            return system.ats, *found
    return None


def _systems(host: str) -> tuple[_System, ...]:
    known = _SYSTEMS.get(host[host.rfind(".", 0, host.rfind(".")) + 1 :])
    if known:
        return known
    return next((systems for pattern, systems in _COUNTRY_SITES if pattern.match(host)), ())


def _embedded(fields: Mapping[str, str]) -> tuple[str, str, str] | None:
    for name, ats, form in _EMBEDDED:
        value = fields.get(name, "").strip()
        if form.match(value):
            return ats, "", value.lower()
    return None


def _workday(host: str, path: str) -> tuple[str, str, str] | None:
    board = _workday_board(host, path)
    if not board:
        return None
    tenant, rest = board[0], board[2]
    found = _WORKDAY_JOB.match(unquote(rest))
    return ("workday", tenant, found["id"].upper()) if found else None


def _workday_board(host: str, path: str) -> tuple[str, str, str] | None:
    """Tenant, site and the rest of the path behind the site."""
    if "myworkday" not in host:
        return None
    segments = [segment for segment in path.split("/") if segment]
    found = _WORKDAY_HOST.match(host)
    if found:
        tenant = found["tenant"].lower()
        if segments[:2] == ["wday", "cxs"]:
            segments = segments[3:]
    else:
        found = _WORKDAY_SITE_HOST.match(host)
        if not found:
            return None
        if "recruiting" in segments:
            segments = segments[segments.index("recruiting") + 1 :]
        tenant = (segments.pop(0) if segments else found["tenant"] or "").lower()
    if segments and _LOCALE_SEGMENT.match(segments[0]):
        segments = segments[1:]
    if not tenant or not segments:
        return None
    return tenant, segments[0], "/".join(segments[1:])


_BOARD_PATHS: tuple[tuple[str, re.Pattern[str], tuple[re.Pattern[str], ...]], ...] = (
    (
        "greenhouse",
        re.compile(rf"(?:{_GREENHOUSE_HOST})\Z"),
        (re.compile(r"/v1/boards/(?P<token>[^/]+)"), re.compile(r"/(?!embed(?:/|\Z)|v1(?:/|\Z))(?P<token>[^/]+)")),
    ),
    (
        "lever",
        re.compile(r"(?:jobs|api)(?:\.eu)?\.lever\.co\Z"),
        (re.compile(r"/v[01]/postings/(?P<token>[^/]+)"), re.compile(r"/(?!v[01](?:/|\Z))(?P<token>[^/]+)")),
    ),
    (
        "ashby",
        re.compile(r"(?:jobs|api)\.ashbyhq\.com\Z"),
        (
            re.compile(r"/posting-api/job-board/(?P<token>[^/]+)"),
            re.compile(r"/(?!posting-api(?:/|\Z)|api(?:/|\Z))(?P<token>[^/]+)"),
        ),
    ),
    (
        "smartrecruiters",
        re.compile(r"(?:jobs|careers|api)\.smartrecruiters\.com\Z"),
        (
            re.compile(r"/v1/companies/(?P<token>[^/]+)"),
            re.compile(r"/oneclick-ui/company/(?P<token>[^/]+)"),
            re.compile(r"/(?:ni/)?(?!v1(?:/|\Z)|ni(?:/|\Z)|oneclick-ui(?:/|\Z))(?P<token>[^/]+)"),
        ),
    ),
    (
        "workable",
        re.compile(r"(?:apply|www)\.workable\.com\Z"),
        (
            re.compile(r"/api/(?:v\d/(?:widget/)?)?accounts/(?P<token>[^/]+)"),
            re.compile(r"/(?!api(?:/|\Z)|j(?:/|\Z))(?P<token>[^/]+)"),
        ),
    ),
)
_BOARD_HOSTS = (
    ("workable", re.compile(r"(?P<token>(?!www\.|apply\.|jobs\.|help\.)[\w-]+)\.workable\.com\Z")),
    ("recruitee", re.compile(r"(?P<token>(?!www\.|api\.)[\w-]+)\.recruitee\.com\Z")),
    ("personio", re.compile(r"(?P<token>[\w-]+\.jobs\.personio\.(?:de|com))\Z")),
    ("teamtailor", re.compile(r"(?P<token>(?!www\.|api\.|app\.)[\w-]+(?:\.[a-z]{2})?\.teamtailor\.com)\Z")),
)


def board_of(url: str) -> tuple[str, str] | None:
    """The board an address belongs to, as kind and token, or None when it belongs to no board that can be read."""
    address = url.strip()
    canonical = canonical_url(address if "://" in address else f"https://{address}")
    try:
        parts = urlsplit(canonical)
        host = parts.hostname
    except ValueError:
        return None
    if not host:
        return None
    workday = _workday_board(host, parts.path)
    if workday:
        return "workday", f"{_workday_host(host, workday[0])}/{workday[0]}/{workday[1]}"
    return _board_by_path(host, parts) or _board_by_host(host)


def _workday_host(host: str, tenant: str) -> str:
    found = _WORKDAY_SITE_HOST.match(host)
    return f"{tenant}.{found['shard']}.myworkdayjobs.com" if found else host


def _board_by_path(host: str, parts: SplitResult) -> tuple[str, str] | None:
    for kind, hosts, paths in _BOARD_PATHS:
        if not hosts.match(host):
            continue
        embedded = dict(parse_qsl(parts.query)).get("for") if kind == "greenhouse" else None
        if embedded:
            return kind, embedded
        for pattern in paths:
            found = pattern.match(parts.path)
            if found:
                return kind, unquote(found["token"])
    return None


def _board_by_host(host: str) -> tuple[str, str] | None:
    for kind, pattern in _BOARD_HOSTS:
        found = pattern.match(host)
        if found:
            return kind, found["token"]
    return None
