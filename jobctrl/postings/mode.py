"""Remote, hybrid or on-site: what a text states about where the work is done, and what only uses the words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from jobctrl.postings.model import Span, WorkMode


@dataclass(frozen=True)
class ModeStatement:
    """One statement of a work mode; `positive` is false for "not remote"."""

    mode: WorkMode
    span: Span
    positive: bool = True


_DAYS = r"(?:\d|one|two|three|four|five)(?:\s*(?:-|–|to|or)\s*(?:\d|five|four|three|two))?\s*\+?\s*(?:days?|x)"
# Words that are a work mode wherever they stand in a line about the place of work.
_LINE_HYBRID = (
    r"hybrid[eo]?s?|h[ií]brid[oa]s?|ibrid[oa]|hybrydow\w*|hibrit|hibrid\w*|гибридн\w*|гибрид|гібридн\w*|混合办公|混合|ハイブリッド(?:勤務)?|하이브리드"
    r"|(?:partial(?:ly)?|partly|part[- ]?time|part|semi|teilweise|some|occasional|mostly)[\s-]*(?:remote(?:ly)?|home[\s-]?office|onsite|on-site)"
    r"|t[ée]l[ée]travail partiel|remote[\s-]+hybrid"
    rf"|{_DAYS}\s*(?:(?:a|per|/|each)\s*(?:week|month|wk|mo)\s*)?(?:in|at|from)\s+(?:the\s+|our\s+)?(?:office|hq)|{_DAYS}\s*(?:(?:a|per|/)\s*(?:week|month|wk)\s*)?in[\s-]office"
    rf"|{_DAYS}\s*(?:a|per|/)\s*(?:week|month|wk|mo)\s+(?:on-?site|in[\s-]person)"
)
_LINE_REMOTE = (
    r"(?:100\s*%|full(?:y)?|completely|entirely|all)[\s-]*remote(?:ly)?|remote[\s-]*(?:first|friendly|only|ok|eligible|based|work(?:ing)?|possible|option(?:al)?)"
    r"|remote(?:ly)?|remot[oa]s?|work(?:ing)?[\s-]+from[\s-]+(?:home|anywhere)|wfh|wfa|home[\s-]?office|homeoffice|home[\s-]?based|virtual|telework\w*|telecommut\w*"
    r"|t[ée]l[ée]travail|[àa] distance|distanciel|teletrabajo|teletrabalho|a distancia|smart[\s-]?working|da remoto|zdaln\w+|praca zdalna|thuiswerk\w*|op afstand"
    r"|удал[её]нн?\w*|дистанционн\w*|віддален\w*|远程(?:办公|工作|合作)?|遠端|遠程|居家(?:办公)?|移动办公|在家(?:办公)?|在宅(?:勤務|ワーク)?|(?:フル)?リモート(?:ワーク|勤務)?|원격|재택(?:근무)?"
    r"|uzaktan|v[ií]zd[aá]len\w*|na d[aá]lku|distansarbete|p[åa] distans|et[äa]ty[öo]|hjemmekontor|fjernarbe\w+|távmunka|munca de la distanță|من بعد|عن بعد"
)
_LINE_ON_SITE = (
    r"on[\s-]?site|onsite|in[\s-]office|in[\s-]the[\s-]office|office[\s-]based|in[\s-]person|vor[\s-]ort|pr[äa]senz\w*|presencial|presenciais|sur site|sur place|(?:en )?pr[ée]sentiel|in presenza|in sede"
    r"|op locatie|op kantoor|stacjonarn\w*|в офисе|офис|现场(?:办公)?|坐班|到岗|線下|线下|出社|常駐|사무실|p[åa] plats|ofiste"
)
_LINE = re.compile(
    rf"(?<!\w)(?:(?P<hybrid>{_LINE_HYBRID})|(?P<remote>{_LINE_REMOTE})|(?P<on_site>{_LINE_ON_SITE}))(?!\w)"
    r"|(?P<han_hybrid>混合办公)|(?P<han_remote>远程(?:办公|工作|合作)?|遠端|居家(?:办公)?|移动办公|在家办公|在宅勤務|リモート(?:ワーク|勤務)?|재택근무)|(?P<han_on_site>现场办公|坐班|到岗)",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?:(?:\b(?:not|no|non|never|isn['’]?t|cannot|can['’]?t|without|kein(?:e|en)?|nicht|pas|sans|niet|geen|sin|n[ãa]o|nie|non|ohne|bez|не|ei|inte|ikke)\b"
    r"[\s-]*(?:\b(?:be|a|an|eligible for|available|possible|de|currently|offer(?:ing)?|open to|fully|100%|allow(?:ing)?|considered|as)\b\s*){0,3})|不接受|不支持|不能|不可|非)\s*\Z",
    re.IGNORECASE,
)
_NEGATED_AFTER = re.compile(
    r"\s*(?:(?:work|position|option|working|role)s?\s*)?(?::\s*no\b|is not\b|isn['’]?t\b|are not\b|not (?:available|possible|an option|offered|allowed|considered|eligible)\b|nicht möglich\b|no disponible\b)",
    re.IGNORECASE,
)

# In prose the same words name other things far more often; a statement needs the words of a job about them.
_ROLE = r"(?:role|position|job|opportunity|work(?:ing|place|force|er|ers|week|space)?|employees?|candidates?|applicants?|basis|schedule|arrangements?|model|set-?up|environment|policy|option|team ?mates?|hire|contract|internship|opening|vacancy|culture|approach|company|first|friendly|eligible|only|location)"
_PROSE_REMOTE = (
    rf"(?:100\s*%|fully|completely|entirely|primarily|permanently|truly)[\s-]+remote(?:ly)?|remote(?:ly)?[\s-]+{_ROLE}\b"
    r"|(?:work(?:ing|s)?|located|based|operate|hire|hiring|live)\s+(?:\w+\s+){0,2}remotely"
    r"|(?:is|be|are|as|this|work|working|location|mode|type)\s*:?\s+(?:a\s+|an\s+|also\s+)?remote(?!\w)(?!\s+(?:access|sens|desktop|control|server|team|monitor|support|site|code|procedure|user|client|location)\w*)"
    r"|open to remote|remote(?:\s+(?:within|from|in|across|anywhere|based in|possible|or hybrid|or on))|remote[\s-]?(?:first|friendly)"
    r"|remote\s*[,(|/]|(?:^|[|/(,•·-]\s*)remote(?=\s*(?:$|[|/),;•·]))|#li-remote"
    r"|work(?:ing)?[\s-]+from[\s-]+(?:home|anywhere)|wfh|telework\w*|telecommut\w*"
    r"|home[\s-]?office[\s-](?:m[öo]glich|anteil|tage)|(?:100\s*%|komplett|vollst[äa]ndig|voll)\s+(?:remote|home[\s-]?office)|remote[\s-](?:m[öo]glich|arbeit\w*|job|stelle)|mobiles arbeiten"
    r"|(?:en|full|100\s*%)\s+t[ée]l[ée]travail|t[ée]l[ée]travail (?:complet|total|possible|[àa] 100)|full remote|trabajo remoto|100\s*% remot[oa]|en remoto|teletrabajo|trabalho remoto|teletrabalho|vaga remota|completamente da remoto|lavoro da remoto"
    r"|prac[aęy] zdaln\w+|zdalnie|volledig (?:remote|thuis)|удал[её]нн\w* (?:работ\w+|формат\w*)|远程办公|远程工作|在宅勤務|フルリモート|リモートワーク"
)
_PROSE_HYBRID = (
    rf"hybrid[\s-]+(?:work\w*|{_ROLE})\b|(?:is|be|a|an|are|our|mode|type|location|work|as)\s*:?\s+hybrid(?=\s*(?:$|[.,;:()|/•]|\bwith\b|\bin\b|\bbased\b|\band\b|\d))"
    r"|hybrid\s*[,(|/]|(?:^|[|/(,•·-]\s*)hybrid(?=\s*(?:$|[|/),;•·]))|#li-hybrid|hybrid\s+(?:in|from|based|\d|three|two|four|one)\b"
    rf"|{_DAYS}\s*(?:(?:a|per|/|each)\s*(?:week|month)\s*,?\s*)?(?:in|at|from)\s+(?:the|our|an|its|your)?\s*(?:\w+\s+){{0,3}}(?:office|hub|headquarters)s?\b"
    rf"|(?:in[\s-](?:the[\s-])?office|on-?site|in[\s-]person|at the office)\s+(?:at least |a minimum of |minimum |for |approximately |about )?{_DAYS}\s+(?:a|per|each|/)\s*(?:week|month)"
    rf"|{_DAYS}\s+(?:a|per|each|/)\s*(?:week|month)\s+(?:on-?site|in[\s-](?:the[\s-])?office|in[\s-]person|from home|remote(?:ly)?)"
    r"|(?:at least\s+)?\d{1,2}\s?%\s+(?:of\s+(?:the|their|your)\s+time\s+)?(?:in|at|on)\b[^.]{0,30}?\b(?:offices?|on-?site)\b|in\s+(?:one of\s+)?our offices?\s+(?:at least\s+)?\d{1,2}\s?% of the time"
    r"|(?:\d|zwei|drei|ein|bis zu \d)\s*(?:tage?)\s*(?:pro woche|/woche|die woche)?\s*(?:home[\s-]?office|remote|im b[üu]ro)|hybrides? arbeit\w*|hybrides? (?:modell|arbeitsmodell)|teilweise (?:remote|home[\s-]?office)"
    r"|\d\s*(?:jours?|j)\s*(?:de\s+)?(?:t[ée]l[ée]travail|par semaine (?:de|en) t[ée]l[ée]travail)|t[ée]l[ée]travail (?:partiel|hybride|\d)|(?:mode|travail|rythme|mod[èe]le) hybride"
    r"|hybride? werk\w*|(?:modelo|trabajo|modalidad|formato|regime|modelo de trabalho|trabalho) h[íi]brid[oa]|modalit[àa] ibrida|lavoro ibrido|prac[aęy] hybrydow\w+|hybrydowo|hybrydow\w+|混合办公|ハイブリッド勤務"
)
_PROSE_ON_SITE = (
    rf"(?:fully|100\s*%|entirely|strictly)[\s-]+(?:on[\s-]?site|in[\s-](?:office|person))|(?:on[\s-]?site|in[\s-](?:office|person))[\s-]+(?:only|{_ROLE})\b"
    r"|(?:is|be|are|this|work(?:ing)?|location|mode|type)\s*:?\s+(?:an?\s+|fully\s+|required to be\s+)?(?:on[\s-]?site|in[\s-]office|in[\s-]person)(?!\s+(?:interview|visit|event|meeting|training|gym|parking|support|cafe|lunch|customer)\w*)"
    r"|(?:on[\s-]?site)\s+(?:in|at|from)\s+(?:the|our)\s+(?:\w+\s+){0,3}(?:office|headquarters|hq|facility|plant|lab|site)|#li-(?:onsite|on-site|office)"
    r"|(?:^|[|/(,•·-]\s*)(?:on[\s-]?site|in[\s-]office|in[\s-]person)(?=\s*(?:$|[|/),;•·]))|(?:work|based)\s+(?:in|from)\s+(?:the|our)\s+(?:\w+\s+){0,2}office\s+(?:full[\s-]time|every day|daily|five days|5 days)"
    r"|(?:five|5)\s+days\s+(?:a|per)\s+week\s+(?:in|from|at)\s+(?:the|our)\s+office|not (?:a )?remote"
    r"|(?:in|100\s*%) pr[äa]senz|arbeit vor ort|vor[\s-]ort[\s-](?:t[äa]tigkeit|arbeit|einsatz)|100\s*% (?:sur site|pr[ée]sentiel)|poste en pr[ée]sentiel|(?:modalidad|trabajo|trabalho|regime|modelo) presencial|100\s*% presencial|lavoro in presenza|praca stacjonarna|stacjonarnie|volledig op kantoor|坐班"
)
_PROSE = re.compile(
    rf"(?<![\w])(?:(?P<hybrid>{_PROSE_HYBRID})|(?P<on_site>{_PROSE_ON_SITE})|(?P<remote>{_PROSE_REMOTE}))", re.IGNORECASE | re.MULTILINE
)
# What makes the words mean a technique, an event or a perk.
_OTHER_USE_AFTER = re.compile(
    r"[\s-]*(?:search|cloud|sensing|desktop|access|server|control|procedure|debug|repositor|code exec|vehicle|electric|sales|infrastructure|app\b|apps\b|mobile|architecture|interview|visit|event|gather|meet|training|gym|parking|lunch|cafe|clinic|child|daycare|retreat|team[- ]?building|customer|client|deployment|monitoring|support\b|onboarding|exam|stipend|allowance|hardware|retriev|database|ai\b|data|it\b|multi|environments?\s+(?:like|such|including))",
    re.IGNORECASE,
)
_CUE = re.compile(r"remot|hybr|h[íi]brid|ibrid|site|office|person|home|b[üu]ro|t[ée]l[ée]|thuis|zdaln|stacjon|presen|pr[äa]senz|vor.ort|wfh|远程|办公|在宅|リモート|ハイブ|坐班|удал|afstand|kantoor", re.IGNORECASE)

_MODES = {"hybrid": WorkMode.HYBRID, "remote": WorkMode.REMOTE, "on_site": WorkMode.ON_SITE}


def read_mode(text: str, *, field: str = "text") -> tuple[ModeStatement, ...]:
    """The statements of a body about the work mode, in order. Techniques, perks, events and interviews are none."""
    if not _CUE.search(text):
        return ()
    return tuple(s for s in _statements(_PROSE, text, field) if not _OTHER_USE_AFTER.match(text, s.span.end))


def read_line_mode(text: str, *, field: str = "text") -> tuple[ModeStatement, ...]:
    """The statements of a line that is about the place of work, where the bare word is enough."""
    return tuple(_statements(_LINE, text, field))


def mode_of_label(label: str | None) -> WorkMode:
    """The mode a vendor's own field names: `ON_SITE`, `Hybrid`, `remote`, `TELECOMMUTE`."""
    if not label:
        return WorkMode.UNKNOWN
    return settle(s.mode for s in read_line_mode(label.replace("_", " ")) if s.positive)[0]


def settle(modes: Iterable[WorkMode]) -> tuple[WorkMode, bool]:
    """One mode out of several statements, and whether they disagree. An open door to remote work is remote."""
    found = {mode for mode in modes if mode is not WorkMode.UNKNOWN}
    for mode in (WorkMode.REMOTE, WorkMode.HYBRID, WorkMode.ON_SITE):
        if mode in found:
            return mode, len(found) > 1
    return WorkMode.UNKNOWN, False


def _statements(pattern: re.Pattern[str], text: str, field: str) -> Iterable[ModeStatement]:
    for match in pattern.finditer(text):
        name = next(key for key, value in match.groupdict().items() if value)
        mode = _MODES[name.removeprefix("han_")]
        negated = bool(_NEGATED.search(text[max(0, match.start() - 40) : match.start()])) or bool(
            _NEGATED_AFTER.match(text, match.end())
        )
        yield ModeStatement(mode, Span(match.start(), match.end(), match.group(), field), not negated)
