"""Amounts of money as adverts write them: figure, multiplier, currency, and the open end after it."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache
from typing import NamedTuple

DASH = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
GROUP_SPACE = " \u00a0\u2009\u202f"

DOLLARS = frozenset(
    [
        "USD",
        "CAD",
        "AUD",
        "NZD",
        "SGD",
        "HKD",
        "TWD",
        "MXN",
        "ARS",
        "CLP",
        "COP",
        "UYU",
        "DOP",
        "JMD",
        "TTD",
        "BBD",
        "BSD",
        "BZD",
        "BMD",
        "KYD",
        "FJD",
        "GYD",
        "LRD",
        "NAD",
        "SBD",
        "SRD",
        "XCD",
        "BND",
        "CUP",
    ]
)
CROWNS = frozenset(("SEK", "NOK", "DKK", "ISK"))
RUPEES = frozenset(("INR", "PKR", "LKR", "NPR", "MUR", "SCR"))
FRANCS = frozenset(("CHF", "XAF", "XOF", "XPF", "RWF", "BIF", "CDF", "DJF", "GNF", "KMF"))
PESOS = frozenset(("MXN", "ARS", "CLP", "COP", "UYU", "DOP", "PHP", "CUP"))
DINARS = frozenset(("DZD", "TND", "KWD", "BHD", "IQD", "JOD", "LYD", "RSD"))
DIRHAMS = frozenset(("AED", "MAD"))
RIYALS = frozenset(("SAR", "QAR", "OMR", "YER", "IRR"))
YUAN = frozenset(("CNY", "TWD", "HKD", "MOP", "SGD"))
CRYPTO: frozenset[str] = frozenset()
"""Tokens tied to the dollar are money, but no currency of ISO 4217."""

Meaning = str | frozenset[str]

# What a sign can mean: one currency, or a family among which the country decides.
_SIGNS: dict[str, Meaning] = {
    "$": DOLLARS, "＄": DOLLARS, "€": "EUR", "£": "GBP", "￡": "GBP", "¥": frozenset(("JPY", "CNY")),
    "￥": frozenset(("JPY", "CNY")), "₹": "INR", "₽": "RUB", "₴": "UAH", "₺": "TRY", "₪": "ILS", "₩": "KRW",
    "₫": "VND", "฿": "THB", "₱": "PHP", "₦": "NGN", "₵": "GHS", "₸": "KZT", "₼": "AZN", "₾": "GEL", "₡": "CRC",
    "₲": "PYG", "₨": RUPEES, "৳": "BDT", "₮": "MNT", "៛": "KHR", "US$": "USD", "U$S": "USD", "US $": "USD",
    "U.S.$": "USD", "U$D": "USD", "CA$": "CAD", "C$": "CAD", "CDN$": "CAD", "Can$": "CAD", "A$": "AUD", "AU$": "AUD",
    "NZ$": "NZD", "S$": "SGD", "SG$": "SGD", "HK$": "HKD", "NT$": "TWD", "NTD$": "TWD", "TW$": "TWD", "MX$": "MXN",
    "R$": "BRL", "RD$": "DOP", "J$": "JMD", "TT$": "TTD", "AR$": "ARS", "CL$": "CLP", "COL$": "COP", "$U": "UYU",
    "Z$": "ZWL", "N$": "NAD", "E£": "EGP", "S/": "PEN", "S/.": "PEN", "Rs": RUPEES, "Rs.": RUPEES, "Rp": "IDR",
    "Rp.": "IDR", "RM": "MYR", "Ksh": "KES", "KSh": "KES", "KSH": "KES", "Kshs": "KES", "TSh": "TZS", "USh": "UGX",
    "GH₵": "GHS", "GHC": "GHS", "Fr.": FRANCS, "SFr.": "CHF", "SFr": "CHF", "sFr.": "CHF", "Bs.": "BOB",
    "Gs.": "PYG", "Q.": "GTQ", "Tk": "BDT", "Tk.": "BDT",
}  # fmt: skip

_WORDS: dict[str, Meaning] = {
    "euro": "EUR", "euros": "EUR", "eur": "EUR", "usd": "USD", "gbp": "GBP", "cad": "CAD", "aud": "AUD",
    "chf": "CHF", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "pln": "PLN", "czk": "CZK", "huf": "HUF", "inr": "INR",
    "rmb": "CNY", "cny": "CNY", "jpy": "JPY", "ntd": "TWD", "twd": "TWD", "hkd": "HKD", "sgd": "SGD", "aed": "AED",
    "ils": "ILS", "nis": "ILS", "zar": "ZAR", "brl": "BRL", "mxn": "MXN", "dollars": DOLLARS, "dollar": DOLLARS,
    "us dollars": "USD", "canadian dollars": "CAD", "australian dollars": "AUD", "pounds": "GBP",
    "pounds sterling": "GBP", "sterling": "GBP", "rupees": RUPEES, "yen": "JPY", "yuan": "CNY", "renminbi": "CNY",
    "birr": "ETB", "reais": "BRL", "pesos": PESOS, "francs": FRANCS, "swiss francs": "CHF", "fr": FRANCS,
    "fr.": FRANCS, "kr": CROWNS, "kr.": CROWNS, "kronor": "SEK", "kroner": frozenset(("NOK", "DKK")), "zł": "PLN",
    "zl": "PLN", "zloty": "PLN", "złotych": "PLN", "kč": "CZK", "kc": "CZK", "korun": "CZK", "ft": "HUF",
    "forint": "HUF", "lei": "RON", "лв": "BGN", "лв.": "BGN", "руб": "RUB", "руб.": "RUB", "р.": "RUB",
    "рублей": "RUB", "грн": "UAH", "грн.": "UAH", "тенге": "KZT", "tl": "TRY", "shekels": "ILS", "ש\"ח": "ILS",
    "ש״ח": "ILS", "baht": "THB", "บาท": "THB", "vnd": "VND", "vnđ": "VND", "đồng": "VND", "đ": "VND", "naira": "NGN",
    "shillings": frozenset(("KES", "UGX", "TZS")), "dirhams": DIRHAMS, "dhs": DIRHAMS, "dh": DIRHAMS,
    "dinars": DINARS, "riyals": RIYALS, "rands": "ZAR", "rand": "ZAR", "ringgit": "MYR", "rupiah": "IDR",
    "won": "KRW", "soles": "PEN", "usdt": CRYPTO, "usdc": CRYPTO, "人民币": "CNY", "人民幣": "CNY", "元人民币": "CNY",
    "元人民幣": "CNY", "元": YUAN, "块": "CNY", "新台幣": "TWD", "新臺幣": "TWD", "台幣": "TWD", "元新台幣": "TWD",
    "港币": "HKD",
    "港幣": "HKD", "美元": "USD", "美金": "USD", "欧元": "EUR", "円": "JPY", "日元": "JPY", "日圓": "JPY", "원": "KRW",
    "달러": "USD", "ريال": RIYALS, "درهم": DIRHAMS,
}  # fmt: skip

_SCALES: dict[str, int] = {
    "k": 1_000, "thousand": 1_000, "grand": 1_000, "mil": 1_000, "tys": 1_000, "tys.": 1_000, "тыс": 1_000,
    "тыс.": 1_000, "тис": 1_000, "тис.": 1_000, "tsd": 1_000, "tsd.": 1_000, "tausend": 1_000, "tis": 1_000,
    "tis.": 1_000, "千": 1_000, "천": 1_000, "rb": 1_000, "ribu": 1_000, "lakh": 100_000, "lakhs": 100_000,
    "lac": 100_000, "lacs": 100_000, "l": 100_000, "lpa": 100_000, "crore": 10_000_000, "cr": 10_000_000,
    "万": 10_000, "萬": 10_000, "w": 10_000, "만": 10_000, "百万": 1_000_000, "m": 1_000_000, "mm": 1_000_000,
    "mn": 1_000_000, "mln": 1_000_000, "mio": 1_000_000, "mio.": 1_000_000, "million": 1_000_000,
    "millions": 1_000_000, "millionen": 1_000_000, "milhões": 1_000_000, "millones": 1_000_000, "milioni": 1_000_000,
    "miljoen": 1_000_000, "triệu": 1_000_000, "tr": 1_000_000, "juta": 1_000_000, "jt": 1_000_000, "b": 10**9,
    "bn": 10**9, "billion": 10**9, "billions": 10**9, "mrd": 10**9, "mrd.": 10**9, "milliarden": 10**9,
    "milliards": 10**9, "milliard": 10**9, "bilhões": 10**9, "miljard": 10**9, "mil millones": 10**9, "億": 10**8,
    "亿": 10**8, "억": 10**8, "t": 10**12, "tn": 10**12, "trillion": 10**12,
}  # fmt: skip
MILLION = 1_000_000

# Codes that are also words or abbreviations of adverts; alone they do not make a number money.
WORDLIKE = frozenset(
    [
        "ALL",
        "TOP",
        "TRY",
        "AMD",
        "PEN",
        "GEL",
        "MOP",
        "SOS",
        "CUP",
        "BAM",
        "STD",
        "LAK",
        "MAD",
        "BOB",
        "SAR",
        "COP",
        "ANG",
        "SLL",
    ]
)

_NUMBER = re.compile(
    rf"\d{{1,3}}(?:(?P<group>[.,'’´{GROUP_SPACE}])\d{{3}})(?:(?P=group)\d{{3}})*(?!\d)"
    r"(?:[.,]\d{1,2}(?!\d))?"
    r"|\d{1,2}(?:,\d{2})+,\d{3}(?!\d)(?:\.\d{1,2})?"
    r"|\d+(?:[.,]\d{1,2}(?!\d))?"
)


class Amount(NamedTuple):
    """One figure. `start` and `end` take in its currency and multiplier."""

    start: int
    end: int
    digits: str
    value: Decimal
    """Without the multiplier."""
    scale: int
    """1 when no multiplier is written."""
    meaning: Meaning | None
    """What the sign can stand for; None when no sign is written."""
    plus: bool
    before: bool
    """The sign stands before the figure."""
    coded: bool
    """A code or word names the currency, not a shared sign."""

    @property
    def grouped(self) -> bool:
        return len(self.digits) > 4 and not self.digits.isdigit() and bool(re.search(r"\D\d{3}(?!\d)", self.digits))

    @property
    def total(self) -> Decimal:
        # "125,000K" is a slip of the pen: thousands are written out already.
        return self.value if self.scale == 1_000 and self.value >= 10_000 else self.value * self.scale


@cache
def tenders() -> dict[str, str]:
    """Country to the currency that is legal tender there now."""
    from babel.core import get_global

    current: dict[str, str] = {}
    for country, entries in get_global("territory_currencies").items():
        for code, _start, end, tender in entries:
            if tender and end is None:
                current.setdefault(country, code)
                break
    return current


def settle(meaning: Meaning | None, country: str | None) -> str | None:
    """The one currency *meaning* names, settled by *country* where a sign is shared; None when it stays open."""
    if meaning is None or isinstance(meaning, str):
        return meaning
    tender = tenders().get(country.upper()) if country else None
    return tender if tender in meaning else None


_DIGIT = re.compile("[0-9]")
_LETTERS = re.compile(r"[^\W\d_]+\.?")
FIRST_IDEOGRAPH = "\u2e80"
_GLYPH = re.compile(r"[\u2e80-\uffef]")
_NO_GLYPH = re.compile(r"[^\u2e80-\uffef]")
_LAST_LETTERS = re.compile(r"[^\W\d_]+(?=\.?$)")
_NO_CENTS = re.compile(rf"[.,]\s?[{DASH}]{{1,2}}(?![\d$€£])|\s,[{DASH}]{{1,2}}(?!\d)")
_REACH = 60
"""How far apart two figures of one range may stand."""
_NEAR = 14
"""How far before a figure its sign may begin."""
_SIGN_ENDS = frozenset(sign[-1] for sign in _SIGNS)
_SIGN_STARTS = frozenset(sign for sign in _SIGNS if len(sign) == 1)
_SIGN_WORDS = frozenset(sign.rstrip(".") for sign in _SIGNS if sign[0].isalpha()) | {"R"}
_NAMES = frozenset(word.rpartition(" ")[2].rstrip(".") for word in _WORDS)
_BEHIND = frozenset(word.partition(" ")[0].rstrip(".") for word in (*_WORDS, *_SCALES)) | {"u", "us"}
_LONGEST_SIGN = max(map(len, _SIGNS))
_GLUED = ("base", "pay", "ote", "tc")
"""Words that adverts run into the figure: "base5K"."""


def amounts(text: str) -> list[Amount]:
    """The figures of *text* that are money or stand near some, in order; none when nothing in it looks like pay."""
    figures: list[re.Match[str]] = []
    marked: list[int] = []
    at = 0
    while (digit := _DIGIT.search(text, at)) is not None:
        match = _NUMBER.match(text, digit.start())
        if match is None:
            break
        start, at = match.span()
        if text[start - 1 : start] in (".", ",") and start > 1 and text[start - 2].isdigit():
            continue
        if _marked_ahead(text, start) or _marked_behind(text, at) or _worth_asking(text, match):
            marked.append(len(figures))
        figures.append(match)
    if not marked:
        return []
    near = set(marked)
    for mark in marked:
        start, end = figures[mark].span()
        if mark and start - figures[mark - 1].end() <= _REACH:
            near.add(mark - 1)
        if mark + 1 < len(figures) and figures[mark + 1].start() - end <= _REACH:
            near.add(mark + 1)
    found: list[Amount] = []
    for index in sorted(near):
        if (amount := _amount(text, figures[index], found[-1] if found else None)) is not None:
            found.append(amount)
    return found


def _marked_ahead(text: str, start: int) -> bool:
    """Whether a sign, a code or a currency's name may end right before *start*; quick, and never misses one."""
    ahead = text[max(0, start - _NEAR) : start].rstrip(" \u00a0\u202f:)")
    if not ahead:
        return False
    last = ahead[-1]
    if last in _SIGN_ENDS and not last.isalpha():
        return True
    if last.isascii():
        if not (last.isalpha() or last == "."):
            return False
        word = ahead.rpartition(" ")[2].strip("(.,")
        return (
            word[-3:] in codes()
            or word in _SIGN_WORDS
            or word.lower() in _NAMES
            or (start > 0 and text[start - 1].isalpha())
        )
    return last >= FIRST_IDEOGRAPH or ahead.rpartition(" ")[2].lower() in _NAMES


