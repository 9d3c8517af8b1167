"""What one statement of a posting asks for: skills, years, a degree, a language, permission to work."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from jobctrl.scoring.lexicon import mentions
from jobctrl.scoring.terms import words_of


@dataclass(frozen=True)
class LanguageNeed:
    """A human language, ISO 639-1, and the least CEFR rank (1 to 6, 7 for native), 0 when none is stated."""

    code: str
    rank: int


@dataclass(frozen=True)
class Needs:
    skills: tuple[str, ...] = ()
    alternatives: bool = False
    """One of the skills is enough."""
    years: float | None = None
    degree: int = 0
    """0 none, 1 school, 2 associate, 3 bachelor, 4 master, 5 doctorate."""
    degree_or_experience: bool = False
    languages: tuple[LanguageNeed, ...] = ()
    authorised_in: str | None = None
    """ISO alpha-2 (or EU) where the posting wants the person to be allowed to work."""
    citizen_of: str | None = None
    no_sponsorship: bool = False
    clearance: bool = False
    soft: bool = False
    logistics: bool = False
    employer_condition: bool = False


_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "dois": 2, "três": 3, "cinco": 5, "dos": 2, "tres": 3, "zwei": 2, "drei": 3, "fünf": 5, "deux": 2, "trois": 3,
    "cinq": 5, "dwa": 2, "trzy": 3, "שנתיים": 2, "שלוש": 3,
}  # fmt: skip
_YEARS = re.compile(
    rf"(?<![\d.,$€£])\b(?P<low>\d{{1,2}}(?:[.,]5)?|{'|'.join(_NUMBERS)})\s*(?:\+|\(\d+\)|plus|or more|ou mais|o más)?\s*"
    r"(?:(?:-|–|—|to|a|bis|à|do)\s*\d{1,2})?\s*\+?\s*(?:full\s+)?"
    r"(?:years?|yrs?|anos?|años?|ans?|jahren?|lata?|roku|anni|jaar|שנים|שנות|שנה)\b(?!\s*(?:old|of age|ago|in business))['’]?",
    re.IGNORECASE,
)
_PERIOD_BEFORE = re.compile(r"(?:last|past|over the|next|every|within|for over|founded|first)\s*$", re.IGNORECASE)
_ALTERNATIVES = re.compile(
    r"\b(?:or|such as|e\.g|like|similar|one of|any of|at least one|either|one or more|ou|oder|lub|equivalent)\b"
    r"|(?<=\w)/(?=\w)|\betc\b",
    re.IGNORECASE,
)
_DEGREES = (
    (5, re.compile(r"\b(?:ph\.?\s?d|doctora\w+|doutorado|promotion in|doktor\w*)\b", re.IGNORECASE)),
    (4, re.compile(r"\b(?:master'?s?(?:'| degree| of| in)|m\.?sc\b|mba|mestrado|maîtrise universitaire|bac\s?\+\s?5|"
                   r"magister|laurea magistrale|máster)", re.IGNORECASE)),
    (3, re.compile(r"\b(?:bachelor'?s?|b\.?sc\b|b\.?s\.?/|\bbs/|\bbs in|b\.?tech|undergraduate degree|university degree|"
                   r"college degree|degree in|graduação|ensino superior|superior completo|bac\s?\+\s?3|hochschul\w+|"
                   r"studium|licence|licenciatura|grado en|wykształcenie wyższe|laurea|hbo|wo-niveau|degree|formação)",
                   re.IGNORECASE)),
    (2, re.compile(r"\b(?:associate'?s?(?:'| degree)|técnico|bac\s?\+\s?2|ausbildung)", re.IGNORECASE)),
    (1, re.compile(r"\b(?:high school|ged|ensino médio|abitur|secondary school)\b", re.IGNORECASE)),
)  # fmt: skip
_OR_EXPERIENCE = re.compile(
    r"\b(?:or|ou|oder|o)\b[^.;]{0,40}\b(?:equivalent|experience|similar|comparable|equivalente|experiência|vergleichbar\w*)"
    r"|\bin[- ]lieu\b|\bequivalent (?:practical |work |professional )?experience",
    re.IGNORECASE,
)
_LANGUAGES = {
    "en": "english inglês inglés englisch englische englischkenntnisse anglais angielski angielskiego inglese engels",
    "de": "german alemão alemán deutsch deutschkenntnisse allemand niemiecki niemieckiego tedesco duits",
    "fr": "french francês francés französisch français francuski francese frans",
    "es": "spanish espanhol español spanisch espagnol hiszpański spagnolo spaans castellano",
    "pt": "portuguese português portugués portugiesisch portugais portugalski portoghese portugees",
    "it": "italian italiano italienisch italien włoski italiaans",
    "nl": "dutch holandês holandés niederländisch néerlandais niderlandzki olandese nederlands",
    "pl": "polish polonês polaco polnisch polonais polski polskiego polacco pools",
    "ru": "russian russo ruso russisch russe rosyjski",
    "uk": "ukrainian ucraniano ukrainisch ukrainien ukraiński",
    "zh": "chinese mandarin cantonese chinês chino chinesisch chinois",
    "ja": "japanese japonês japonés japanisch japonais",
    "ko": "korean coreano koreanisch coréen",
    "ar": "arabic árabe arabisch arabe",
    "he": "hebrew hebraico hebreo hebräisch hébreu",
    "tr": "turkish turco türkisch turc",
    "hi": "hindi",
    "sv": "swedish sueco schwedisch suédois svenska",
    "da": "danish dinamarquês danés dänisch danois dansk",
    "no": "norwegian norueguês noruego norwegisch norsk",
    "fi": "finnish finlandês finés finnisch finnois suomi",
    "cs": "czech tcheco checo tschechisch tchèque čeština",
    "ro": "romanian romeno rumano rumänisch roumain",
    "hu": "hungarian húngaro ungarisch hongrois",
    "vi": "vietnamese", "th": "thai", "id": "indonesian bahasa", "el": "greek griechisch grec", "bg": "bulgarian",
}  # fmt: skip
_CODE_OF = {word: code for code, words in _LANGUAGES.items() for word in words.split()}
_WORD = re.compile(r"[^\W\d_]+")
_LANGUAGE_CUE = re.compile(
    r"\b(?:fluen\w*|native|speak\w*|spoken|written|verbal|oral|communicat\w*|proficien\w*|languages?|conversational|"
    r"bilingual|command|advanced|intermediate|[abc][12]|fluente|avançado|intermediário|fließend\w*|verhandlungssicher\w*|"
    r"courant\w*|bilingue|fluido|avanzado|biegł\w*|znajomość|język\w*|\w*kenntnisse|nível|nivel|niveau|level|langue|"
    r"idioma|sprache\w*|muttersprach\w*|leitura|escrita|conversação|fluência|ottima|vloeiend|good|excellent|strong)\b"
    r"|^\W*\w+\W*$|[:(]",
    re.IGNORECASE,
)
_RANKS = (
    (7, re.compile(r"\b(?:native|mother tongue|muttersprach\w*|nativ[oe]|langue maternelle|ojczysty)\b", re.IGNORECASE)),
    (6, re.compile(r"\bc2\b", re.IGNORECASE)),
    (5, re.compile(r"\b(?:c1|fluen\w*|bilingu\w+|fließend\w*|verhandlungssicher\w*|courant|fluente|avançado|advanced|"
                   r"biegł\w*|vloeiend|excellent|full professional)\b", re.IGNORECASE)),
    (4, re.compile(r"\b(?:b2|professional|proficien\w*|strong|good|gute\w*|upper[- ]intermediate)\b", re.IGNORECASE)),
    (3, re.compile(r"\b(?:b1|intermediate|conversational|intermediário|intermedio)\b", re.IGNORECASE)),
    (2, re.compile(r"\b(?:a2|basic|elementary|básico|grundkenntnisse)\b", re.IGNORECASE)),
    (1, re.compile(r"\ba1\b", re.IGNORECASE)),
)  # fmt: skip
_PLACES = {
    "US": r"u\.?s\.?a?\.?|united states(?: of america)?|america",
    "GB": r"u\.?k\.?|united kingdom|great britain|britain",
    "EU": r"e\.?u\.?|european union|europe|eea",
    "CA": r"canada",
    "AU": r"australia",
    "NZ": r"new zealand",
    "DE": r"germany|deutschland",
    "FR": r"france",
    "ES": r"spain|españa",
    "PT": r"portugal",
    "IT": r"italy|italia",
    "NL": r"(?:the )?netherlands|nederland",
    "PL": r"poland|polska",
    "IE": r"ireland",
    "CH": r"switzerland|schweiz",
    "IN": r"india",
    "BR": r"brazil|brasil",
    "MX": r"mexico|méxico",
    "SG": r"singapore",
    "JP": r"japan",
    "ZA": r"south africa",
    "IL": r"israel",
}
_ANY_PLACE = "|".join(f"(?P<{code}>{words})" for code, words in _PLACES.items())
_YEAR_WORDS = frozenset(
    "year years yr yrs ano anos año años an ans jahr jahre jahren lat lata roku anni jaar שנים שנות שנה".split()
)
_DEGREE_HINTS = (
    "degree", "bachelor", "master", "phd", "ph.d", "doctor", "msc", "m.sc", "bsc", "b.sc", "mba", "bs/", "b.s", "bs in",
    "b.tech", "btech", "gradua", "superior", "bac", "studium", "hochschul", "licence", "licencia", "grado en", "wyksztalc",
    "wykształc", "laurea", "hbo", "wo-niveau", "formação", "associate", "técnico", "ausbildung", "high school", "ged",
    "ensino", "abitur", "secondary school", "mestrado", "máster", "magister", "doutor", "promotion in",
)  # fmt: skip
_WORK_WORDS = frozenset(
    "authorized authorised authorization authorisation right eligible eligibility legally permit entitled arbeitserlaubnis "
    "permis permiso autorização".split()
)
_CITIZEN_WORDS = frozenset("citizen citizens citizenship national nationals person persons".split())
_CHECK_WORDS = frozenset("check checks test testing screen screening record verify employment führungszeugnis".split())
_LOGISTICS_WORDS = frozenset(
    """travel relocate relocation relocating commute commuting onsite site office person hybrid time timezone timezones zone
    zones overlap shift shifts weekend weekends based located reside live hours available availability start days viagens
    disponibilidade reisebereitschaft déplacements disponibilidad""".split()
)
_AUTHORISED = re.compile(
    r"(?:\bauthori[sz](?:ed|ation) to work|\bwork authori[sz]ation|\bright to work|\beligible to work|\blegally work|"
    r"\bwork permit|\bentitled to work|\beligibility to work|\barbeitserlaubnis|\bpermis de travail|"
    r"\bpermiso de trabajo|\bautorização para trabalhar)(?:[^.;\n]{0,60}?\b(?:in|for|for any|within)\s+(?:the\s+)?"
    rf"(?:{_ANY_PLACE})(?![\w.]*\w))?",
    re.IGNORECASE,
)
_CITIZEN = re.compile(
    rf"\b(?:{_ANY_PLACE})(?:'s)?\s+(?:citizens?(?:hip)?|nationals?|persons?)\b(?! or (?:permanent|green|authori))"
    r"|\bcitizens?(?:hip)? (?:of|in) (?:the )?",
    re.IGNORECASE,
)
_NO_SPONSORSHIP = re.compile(
    r"\b(?:not|unable to|cannot|can't|won't|don't|doesn't|no|without|isn't|aren't|neither)\b[^.;\n]{0,60}?\b(?:visa )?"
    r"sponsor(?:ship|ed|ing)?\b"
    r"|\bsponsorship\b[^.;\n]{0,30}\b(?:not|un)\s?(?:be )?(?:available|provided|offered|possible)|\bkein visa\b",
    re.IGNORECASE,
)
_SPONSORS = re.compile(
    r"\b(?:we|will|can|do|happy to|able to)\s+(?:also |gladly )?(?:sponsor|offer (?:visa )?sponsorship|provide (?:visa )?"
    r"sponsorship)\b|\b(?:visa )?sponsorship (?:is )?(?:available|offered|provided|possible)\b",
    re.IGNORECASE,
)
_CLEARANCE = re.compile(
    r"\b(?:security clearance|ts/sci|top secret|secret clearance|polygraph|sc clear\w*)\b", re.IGNORECASE
)
_SOFT_WORDS = frozenset(
    """interpersonal passion passionate curious curiosity organized organised organizational adaptable adaptability flexible
    flexibility proactive proactively ownership initiative enthusiastic enthusiasm empathy empathetic humble humility
    collaborate collaborative collaboration collaboratively entrepreneurial mindset eager willing willingness multitask
    prioritize prioritise reliable integrity autonomy autonomous autonomously independently motivated motivation love loves
    thrive thrives communicate communicates communication communicator judgment judgement ambiguity pragmatic positive
    decisive customer-obsessed rigor rigour resilient resilience comunicação comunicativo proativo proatividade organização
    autonomia kommunikationsfähigkeit teamfähigkeit eigenverantwortlich selbstständig selbständig autonomie rigueur
    komunikatywność samodzielność zelfstandig""".split()
)
_SOFT = re.compile(
    r"\b(?:team[- ]?play|self[- ](?:motivated|starter|driven|directed|sufficient)|attention to detail|detail[- ]oriented|"
    r"problem[- ]sol|time management|critical thinking|work ethic|desire to|sense of humou?r|trabalho em equipe|"
    r"esprit d'équipe|trabajo en equipo|lavoro di squadra)",
    re.IGNORECASE,
)
_LOGISTICS = re.compile(
    r"\b(?:travel|relocat\w+|commut\w+|on[- ]?site|in[- ]office|in[- ]person|hybrid|time ?zones?|overlap|shifts?|weekends?|"
    r"based in|located in|reside in|live in|hours (?:per|a) week|availab\w+ (?:to|for)|start (?:date|immediately)|"
    r"office days|viagens|disponibilidade|reisebereitschaft|déplacements|disponibilidad)\b",
    re.IGNORECASE,
)
_EMPLOYER_CONDITION = re.compile(
    r"\b(?:background check|drug (?:test|screen)\w*|reference checks?|criminal record|credit check|e-verify|"
    r"pre-employment|führungszeugnis)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)
def read_needs(text: str) -> Needs:
    """What *text*, one statement of a posting, asks for."""
    named = mentions(text)
    skills = tuple(dict.fromkeys(m.term for m in named))
    words = words_of(text)
    lowered = text.lower()
    authorised = _AUTHORISED.search(text) if _WORK_WORDS & words else None
    citizen = _CITIZEN.search(text) if _CITIZEN_WORDS & words else None
    degree = _degree(text) if any(hint in lowered for hint in _DEGREE_HINTS) else 0
    return Needs(
        skills=skills,
        alternatives=len(skills) > 1 and _one_is_enough(text, named[0].end, named[-1].start),
        years=_years(text) if _YEAR_WORDS & words else None,
        degree=degree,
        degree_or_experience=bool(degree and _OR_EXPERIENCE.search(text)),
        languages=_languages(text) if not words.isdisjoint(_CODE_OF) else (),
        authorised_in=_place(authorised) or ("" if authorised else None),
        citizen_of=_place(citizen),
        no_sponsorship="sponsor" in lowered
        and not offers_sponsorship(text)
        and _NO_SPONSORSHIP.search(text) is not None,
        clearance=_CLEARANCE.search(text) is not None if "clear" in lowered or "secret" in lowered else False,
        soft=not skills and (bool(_SOFT_WORDS & words) or _SOFT.search(text) is not None),
        logistics=not skills and bool(_LOGISTICS_WORDS & words) and _LOGISTICS.search(text) is not None,
        employer_condition=bool(_CHECK_WORDS & words) and _EMPLOYER_CONDITION.search(text) is not None,
    )


def offers_sponsorship(text: str) -> bool:
    """Whether the posting says that it sponsors visas."""
    return _SPONSORS.search(text) is not None and _NO_SPONSORSHIP.search(text) is None


def _degree(text: str) -> int:
    return next((rank for rank, pattern in _DEGREES if pattern.search(text)), 0)


def speaks_of_eligibility(text: str) -> bool:
    """A cheap look: whether *text* may ask for a language or for permission to work."""
    words = words_of(text)
    return (
        not (words.isdisjoint(_CODE_OF) and words.isdisjoint(_WORK_WORDS | _CITIZEN_WORDS)) or "sponsor" in text.lower()
    )


def rank_of(level: str) -> int:
    """The rank of a language level: 1 to 6 for A1 to C2, 7 for native, 0 when it says none."""
    return next((rank for rank, pattern in _RANKS if pattern.search(level)), 0)


def _one_is_enough(text: str, first_end: int, last_start: int) -> bool:
    between = text[first_end:last_start]
    before = text[max(0, first_end - 60) : first_end]
    return (
        _ALTERNATIVES.search(between) is not None
        or re.search(r"\b(?:such as|e\.g|like|one of|any of)\b", before) is not None
    )


def _years(text: str) -> float | None:
    for match in _YEARS.finditer(text):
        if _PERIOD_BEFORE.search(text, 0, match.start()):
            continue
        low = match["low"].lower().replace(",", ".")
        years = float(_NUMBERS[low]) if low in _NUMBERS else float(low)
        if 0 < years <= 25:
            return years
    return None


def _languages(text: str) -> tuple[LanguageNeed, ...]:
    found: dict[str, int] = {}
    for match in _WORD.finditer(text):
        code = _CODE_OF.get(match.group().lower())
        around = text[max(0, match.start() - 60) : match.end() + 40]
        if code is not None and _LANGUAGE_CUE.search(around):
            found.setdefault(code, rank_of(around))
    return tuple(LanguageNeed(code, rank) for code, rank in found.items())


def _place(match: re.Match[str] | None) -> str | None:
    if match is None:
        return None
    return next((code for code, words in match.groupdict().items() if words), None)
