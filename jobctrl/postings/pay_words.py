"""The words around an amount: what makes it pay, what makes it something else, and its period and component.

Compiled by hand for the languages that adverts are written in; each list is one idea and is matched without case.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import lru_cache

from jobctrl.postings.model import PayComponent, PayPeriod

FIRST_GLYPH = "\u0e00"
"""From here on scripts write words without spaces."""

_UNITS = {
    PayPeriod.HOUR: "hours?|hrs?|h|hourly|stunden?|std|heures?|horas?|ora|ore|uur|timme|timma|time|tim"
    "|godz(?:in[aęy])?|godzinę|hodin[auy]|hod|óra"
    "|tunti|tunnilta|saat|час(?:а|ов)?|ч|годину|שעה|ללשעה|לשעה|小时|小時|时|時間|時|시간|giờ|jam",
    PayPeriod.DAY: "days?|daily|tage?s?|jours?|journée|día|dia|giorno|dag|dzień|dni[aó]|den|gün|день|יום|ליום|天|日|일"
    "|ngày|hari",
    PayPeriod.WEEK: "weeks?|wks?|wk|weekly|woche|semaine|semana|settimana|vecka|uge|uke|tydzień|týden|viikko|hafta"
    "|неделю|שבוע|周|週|주|tuần|minggu",
    PayPeriod.MONTH: "months?|mos?|mth|monthly|monat|mois|mes|mês|mese|maand|mnd|månad|mån|måned|mdr|md|miesiąc"
    "|miesięcznie|mies|mc|m-c|měsíc"
    "|měsíčně|hó|hónap|kk|kuukausi|kuukaudessa|ay|lună|luna|месяц|мес|місяць|חודש|לחודש|ללחודש|个月|個月|月|월|tháng|bulan"
    "|เดือน|m",
    PayPeriod.YEAR: "years?|yrs?|y|yearly|annum|annual|jahr|ann?ée?s?|an|año|ano|anno|jaar|år|rok|roku|rocznie|év"
    "|vuosi|vuodessa|yıl|год|рік|שנה|לשנה"
    "|年|년|연|năm|tahun|ปี",
}
_ADVERBS = {
    PayPeriod.HOUR: "hourly|stündlich|horaires?|timlön",
    PayPeriod.DAY: "daily|täglich|tagessatz|diari[oa]s?",
    PayPeriod.WEEK: "weekly|wöchentlich|hebdomadaires?|semanal(?:es)?|semanais|wekelijks",
    PayPeriod.MONTH: "monthly|p\\.?\\s?m\\.?|pcm|monatlich|mensuel(?:le)?s?|mensual(?:es|mente)?|mensal(?:mente)?"
    "|mensais|mensil[ei]|maandelijks"
    "|månatligen|månedlig|miesięcznie|měsíčně|mesačne|havonta|kuukausittain|aylık|lunar|ежемесячно|щомісяця",
    PayPeriod.YEAR: "annually|annual(?:ized|ised)?|yearly|p\\.?\\s?a\\.?|per\\s?annum|jährlich|annuel(?:le|lement)?s?"
    "|anual(?:es|mente)?|anuais"
    "|annu[oi]|annuale|jaarlijks|årlig(?:en)?|rocznie|ročně|ročne|évente|vuosittain|yıllık|anuale?|ежегодно|lpa|ctc",
}
_UNIT_GROUPS = "|".join(f"(?P<u_{period}>{words})" for period, words in _UNITS.items())
_ADVERB_GROUPS = "|".join(f"(?P<d_{period}>{words})" for period, words in _ADVERBS.items())
_FILLER = (
    "gross|net|netto|brutto|bruto|bruts?|brut[aeo]s?|nets?|bruttó|nettó|hrubého|usdt?|eur|gbp|cad|euros?|dollars?"
    "|u\\.s\\.|us|fixed|fixo"
    "|base|basic|w2|all-?in|lakhs?|vat|salary|pay|salario|etb|jpy|plus commission|\\+ ?vat|ex(?:cl)?\\.? vat|alaptöm"
    "|b2b|uop"
)
_MARKER = (
    r"/\s?|\bper[\s-]|\ban?\s|\beach\s|\bevery\s|\bpro\s|\bje\s|\bim\s|\bpar\s|\bà\s(?:l['’])?|\bpor\s|\bal\s|\ba"
    r" la\s|\bal?l['’]|\bao\s|\bpor la\s"
    r"|\bper\s|\bw\s|\bna\s|\bza\s|\bi\s|\bom\s|\bв\s|\bна\s|\bза\s|每|一|\bmỗi\s|ל|/\s?per\s|\bp\.?/|\bde l['’]"
    r"|\bpr\.?\s"
)
PERIOD_AFTER = re.compile(
    rf"[\s*_,)\]]{{0,4}}(?:\(?(?:{_FILLER})\b\.?[\s,)]*){{0,3}}"
    rf"(?:[(\s]*(?:{_MARKER})\s?(?:{_UNIT_GROUPS})(?![^\W\d_薪]|\s?[-–]?\d)|\s?(?P<a_month>每月|月薪)|\s?(?P<a_year>每年|年薪)"
    rf"|[\s(,~-]{{0,4}}(?<![^\W\d_])(?:{_ADVERB_GROUPS})(?![^\W\d_]))",
    re.IGNORECASE,
)
"""Right behind an amount: the words between it and its period are few and known."""

_WORD_PERIODS = {
    PayPeriod.HOUR: r"hourly|stundenlohn|stundensatz|horaire|hora|uurloon|uurtarief|timlön|timeløn|timelønn"
    r"|godzinow\w+|hodinov\w+|órabér|saatlik|часовая|oraria|hr",
    PayPeriod.DAY: r"daily|tagessatz|tjm|dagtarief|diária",
    PayPeriod.WEEK: r"weekly|wochenlohn|hebdomadaire|semanal|weekloon",
    PayPeriod.MONTH: r"monthly|monatsgehalt|monatslohn|monatlich\w*|monatsbrutto|bruttomonats\w+|mensuel(?:le)?"
    r"|mensual(?:es)?|mensal|mensais|mensile|maandsalaris|maandloon"
    r"|brutomaand\w+|maandelijks\w*|månadslön|månedsløn|månedslønn|miesięczn\w*|měsíčn\w*|havi|kuukausipalkka|aylık"
    r"|ежемесячн\w*|lunar",
    PayPeriod.YEAR: r"annual(?:ly|i[sz]ed)?|yearly|annum|jahresgehalt|jahresbrutto\w*|bruttojahres\w+"
    r"|jahreszielgehalt|jährlich\w*|annuel(?:le)?s?|anual(?:es)?|anua(?:is)?|annu[ao]|ral"
    r"|jaarsalaris|brutojaar\w+|årslön|årsløn|årslønn|roczn\w*|ročn\w*|éves|vuosipalkka|yıllık|годов\w+|lpa|ctc",
}
_GLYPH_PERIODS = {
    PayPeriod.YEAR: "年薪|年収|年俸|연봉|年間|年间",
    PayPeriod.MONTH: "月薪|月給|月収|月额|월급|每月",
    PayPeriod.HOUR: "时薪|時薪|時給|시급",
    PayPeriod.DAY: "日薪|日給|일급|日当",
    PayPeriod.WEEK: "周薪|週薪|週給|주급",
}
_NOT_OF_PAY = frozenset(
    ("leave", "bonus", "bonuses", "holiday", "holidays", "review", "reviews", "budget", "revenue", "revenues",
     "allowance", "performance", "commission", "target", "growth", "vacation")
)  # fmt: skip


@lru_cache(maxsize=8192)
def _word_period(word: str) -> PayPeriod | None:
    glyphs = word[0] >= FIRST_GLYPH
    for period, pattern in (_GLYPH_PERIODS if glyphs else _WORD_PERIODS).items():
        if re.search(pattern, word) if glyphs else re.fullmatch(pattern, word):
            return period
    return None


def period_named(words: list[str]) -> PayPeriod | None:
    """The period that the words before an amount name, the nearest one first: "monthly salary of", "valor por hora"."""
    following = ""
    for index in range(len(words) - 1, max(-1, len(words) - 14), -1):
        word = words[index]
        if (period := _word_period(word)) and following not in _NOT_OF_PAY:
            return period
        if (
            index
            and words[index - 1] in ("per", "a", "pro", "por", "par", "week")
            and (match := _UNIT_WORD.fullmatch(word))
            and word != "a"
        ):
            return period_of(match)
        following = word
    return None


_UNIT_WORD = re.compile(
    "(?P<u_hour>hour|stunde|heure|hora)|(?P<u_day>day|tag|jour)|(?P<u_week>week|woche|semaine)|(?P<u_month>month"
    "|monat|mois|mes|mês)|(?P<u_year>year|jahr|annum|année)"
)


def period_of(match: re.Match[str]) -> PayPeriod | None:
    """The period a match of `PERIOD_AFTER` names."""
    for name, found in match.groupdict().items():
        if found and name[1:2] == "_":
            return PayPeriod(name[2:])
    return None


class Sense(Enum):
    """What a word near an amount says of it."""

    PAY = auto()
    OTHER = auto()
    SOFT = auto()
    """Something else, unless the amount is plainly a salary: words that job titles have as well."""
    NONE = auto()


_PAY = re.compile(
    r"salar(?:y|ies)|pay(?:s|ing|rate)?|wages?|compensation|comp|remuneration|rates?|stipend|ote|earn(?:s|ings?)?"
    r"|income|basic|base|gross|tc|ctc|package|contractor"
    r"|\w*gehalts?|gehälter|gehaltsspanne|gehaltsband\w*|\w*vergütung|\w*lohn|verdienst\w*|entgelt\w*|einkommen"
    r"|brutto\w*|jahresbrutto\w*"
    r"|salaires?|rémunération|remuneration|rému|rem|brut|gratification|tjm|fixe|salariale?|fourchette"
    r"|salarios?|sueldos?|remuneraci[oó]n|retribuci[oó]n|bruto\w*|rango|renta"
    r"|sal[áa]rios?|salarial|remuneraç[ãa]o|bolsa|hora|clt|faixa|pretensão|pj"
    r"|retribuzion[ei]|stipendio|ral|compenso|lordi|lordo"
    r"|\w*salaris|salarisrange|salarisindicatie|salarisschaal|salarissen|maandsalaris|loon|uurloon|stagevergoeding"
    r"|verdien\w*|tarief|uurtarief"
    r"|\w*lön|lönespann|løn|\w*lønn?|palkka\w*|\w*palkka|wynagrodzeni\w+|pensja|stawka|wideł\w+|netto|mzd[ay]|plat"
    r"|odměna|fizetés|\w*bér|bruttó"
    r"|maaş\w*|ücret\w*|salariu\w*|зарплат\w+|оклад\w*|зп|доход|вилка|заработн\w+|שכר|משכורת|راتب|الراتب|lương|nhập"
    r"|gaji|upah|เงินเดือน|वेतन|b2b|w2|c2c"
)
_PAY_GLYPH = re.compile(
    "薪|工资|工資|報酬|报酬|年収|月収|月給|時給|日給|給与|給料|年俸|연봉|급여|월급|시급|임금|보수|เงินเดือน|[💰💸💵💴💶💷🤑]"
)
_OTHER = re.compile(
    r"rais(?:ed|es|e|ing)|fund(?:ed|ing|s|raise|raising)?|series|seed|valuation|valued|invest(?:ed|ments?|ors?)"
    r"|backed|venture|ipo|acquisition|acquired|revenues?|turnover|arr|mrr|gmv|aum"
    r"|worth|invoices?|savings?|spend|portfolio|exploits?|donat\w+|grants?|philanthrop\w+|quota|deals?|acv|budgets?"
    r"|pric(?:e|ed|es|ing)|costs?|prizes?|awards?|gifts?|debt|loans?|fines?"
    r"|allowances?|reimburs\w+|subsid(?:y|ies|ised|ized)|vouchers?|perks?|insurance|match|matching|hsa|fsa|gym"
    r"|wellness|wellbeing|lunch\w*|meals?|setup|relocation|housing|commut\w+|tuition"
    r"|coverage|lifetime|deductible|childcare|fertility|bonus(?:es)?|referrals?|refer|retention|commissions?"
    r"|incentives?|overtime|differential|tips|rsus?|signing|tax|fee|fees|cash"
    r"|zuschuss\w*|\w+zuschuss|\w+budget|\w*umsatz\w*|\w*prämien?|\w*zulage|gutschein\w*|sachbezug|weihnachtsgeld"
    r"|urlaubsgeld|fahrtkosten\w*|altersvorsorge|finanzierung\w*"
    r"|affaires|levées?|levé|mutuelle|remboursement\w*|ticket|tickets|titres?|swile|prise|indemnités?|primes?"
    r"|cooptation|abonnements?|concerts?|budgets?"
    r"|faturamento|receita|aux[ií]lio\w*|vale|cesta|cart[ãa]o|reembolso|ajuda|b[ôo]nus|bonifica\w+|beneflex"
    r"|benef[ií]cios?|mensalidade|coparticipação|seguro|premia\w+|plr|comiss\w+|or[çc]amento|reais para"
    r"|presupuesto|facturaci[oó]n|bonos?|prestaciones|ayuda|inversi[oó]n|comisi[oó]n(?:es)?|vales?|fondos?"
    r"|fatturato|buoni?|rimborso|premio|welfare|omzet|\w+vergoeding|\w*toeslag|reiskosten\w*|vakantiegeld"
    r"|friskvård\w*|\w*bidrag|omsättning|omsetning|dofinansowani\w+|premi[ai]|obr[óo]t|příspěvek|stravenk\w*|бонус\w*"
    r"|преми\w+|оборот|בונוס\w*|מענק"
)
_OTHER_GLYPH = re.compile(
    "补助|補助|津贴|津貼|补贴|補貼|奖金|獎金|福利|手当|賞与|融资|融資|募资|募資|营收|營收|보너스|수당|복지|대출"
)
_SOFT = re.compile(
    r"sales?|industry|market(?:s|place)?|assets|volume|customers?|clients?|users?|economy|profit|transactions?"
    r"|payments?|process(?:ed|ing)?|manag(?:e|ed|ing)|initiative|capital|round|orders?|tokens?"
    r"|benefits?|food|office|equipment|laptop|phone|mobile|internet|transport\w*|travel|education\w*|learning"
    r"|training\w*|conferences?|courses?|certifications?|pension|pensioen|retirement|medical"
    r"|dental|vision|development|books?|stock|equity|options?|shares|variable|credits?|adoption|fitness|investing"
    r"|plano|plan|save|saved|saving|over|account|accounts|product|platform|companies"
)
_NEGATIVE_PAIRS = frozenset(
    ("sign on", "home office", "set up", "pre seed", "vr de", "va de", "vt de", "chiffre d", "on bonus")
)
_PAY_PAIRS = frozenset(
    (
        "on target",
        "for this role",
        "this role",
        "this position",
        "the role",
        "the position",
        "guaranteed minimum",
        "and benefits",
        "total cash",
        "cash compensation",
    )
)


@lru_cache(maxsize=32768)
def sense(word: str) -> Sense:
    """What one lower-case word says of the amount it stands near."""
    if word[0] >= FIRST_GLYPH:
        # In a run of ideographs the thing named last is what the amount is of.
        last_pay = max((m.end() for m in _PAY_GLYPH.finditer(word)), default=-1)
        last_other = max((m.end() for m in _OTHER_GLYPH.finditer(word)), default=-1)
        if last_pay == last_other:
            return Sense.NONE
        return Sense.PAY if last_pay > last_other else Sense.OTHER
    if _PAY.fullmatch(word):
        return Sense.PAY
    if _OTHER.fullmatch(word):
        return Sense.OTHER
    return Sense.SOFT if _SOFT.fullmatch(word) else Sense.NONE


def pair_sense(first: str, second: str) -> Sense:
    """What two words together say where neither does alone, or where both say more than one."""
    pair = f"{first} {second}"
    if pair in _PAY_PAIRS:
        return Sense.PAY
    return Sense.OTHER if pair in _NEGATIVE_PAIRS else Sense.NONE


_BASE = re.compile(
    r"base|basic|gross|brutto\w*|bruto\w*|bruts?|bruttó|grundgehalt|fixgehalt|fixe|fixum|lordi|lordo|hrub\w+"
    r"|jahresbrutto\w*|monatsbrutto|bruttomånadslön"
)
_BASE_GLYPH = re.compile("底薪|基础薪资|基本工资|基本給|기본급")
_TOTAL = re.compile(r"ote|tc|ctc|zielgehalt|jahreszielgehalt|zieleinkommen|gesamtvergütung|package|salarispakket")
_TOTAL_OF = frozenset(["cash", "comp", "compensation", "target", "package", "pay", "earnings", "remuneration"])


@lru_cache(maxsize=8192)
def component_named(word: str, following: str, after_that: str) -> PayComponent | None:
    """The component one word names, read with the two words behind it."""
    if word[0] >= FIRST_GLYPH:
        if _BASE_GLYPH.search(word):
            return PayComponent.BASE
        return PayComponent.TOTAL if "总包" in word or "總包" in word else None
    if _BASE.fullmatch(word):
        return PayComponent.BASE
    if _TOTAL.fullmatch(word) and following not in ("includes", "including"):
        return PayComponent.TOTAL
    if word == "total" and (following in _TOTAL_OF or after_that in _TOTAL_OF):
        return PayComponent.TOTAL
    if (word, following) in (("on", "target"), ("all", "in"), ("rémunération", "totale")):
        return PayComponent.TOTAL
    return None


_WORD = re.compile(r"[^\W\d_]+|[💰💸💵💴💶💷🤑]")


def words_of(text: str) -> list[str]:
    """The words of a window, lower-case."""
    return _WORD.findall(text.lower())


FROM = re.compile(
    r"(?:(?<![^\W\d_])(?:from|starting (?:at|from)|starts? (?:at|from)|start at|at least|minimum(?: of)?|min\.?|no"
    r" less than|over|above|more than|ab|mindestens|mind\.?|à partir de|a partir de|dès|minimum de"
    r"|desde|m[ií]nimo(?: de)?|da|a partire da|vanaf|minimaal|från|fra|min|od|от|від|alkaen|legalább|החל מ-?|від|trên"
    r"|từ|mulai|(?:minimum )(?:compensation|salary|pay|rate)[:\s]*)[\s:(]*|起薪)$",
    re.IGNORECASE,
)
UP_TO = re.compile(
    r"(?:(?<![^\W\d_])(?:up to|upto|max(?:imum)?\.?(?: of)?|as (?:much|high) as|below|under|bis(?: zu)?"
    r"|jusqu['’]?(?:à|a)|jusqu[’']à|hasta|m[áa]ximo(?: de)?|até|ate|fino a|tot(?: maximaal)?|maximaal|upp till|opp"
    r" til|op til|til|do"
    r"|до|asti|akár|עד|tới|đến|lên đến|up to a maximum of|(?:maximum )(?:compensation|salary|pay"
    r"|rate)[:\s]*)[\s:(]*(?:de\s)?|最高|最大)$",
    re.IGNORECASE,
)
OPEN_END = re.compile(
    r"\s*(?:(?:人民币|或等值美元|RMB|USD|税前)*\s?(?:起|以上|から)|up\b|(?:and )?above"
    r"|and up|or more|guaranteed minimum"
    r"|[~〜～](?=\s*(?:$|[A-Za-z]|[)】])))",
    re.IGNORECASE,
)
BETWEEN = re.compile(
    r"(?:\bbetween|\bzwischen|\bentre|\btussen|\bmellan|\bmellem|\btra|\bfra|\bpomiędzy|\bmiędzy|\bmezi|\bмежду"
    r"|\bfrom|\bde|\bmin(?:imum|\.)?(?: of)?|\bbetween the|\bvon|\bvan|\bbetweeen)\b.{0,25}$",
    re.IGNORECASE,
)