def _marked_behind(text: str, end: int) -> bool:
    """Whether a multiplier, an open end or a currency may begin right at *end*; quick, and never misses one."""
    following = text[end : end + 3].lstrip(" \u00a0\u202f")[:1]
    if not following:
        return False
    if following in _SIGN_STARTS or following >= "\u0590":
        return True
    if not following.isalpha():
        return following in "+(~" or (
            following in ",.-"
            and not text[end + 1 : end + 2].isdigit()
            and following != "."
            and text[end + 1 : end + 2] in ("-", "–")
        )
    match = _LETTERS.match(text, end + (text[end] in " \u00a0\u202f"))
    if match is None:
        return False
    word = match[0].rstrip(".").lower()
    return (
        word in _BEHIND
        or word[:3].upper() in codes()
        or (word[0] == "k" and word[1:4].upper() in codes())
        or not word.isascii()
    )


def _worth_asking(text: str, match: re.Match[str]) -> bool:
    """Whether a figure without any sign is large, or priced by time, so that the words beside it may make it pay."""
    start, end = match.span()
    if match["group"] is not None or end - start >= 5:
        return True
    return (
        (end - start == 4 and text[start] not in "12")
        or text[end : end + 1] == "/"
        or text[end : end + 4] in (" per", " an ", " a h")
    )


