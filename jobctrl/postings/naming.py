"""Keys of names: an employer's and a title's, equal when two boards only write them differently."""

from __future__ import annotations

import re
from functools import lru_cache

from jobctrl.postings.folding import fold, words

_LEGAL = words("""
    inc incorporated llc lllp llp lp ltd limited plc corp corporation co company pty pte pvt private gmbh mbh ag
    se kg kgaa ohg ug ev eg sa sas sasu sarl srl spa sl slu bv nv cv vof ab as asa aps oy oyj hf ehf ooo oao zao
    pao doo dd ad ead eood ood kft zrt nyrt bt sro spzoo spk as uab sia ou lda ltda eireli me cia bhd sdn kk gk yk
    jsc ojsc cjsc tbk pt holding holdings
""")
# Spelt with dots or blanks these legal forms come apart into letters; they are read as one word.
_SPACED = (
    ("sp z o o", "spzoo"),
    ("s r o", "sro"),
    ("s p a", "spa"),
    ("s r l", "srl"),
    ("s a r l", "sarl"),
    ("s a s", "sas"),
    ("s a", "sa"),
    ("s l", "sl"),
    ("b v", "bv"),
    ("n v", "nv"),
    ("d o o", "doo"),
    ("l l c", "llc"),
    ("l t d", "ltd"),
    ("i n c", "inc"),
    ("p l c", "plc"),
    ("e v", "ev"),
    ("k k", "kk"),
    ("a s", "as"),
    ("a g", "ag"),
    ("a b", "ab"),
)
_EASTERN_LEGAL = re.compile(
    "株式会社|有限会社|合同会社|股份有限公司|有限责任公司|有限責任公司|有限公司|주식회사|（株）|㈱|\\(주\\)"
)
_LEADING_LEGAL = words("ooo oao zao pao pt uab sia")
# Joining words that a legal form leaves dangling: "Acme GmbH & Co. KG".
_JOINERS = frozenset({"and", "und", "et", "y"})

_GENDER_LETTERS = r"[mwfdxhiva]|divers|all"
_GENDER = re.compile(
    rf"[(\[]\s*(?:{_GENDER_LETTERS})(?:\s*[/|,*·]\s*(?:{_GENDER_LETTERS}))+\s*[)\]]"
    r"|(?<!\w)(?:m/w/d|w/m/d|m/f/d|f/m/d|f/m/x|m/f/x|m/w/x|d/m/w|d/f/m|h/f|f/h|m/v/x|m/k)(?!\w)"
    r"|[(\[]?\s*\ball genders?\b\s*[)\]]?|[(\[]\s*gn\s*[)\]]",
    re.IGNORECASE,
)
_TRAILING_CODE = re.compile(
    r"\s*[-–—|(#\[]\s*(?:req(?:uisition)?\s*(?:id|no|number)?|job\s*(?:id|no)|ref(?:erence)?|id)?\s*[.:#]*\s*"
    r"(?=[\w-]*\d{3})[a-z]{0,4}[-_]?\d[\w-]*\s*[)\]]?\s*\Z",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d\W*\Z")


@lru_cache(maxsize=4_096)
def employer_key(name: str | None) -> str | None:
    """The employer's name without case, accents, punctuation and legal form; None when nothing of it remains."""
    if not name:
        return None
    folded = fold(_EASTERN_LEGAL.sub(" ", name).replace("&", " and ").replace("+", " plus "))
    padded = f" {folded} "
    for spaced, joined in _SPACED:
        if padded.endswith(f" {spaced} "):
            padded = padded[: -len(spaced) - 2] + f" {joined} "
            break
    words = padded.split()
    kept = list(words)
    while len(kept) > 1 and (kept[-1] in _LEGAL or kept[-1] in _JOINERS):
        kept.pop()
    if len(kept) > 1 and kept[0] in _LEADING_LEGAL:
        kept.pop(0)
    return " ".join(kept) or None


@lru_cache(maxsize=4_096)
def title_key(title: str | None) -> str | None:
    """The title without gender marks and a trailing requisition code; `+` and `#` stay, as C, C++ and C# differ."""
    if not title:
        return None
    plain = _GENDER.sub(" ", title)
    shorter = plain if _YEAR.search(plain) else _TRAILING_CODE.sub("", plain)
    # A code is only a code behind a title: what is left has to be one.
    chosen = shorter if len(shorter.split()) >= 2 else plain
    return fold(chosen, keep="+#") or None
