"""Addresses in one normal form. Only what is proven noise is dropped: a visible double beats a silent merge."""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

from jobctrl.postings.folding import words

# Campaign and click marks that no job board uses to choose what is shown. `ref`, `src`, `source` and `gh_jid` are not
# here: some sites route by them.
_NOISE = re.compile(
    r"(?:utm_\w+|mc_(?:cid|eid)|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|"
    r"_hsenc|_hsmi|__hstc|__hssc|__hsfp|hsctatracking|_ga|_gl|_gac|mkt_tok|vero_id|oly_enc_id|oly_anon_id|"
    r"gh_src|lever-source(?:\[\])?|lever-origin|lever-via)\Z",
    re.IGNORECASE,
)
_MAYBE_NOISE = re.compile(
    r"utm_|mc_|clid|gclsrc|braid|li_fat|igshid|hs|_g[al]|mkt_|vero|oly_|gh_src|lever", re.IGNORECASE
)
_LINKEDIN_NOISE = words(
    "trk trkinfo refid trackingid position pagenum ebp origin recommendedflavor lipi licu originalsubdomain"
)
# Anchors of the page itself. Any other fragment may be a route or name one posting of a list, so it stays.
_ANCHOR = re.compile(
    r"(?:|top|main|content|main-content|maincontent|apply|apply-now|applynow|app|application|application-form|"
    r"apply-form|job-application|grnhse_app|overview|description|job-description|_=_|:~:text=.*)\Z",
    re.IGNORECASE,
)
_ESCAPE = re.compile("%[0-9a-fA-F]{2}")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_UNSAFE = re.compile(r"[^!-~]+")
_PLAIN_HOST = re.compile(r"(?:[a-z0-9\-]+\.)*[a-z0-9\-]+\Z")
# One parameter that cannot be noise, as most addresses of applicant systems carry it.
_LONE_FIELD = re.compile(r"(?:gh_jid|id|jk|job|jobid|job_id|pid|jl)=[\w-]*\Z", re.ASCII)
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


def canonical_url(url: str) -> str:
    """*url* without proven noise, in one spelling. What is no web address is returned as it is, stripped."""
    return clean(url)[0]


def clean(url: str) -> tuple[str, tuple[str, ...]]:
    """The canonical address, and the names of the parameters that were left out."""
    stripped = url.strip()
    try:
        parts = urlsplit(stripped)
    except ValueError:
        return stripped, ()
    scheme, netloc, path, query, fragment = parts
    if not netloc or (scheme != "https" and scheme != "http"):
        return stripped, ()
    dropped: tuple[str, ...] = ()
    if not _PLAIN_HOST.match(netloc):
        netloc = _host(scheme, netloc)
    if path and (path[-1] == "/" or "%" in path or not path.isascii() or " " in path):
        path = _escapes(path.rstrip("/"))
    if query and not (_LONE_FIELD.match(query) and "linkedin" not in netloc):
        query, dropped = _query(query, linkedin=netloc.endswith("linkedin.com"))
    if fragment:
        fragment = "" if _ANCHOR.match(fragment) else _escapes(fragment).rstrip("/")
    cleaned = (scheme, netloc, path, query, fragment)
    # Putting the parts together again is half the cost of an address that needs nothing.
    return (
        stripped if cleaned == parts and stripped[-1] not in "?#" and stripped[4] in ":s" else urlunsplit(cleaned)
    ), dropped


def _host(scheme: str, netloc: str) -> str:
    userinfo, at, host = netloc.rpartition("@")
    host = host.lower()
    port = _DEFAULT_PORTS[scheme]
    host = host.removesuffix(port).removesuffix(":").rstrip(".")
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii")
        except UnicodeError:
            pass
    return f"{userinfo}{at}{host}"


def _query(query: str, *, linkedin: bool) -> tuple[str, tuple[str, ...]]:
    fields = [field for field in query.split("&") if field]
    dropped: tuple[str, ...] = ()
    if linkedin or _MAYBE_NOISE.search(query):
        names = [_name(field) for field in fields]
        noise = [bool(_NOISE.match(n)) or (linkedin and n.lower() in _LINKEDIN_NOISE) for n in names]
        dropped = tuple(name for name, out in zip(names, noise, strict=True) if out)
        fields = [field for field, out in zip(fields, noise, strict=True) if not out]
    if len(fields) > 1:
        # Order between names carries no meaning, order within one name may.
        fields.sort(key=_name)
    joined = "&".join(fields)
    return (_escapes(joined) if "%" in joined or not joined.isascii() or " " in joined else joined), dropped


def _name(field: str) -> str:
    name = field.partition("=")[0]
    return _ESCAPE.sub(_unescape_plain, name) if "%" in name else name


def _escapes(text: str) -> str:
    """Percent-encoding in its normal form: upper-case digits, letters that need none left bare, the rest encoded."""
    return _UNSAFE.sub(_encode, _ESCAPE.sub(_unescape_plain, text))


def _unescape_plain(match: re.Match[str]) -> str:
    char = chr(int(match.group()[1:], 16))
    return char if char in _UNRESERVED or char in "[]" else match.group().upper()


def _encode(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8", "surrogatepass"))