def _amount(text: str, match: re.Match[str], earlier: Amount | None) -> Amount | None:
    start, end = match.span()
    ahead = text[max(0, start - _NEAR) : start]
    length, meaning, coded = _sign_before(
        ahead, grouped=match["group"] is not None or text[end : end + 1] in ("k", "K")
    )
    if not length and ahead and ahead[-1].isascii() and ahead[-1].isalpha() and not ahead.lower().endswith(_GLUED):
        return None
    scale_name, plus, late_meaning, late_coded, stop = _tail(text, end)
    # A code says more than a sign, wherever it stands.
    if late_meaning is not None and (meaning is None or (late_coded and not coded)):
        meaning, coded = late_meaning, late_coded
    scale = _SCALES.get(scale_name, 1)
    if scale_name == "l" and meaning is None and earlier is not None and start - earlier.end < 8:
        meaning = earlier.meaning
    if scale_name == "l" and meaning not in ("INR", RUPEES):
        scale, stop = 1, end
    elif meaning is None:
        meaning = _IMPLIED.get(scale_name)
    return Amount(
        start - length, stop, match[0], _value(match[0], match["group"], scale), scale, meaning, plus, length > 0, coded
    )


def _sign_before(ahead: str, *, grouped: bool) -> tuple[int, Meaning | None, bool]:
    """How many characters before the figure are its sign, what it means, and whether it is a code or a word."""
    if not ahead:
        return 0, None, False
    close = ahead.rstrip(" \u00a0\u202f")
    if close[-2:-1] in _SIGN_ENDS and close[-1] in ":)":
        close = close[:-1]
    if len(ahead) - len(close) > 3 or not close:
        return 0, None, False
    if close[-1] in _SIGN_ENDS:
        for size in range(min(_LONGEST_SIGN, len(close)), 0, -1):
            meaning = _SIGNS.get(close[-size:])
            if meaning is None or (
                close[-size].isalpha() and close[-size - 1 : -size].isalpha() and close[-size].isascii()
            ):
                continue
            before_sign, code = _code_at_end(close[:-size].rstrip(" :.)"))
            if code and not isinstance(meaning, str):
                return len(ahead) - before_sign, code, True
            return len(ahead) - len(close) + size, meaning, isinstance(meaning, str) and close[-size].isalpha()
    if grouped and close[-1] == "R" and not close[-2:-1].isalnum():
        return len(ahead) - len(close) + 1, "ZAR", False
    at, code = _code_at_end(close.rstrip(":.)"))
    if code:
        return len(ahead) - at, code, True
    word = _LAST_LETTERS.search(close[-12:])
    if (
        word
        and (meaning := _WORDS.get(word[0].lower()) or _WORDS.get(f"{word[0].lower()}.")) is not None
        and word[0].lower() not in _BEHIND_ONLY
    ):
        return len(ahead) - len(close) + len(close[-12:]) - word.start(), meaning, isinstance(meaning, str)
    return 0, None, False


