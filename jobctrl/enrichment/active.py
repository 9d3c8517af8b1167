"""Whether a posting is still open. Only what says so closes it; a wall, an error or silence leaves it unsure."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from selectolax.lexbor import LexborNode

from jobctrl.enrichment.model import ActiveReading, ActiveState, PageKind, Said, Verification
from jobctrl.enrichment.wording import pattern
from jobctrl.postings.identity import read_identity
from jobctrl.postings.model import DateReading, Span
from jobctrl.postings.text import fold

GONE = (404, 410)
LONGEST_BANNER = 260
SHORT_PAGE = 1500

# "If this position is no longer available …" says what would be; a statement about other jobs says nothing here.
_CONDITIONAL = re.compile(
    r"\b(?:if|when|once|until|unless|before|after|should|whether|in case|wenn|falls|sobald|sollte|bis|si|lorsque|quand"
    r"|jusqu|dès que|cuando|una vez|hasta|quando|se|até|als|zodra|indien|totdat|jeśli|gdy|dopóki|om|når|hvis|jos|kun)\b"
    r"[^.!?]*$"
)
_WALL_MARKUP = (
    "cf-challenge",
    "cf-error-details",
    "challenge-platform",
    "px-captcha",
    "captcha-delivery",
    "_incapsula_",
    "aws-waf-token",
)


def active_state(
    *,
    status: int,
    requested_url: str,
    final_url: str,
    kind: PageKind,
    main: LexborNode | None,
    deadline: DateReading,
    deadline_said: Said | None,
    open_flag: Said | None,
    closed_flag: Said | None,
    apply: Said | None,
    now: datetime,
) -> ActiveReading:
    """The state of the posting at *requested_url*, by what its page says at *now*.

    In order: the status, another posting in its place, a closing notice or flag in the main part, the deadline, then
    signs of life. A closing notice is read before a deadline that lies ahead, since employers close early.
    """
    if status in GONE:
        return ActiveReading(ActiveState.REMOVED, Verification.HTTP_STATUS, _span(f"HTTP {status}", "status"))
    if status >= 400:
        return ActiveReading(reason=f"the page answered HTTP {status}, which says nothing about the posting")
    if kind is PageKind.BLOCKED:
        return ActiveReading(reason="a bot wall or an error stands in place of the page")
    if kind is PageKind.LOGIN:
        return ActiveReading(reason="the page asks for a login")
    if reason := elsewhere(requested_url, final_url):
        return ActiveReading(reason=reason)
    if closed_flag is not None:
        return ActiveReading(ActiveState.CLOSED, Verification.STATUS_FLAG, closed_flag.span)
    listing = kind is PageKind.LISTING
    notice = closing_notice(main, above_list=listing) if main is not None else None
    # A board that answers for a posting it no longer shows says so above its list.
    if notice is not None and (not listing or _was_sent_to_board(requested_url, final_url)):
        gone = pattern("removed").search(fold(notice.text)) is not None and not pattern("closed").search(
            fold(notice.text)
        )
        state, basis = (
            (ActiveState.REMOVED, Verification.REMOVED_MARKER)
            if gone
            else (ActiveState.CLOSED, Verification.CLOSED_MARKER)
        )
        return ActiveReading(state, basis, notice.span)
    if kind is not PageKind.POSTING:
        return ActiveReading(reason="the page holds no posting of its own")
    if deadline.day is not None and deadline.bound is None and deadline_said is not None:
        basis = Verification.STATED_DEADLINE
        if deadline_said.field.startswith(("json_ld", "microdata")):
            basis = Verification.JSON_LD_VALID_THROUGH
        state = ActiveState.EXPIRED if _over(deadline, now) else ActiveState.ACTIVE
        return ActiveReading(state, basis, deadline_said.span)
    if open_flag is not None:
        return ActiveReading(ActiveState.ACTIVE, Verification.STATUS_FLAG, open_flag.span)
    if apply is not None:
        return ActiveReading(ActiveState.ACTIVE, Verification.APPLY_CONTROL, apply.span)
    return ActiveReading(ActiveState.ACTIVE, Verification.DEFAULT_BODY_PRESENT)


def elsewhere(requested_url: str, final_url: str) -> str:
    """Why the page that answered is not the posting asked for; empty when it may be."""
    asked, got = read_identity(requested_url), read_identity(final_url)
    if asked.key is None or asked.key == got.key:
        return ""
    if asked.native_id and got.native_id and asked.ats == got.ats and asked.native_id != got.native_id:
        return f"the address led to another posting ({final_url})"
    return ""


def _was_sent_to_board(requested_url: str, final_url: str) -> bool:
    return read_identity(requested_url).native_id is not None and read_identity(final_url).native_id is None


def closing_notice(main: LexborNode, *, above_list: bool = False) -> Said | None:
    """The words in the main part that say the posting is closed or gone. Short statements only, never a conditional.

    With `above_list` the entries of a list do not count: what they say is about themselves.
    """
    for text in _statements(main, entries=not above_list):
        folded = fold(text)
        match = pattern("closed").search(folded) or pattern("removed").search(folded)
        if match and not _CONDITIONAL.search(folded[: match.start()]):
            return Said(text, "main")
    return None


def blocked(status: int, title: str, text: str, markup: str) -> bool:
    """Whether a bot wall, a refusal or an error page stands in place of the page asked for."""
    if status in (401, 403, 429) or status >= 500:
        return True
    if len(text) > SHORT_PAGE:
        return False
    if any(sign in markup[:200_000].lower() for sign in _WALL_MARKUP):
        return True
    return pattern("wall").search(fold(title)) is not None or pattern("wall").search(fold(text[:600])) is not None


def _statements(main: LexborNode, *, entries: bool) -> list[str]:
    """The short texts of the main part: a block of text each, of at most the length of a banner."""
    found: list[str] = []
    for node in main.css(
        "p, div, span, h1, h2, h3, h4, h5, strong, b, li, td, section, figcaption, em, label, button, center, font"
    ):
        # Only blocks that hold words of their own, so that a banner is not drowned in its page.
        own = "".join(child.text(deep=False) for child in node.iter(include_text=True) if child.tag == "-text")
        if not own.strip() or (not entries and _in_entry(node)):
            continue
        text = " ".join(node.text(deep=True, separator=" ").split())
        if 0 < len(text) <= LONGEST_BANNER:
            found.append(text)
    own = "".join(child.text(deep=False) for child in main.iter(include_text=True) if child.tag == "-text").strip()
    if own and len(own) <= LONGEST_BANNER:
        found.append(" ".join(own.split()))
    return found


def _over(deadline: DateReading, now: datetime) -> bool:
    """A deadline given as a day lasts until that day is over everywhere."""
    if deadline.at is not None:
        return deadline.at < now
    assert deadline.day is not None
    return deadline.day < (now - timedelta(hours=12)).date()


def _span(text: str, field: str) -> Span:
    return Span(0, len(text), text, field)


def _in_entry(node: LexborNode) -> bool:
    parent: LexborNode | None = node
    while parent is not None:
        if parent.tag in ("li", "td", "article"):
            return True
        parent = parent.parent
    return False