def _code_at_end(text: str) -> tuple[int, str | None]:
    code = text[-3:]
    if code in codes() and not (text[-4:-3].isalpha() and text[-4:-3].isascii()):
        return len(text) - 3, code
    return 0, None


def _tail(text: str, at: int) -> tuple[str, bool, Meaning | None, bool, int]:
    """Multiplier, open end, currency and its being coded, and where the amount stops."""
    following = text[at : at + 3].lstrip(" \u00a0\u202f")[:1]
    if not following or (not following.isalpha() and following not in _SIGN_STARTS and following not in "+(~,."):
        return "", False, None, False, at
    if following in ",." and (cents := _NO_CENTS.match(text, at)) is not None:
        at = cents.end()
    scale, plus = "", False
    word, word_end = _word(text, at)
    lower = word.lower()
    if lower in _SCALES or lower.rstrip(".") in _SCALES:
        scale, at = lower if lower in _SCALES else lower.rstrip("."), word_end
    elif lower[:1] == "k" and _named(word[1:])[0] is not None:
        scale, at = "k", word_end - len(word) + 1
    elif word and word[0] >= FIRST_IDEOGRAPH:
        for size in (2, 1):
            if word[:size] in _SCALES:
                scale, at = word[:size], word_end - len(word) + size
                break
    if text[at : at + 1] == "+" and not text[at + 1 : at + 2].isalpha():
        plus, at = True, at + 1
    meaning, coded, at = _currency(text, at)
    if not plus and text[at : at + 1] == "+" and not text[at + 1 : at + 2].isalpha():
        plus, at = True, at + 1
    return scale, plus, meaning, coded, at


def _currency(text: str, at: int) -> tuple[Meaning | None, bool, int]:
    gap = at
    while gap < at + 2 and text[gap : gap + 1] in (" ", "\u00a0", "\u202f"):
        gap += 1
    if text[gap : gap + 1] in ("(", "~"):
        gap += 1
    sign = _SIGNS.get(text[gap : gap + 1])
    if sign is not None:
        # A sign before the next figure belongs to that figure.
        if text[gap + 1 : gap + 3].lstrip()[:1].isdigit():
            return None, False, at
        code = text[gap + 1 : gap + 5].strip()
        if code in codes() and not isinstance(sign, str):
            return code, True, gap + 1 + text[gap + 1 : gap + 5].index(code) + 3
        return sign, isinstance(sign, str), gap + 1
    word, end = _word(text, gap)
    if not word:
        return None, False, at
    if word[0] >= FIRST_IDEOGRAPH:
        for size in range(min(5, len(word)), 0, -1):
            if word[:size] in _WORDS:
                named = _WORDS[word[:size]]
                return named, isinstance(named, str), end - len(word) + size
        return None, False, at
    if word in ("U", "u") and at == gap and text[end : end + 1] not in (".", "'"):
        return CRYPTO, True, end
    meaning, coded = _named(word)
    if meaning is None:
        second, second_end = _word(text, end)
        meaning, coded = _named(f"{word} {second}") if second else (None, False)
        return (meaning, coded, second_end) if meaning is not None else (None, False, at)
    # "50,000 kr. per month": the point belongs to the abbreviation, "50,000 EUR." ends a sentence.
    return meaning, coded, end - (word.endswith(".") and word.lower() not in _WORDS)


def _word(text: str, at: int) -> tuple[str, int]:
    start = at + (text[at : at + 1] in (" ", "\u00a0", "\u202f"))
    match = _LETTERS.match(text, start)
    if match is None:
        return "", at
    word = match[0]
    if not word.isascii() and (other := (_GLYPH if word[0] < FIRST_IDEOGRAPH else _NO_GLYPH).search(word)) is not None:
        # "30K元": letters and ideographs run together are two words.
        word = word[: other.start()]
    return word, match.start() + len(word)


def _named(word: str) -> tuple[Meaning | None, bool]:
    bare = word.rstrip(".")
    if bare in codes():
        return bare, True
    meaning = _WORDS.get(word.lower())
    if meaning is None:
        meaning = _WORDS.get(bare.lower())
    return meaning, isinstance(meaning, str) or meaning == CRYPTO


@cache
def codes() -> frozenset[str]:
    """The ISO 4217 codes in use."""
    return frozenset(tenders().values()) | {"CNH", "CLF"}


_IMPLIED: dict[str, Meaning] = {"lpa": "INR", "triệu": "VND", "tr": "VND"}
_BEHIND_ONLY = frozenset(("đ", "ft", "tl", "р.", "р", "块", "元", "円", "원", "kc", "zl", "mil"))


def _value(digits: str, group: str | None, scale: int) -> Decimal:
    if group is None:
        return Decimal(digits.replace(",", "") if digits.count(",") > 1 else digits.replace(",", "."))
    # "102.125K" has three decimals, "102.125" has none.
    if scale == 1_000 and group in ".," and digits.replace(",", ".").count(".") == 1:
        return Decimal(digits.replace(",", "."))
    *heads, tail = digits.split(group)
    whole, cents = "".join(heads) + tail[:3], tail[4:]
    return Decimal(f"{whole}.{cents}" if cents.strip("0") else whole)


def plain(value: Decimal) -> Decimal:
    """Without decimals that say nothing: 4500.0 is 4500."""
    return value.quantize(Decimal(1)) if value == value.to_integral_value() else value


# Orders of magnitude, to tell a salary from a slip; never for conversion.
_ROUGH = {
    "EUR": 1.1, "GBP": 1.3, "CHF": 1.1, "CAD": 0.7, "AUD": 0.65, "NZD": 0.6, "SGD": 0.75, "HKD": 0.13, "TWD": 0.03,
    "MXN": 0.055, "BRL": 0.18, "ARS": 0.001, "CLP": 0.001, "COP": 0.00025, "PEN": 0.27, "UYU": 0.025, "INR": 0.012,
    "PKR": 0.0036, "LKR": 0.0033, "NPR": 0.0075, "BDT": 0.0085, "CNY": 0.14, "JPY": 0.0068, "KRW": 0.00073,
    "VND": 0.00004, "IDR": 0.000062, "THB": 0.029, "MYR": 0.23, "PHP": 0.0175, "ILS": 0.28, "AED": 0.27, "SAR": 0.27,
    "QAR": 0.27, "EGP": 0.02, "ZAR": 0.055, "NGN": 0.00065, "KES": 0.0077, "UGX": 0.00027, "TZS": 0.0004,
    "GHS": 0.08, "ETB": 0.0075, "SEK": 0.1, "NOK": 0.1, "DKK": 0.15, "ISK": 0.0075, "PLN": 0.26, "CZK": 0.045,
    "HUF": 0.0028, "RON": 0.22, "BGN": 0.56, "RUB": 0.012, "UAH": 0.024, "TRY": 0.026, "KZT": 0.0019, "RSD": 0.0095,
    "MAD": 0.1, "TND": 0.32, "DZD": 0.0075, "USD": 1.0, "KWD": 3.2, "BHD": 2.6, "OMR": 2.6, "JOD": 1.4,
}  # fmt: skip


def rough_dollars(meaning: Meaning | None) -> float | None:
    """About how many dollars one unit is worth, of a shared sign the best known; None when that is unknown."""
    if meaning is None:
        return None
    if isinstance(meaning, str):
        return _ROUGH.get(meaning)
    if meaning == CRYPTO:
        return 1.0
    for code in ("USD", "JPY", "SEK", "INR", "CHF", "MXN", "CNY"):
        if code in meaning:
            return _ROUGH[code]
    return None
