"""The words of remote, hybrid and on-site work in many languages, as the alternatives of patterns."""

from __future__ import annotations

_DAYS = (
    r"(?:\d|one|two|three|four|five)(?:\s*(?:-|–|to|or)\s*(?:\d|five|four|three|two))?"
    r"\s*\+?\s*(?:days?|x)"
)
_ROLE = (
    r"(?:role|position|job|opportunity|work(?:ing|place|force|er|ers|week|space)?|employees?|candidates?|"
    r"applicants?|basis|schedule|arrangements?|model|set-?up|environment|policy|option|team ?mates?|hire|"
    r"contract|internship|opening|vacancy|culture|approach|company|first|friendly|eligible|only|location)"
)

LINE_HYBRID = "|".join(
    (
        r"hybrid[\s-]+remote",
        r"hybrid[eo]?s?",
        r"h[ií]brid[oa]s?",
        r"ibrid[oa]",
        r"hybrydow\w*",
        r"hibrit",
        r"hibrid\w*",
        r"гибридн\w*",
        r"гибрид",
        r"гібридн\w*",
        r"混合办公",
        r"混合",
        r"ハイブリッド(?:勤務)?",
        r"하이브리드",
        (
            r"(?:partial(?:ly)?|partly|part[- ]?time|part|semi|teilweise|some|occasional|mostly)[\s-]*(?:remote(?:ly)?"
            r"|home[\s-]?office|onsite|on-site)"
        ),
        r"(?<!\d)[1-9]\d?\s?%\s+(?:remote|home[\s-]?office)",
        r"t[ée]l[ée]travail partiel",
        r"remote[\s-]+hybrid",
        r"hybrid[\s-]+remote",
        rf"{_DAYS}\s*(?:(?:a|per|/|each)\s*(?:week|month|wk|mo)\s*)?(?:in|at|from)\s+(?:the\s+|our\s+)?(?:office|hq)",
        rf"{_DAYS}\s*(?:(?:a|per|/)\s*(?:week|month|wk)\s*)?in[\s-]office",
        rf"{_DAYS}\s*(?:a|per|/)\s*(?:week|month|wk|mo)\s+(?:on-?site|in[\s-]person)",
    )
)

LINE_REMOTE = "|".join(
    (
        r"(?:100\s*%|full(?:y)?|completely|entirely|all)[\s-]*remote(?:ly)?",
        r"remote[\s-]*(?:first|friendly|only|ok|eligible|based|work(?:ing)?|possible|option(?:al)?)",
        r"remote(?:ly)?",
        r"remot[oa]s?",
        r"work(?:ing)?[\s-]+from[\s-]+(?:home|anywhere)",
        r"wfh",
        r"wfa",
        r"home[\s-]?office",
        r"homeoffice",
        r"home[\s-]?based",
        r"virtual",
        r"telework\w*",
        r"telecommut\w*",
        r"t[ée]l[ée]travail",
        r"[àa] distance",
        r"distanciel",
        r"teletrabajo",
        r"teletrabalho",
        r"a distancia",
        r"smart[\s-]?working",
        r"da remoto",
        r"zdaln\w+",
        r"praca zdalna",
        r"thuiswerk\w*",
        r"op afstand",
        r"удал[её]нн?\w*",
        r"дистанционн\w*",
        r"віддален\w*",
        r"远程(?:办公|工作|合作)?",
        r"遠端",
        r"遠程",
        r"居家(?:办公)?",
        r"移动办公",
        r"在家(?:办公)?",
        r"在宅(?:勤務|ワーク)?",
        r"(?:フル)?リモート(?:ワーク|勤務)?",
        r"원격",
        r"재택(?:근무)?",
        r"uzaktan",
        r"v[ií]zd[aá]len\w*",
        r"na d[aá]lku",
        r"distansarbete",
        r"p[åa] distans",
        r"et[äa]ty[öo]",
        r"hjemmekontor",
        r"fjernarbe\w+",
        r"távmunka",
        r"munca de la distanță",
        r"من بعد",
        r"عن بعد",
    )
)

LINE_ON_SITE = "|".join(
    (
        r"(?:100\s*%|full(?:y)?|strictly|entirely)[\s-]*(?:on[\s-]?site|in[\s-]office|in[\s-]person)",
        r"on[\s-]?site",
        r"onsite",
        r"in[\s-]office",
        r"in[\s-]the[\s-]office",
        r"office[\s-]based",
        r"in[\s-]person",
        r"vor[\s-]ort",
        r"pr[äa]senz\w*",
        r"presencial",
        r"presenciais",
        r"sur site",
        r"sur place",
        r"(?:en )?pr[ée]sentiel",
        r"in presenza",
        r"in sede",
        r"op locatie",
        r"op kantoor",
        r"stacjonarn\w*",
        r"в офисе",
        r"офис",
        r"现场(?:办公)?",
        r"坐班",
        r"到岗",
        r"線下",
        r"线下",
        r"出社",
        r"常駐",
        r"사무실",
        r"p[åa] plats",
        r"ofiste",
    )
)

PROSE_REMOTE = "|".join(
    (
        r"(?:100\s*%|fully|completely|entirely|primarily|permanently|truly)[\s-]+remote(?:ly)?",
        rf"remote(?:ly)?[\s-]+{_ROLE}\b",
        r"(?:work(?:ing|s)?|located|based|operate|hire|hiring|live)\s+(?:\w+\s+){0,2}remotely",
        (
            r"(?:is|be|are|as|this|work|working|location|mode|type)\s*:?\s+(?:a\s+|an\s+"
            r"|also\s+)?remote(?!\w)(?!\s+(?:access|sens|desktop|control|server|team|monitor|support|site|code"
            r"|procedure|user|client|location)\w*)"
        ),
        r"open to remote",
        r"remote(?:\s+(?:within|from|in|across|anywhere|based in|possible|or hybrid|or on))",
        r"remote[\s-]?(?:first|friendly)",
        r"remote\s*[,(|/]",
        r"(?:^|[|/(,•·-]\s*)remote(?=\s*(?:$|[|/),;•·]))",
        r"#li-remote",
        r"work(?:ing)?[\s-]+from[\s-]+(?:home|anywhere)",
        r"wfh",
        r"telework\w*",
        r"telecommut\w*",
        r"home[\s-]?office[\s-](?:m[öo]glich|anteil|tage)",
        r"(?:100\s*%|komplett|vollst[äa]ndig|voll)\s+(?:remote|home[\s-]?office)",
        r"remote[\s-](?:m[öo]glich|arbeit\w*|job\b|stelle\b)",
        r"mobiles arbeiten",
        r"(?:en|full|100\s*%)\s+t[ée]l[ée]travail",
        r"t[ée]l[ée]travail (?:complet|total|possible|[àa] 100)",
        r"full remote",
        r"trabajo remoto",
        r"100\s*% remot[oa]",
        r"en remoto",
        r"teletrabajo",
        r"trabalho remoto",
        r"teletrabalho",
        r"vaga remota",
        r"completamente da remoto",
        r"lavoro da remoto",
        r"prac[aęy] zdaln\w+",
        r"zdalnie",
        r"volledig (?:remote|thuis)",
        r"удал[её]нн\w* (?:работ\w+|формат\w*)",
        r"远程办公",
        r"远程工作",
        r"在宅勤務",
        r"フルリモート",
        r"リモートワーク",
    )
)

PROSE_HYBRID = "|".join(
    (
        rf"hybrid[\s-]+(?:work\w*|team|organi[sz]ation|{_ROLE})\b",
        (
            r"(?:is|be|a|an|are|our|mode|type|location|work|as)\s*:?\s+hybrid(?=\s*(?:$|[.,;:()|/•]|\bwith\b|\bin\b"
            r"|\bbased\b|\band\b|\d))"
        ),
        r"hybrid\s*[,(|/]",
        r"(?:^|[|/(,•·-]\s*)hybrid(?=\s*(?:$|[|/),;•·]))",
        r"#li-hybrid",
        r"hybrid\s+(?:in|from|based|\d|three|two|four|one)\b",
        (
            rf"{_DAYS}\s*(?:(?:a|per|/|each)\s*(?:week|month)\s*,?\s*)?(?:in|at|from)\s+(?:the|our|an|its"
            rf"|your)?\s*(?:\w+\s+){{0,3}}(?:office|hub|headquarters)s?\b"
        ),
        (
            rf"(?:(?:in|at)[\s-](?:(?:the|our|an)[\s-])?office|on-?site|in[\s-]person)\s+(?:at least |a minimum of "
            rf"|minimum |for |approximately |about )?{_DAYS}\s+(?:a|per|each|/)\s*(?:week|month)"
        ),
        (
            rf"{_DAYS}\s+(?:a|per|each|/)\s*(?:week|month)\s+(?:on-?site|in[\s-](?:the[\s-])?office|in[\s-]person"
            rf"|from home|remote(?:ly)?)"
        ),
        r"(?<!\d)[1-9]\d?\s?%\s+(?:remote|home[\s-]?office|work(?:ing)? from home)(?:\s+work)?",
        (
            r"(?:at least\s+)?\d{1,2}\s?%\s+(?:of\s+(?:the|their|your)\s+time\s+)?(?:in|at|on)\b[^.]{0,30}?\b"
            r"(?:offices?|on-?site)\b"
        ),
        r"in\s+(?:one of\s+)?our offices?\s+(?:at least\s+)?\d{1,2}\s?% of the time",
        (
            r"(?:\d|zwei|drei|ein|bis zu \d)\s*(?:tage?)\s*(?:pro woche|/woche|die woche)?\s*(?:home[\s-]?office|remote"
            r"|im b[üu]ro)"
        ),
        r"hybrides? arbeit\w*",
        r"hybrides? (?:modell|arbeitsmodell)",
        r"teilweise (?:remote|home[\s-]?office)",
        r"\d\s*(?:jours?|j)\s*(?:de\s+)?(?:t[ée]l[ée]travail|par semaine (?:de|en) t[ée]l[ée]travail)",
        r"t[ée]l[ée]travail (?:partiel|hybride|\d)",
        r"(?:mode|travail|rythme|mod[èe]le) hybride",
        r"hybride? werk\w*",
        r"(?:modelo|trabajo|modalidad|formato|regime|modelo de trabalho|trabalho) h[íi]brid[oa]",
        r"modalit[àa] ibrida",
        r"lavoro ibrido",
        r"prac[aęy] hybrydow\w+",
        r"hybrydowo",
        r"hybrydow\w+",
        r"混合办公",
        r"ハイブリッド勤務",
    )
)

PROSE_ON_SITE = "|".join(
    (
        r"(?:fully|100\s*%|entirely|strictly)[\s-]+(?:on[\s-]?site|in[\s-](?:office|person))",
        rf"(?:on[\s-]?site|in[\s-](?:office|person))[\s-]+(?:only|{_ROLE})\b",
        (
            r"(?:is|be|are|this|work(?:ing)?|location|mode|type)\s*:?\s+(?:an?\s+|fully\s+"
            r"|required to be\s+)?(?:on[\s-]?site|in[\s-]office|in[\s-]person)(?!\s+(?:interview|visit|event|meeting"
            r"|training|gym|parking|support|cafe|lunch|customer)\w*)"
        ),
        (
            r"(?<!an )(?<!the )(?<!final )(?:on[\s-]?site)\s+(?:in|at|from)\s+(?:the|our)\s+(?:\w+\s+){0,3}(?:office"
            r"|headquarters|hq|facility|plant|lab|site)"
        ),
        r"#li-(?:onsite|on-site|office)",
        r"(?:^|[|/(,•·-]\s*)(?:on[\s-]?site|in[\s-]office|in[\s-]person)(?=\s*(?:$|[|/),;•·]))",
        (
            r"(?:work|based)\s+(?:in|from)\s+(?:the|our)\s+(?:\w+\s+){0,2}office\s+(?:full[\s-]time|every day|daily"
            r"|five days|5 days)"
        ),
        r"(?:five|5)\s+days\s+(?:a|per)\s+week\s+(?:in|from|at)\s+(?:the|our)\s+office",
        r"not (?:a )?remote",
        r"(?:in|100\s*%) pr[äa]senz",
        r"arbeit vor ort",
        r"vor[\s-]ort[\s-](?:t[äa]tigkeit|arbeit|einsatz)",
        r"100\s*% (?:sur site|pr[ée]sentiel)",
        r"poste en pr[ée]sentiel",
        r"(?:modalidad|trabajo|trabalho|regime|modelo) presencial",
        r"100\s*% presencial",
        r"lavoro in presenza",
        r"praca stacjonarna",
        r"stacjonarnie",
        r"volledig op kantoor",
        r"坐班",
    )
)

# Chinese and Japanese part words by no blank, so these count inside a run of letters too.
UNSPACED_HYBRID = "混合办公"
UNSPACED_REMOTE = (
    "远程(?:办公|工作|合作)?|遠端|居家(?:办公)?|移动办公|在家办公|在宅勤務|リモート(?:ワーク|勤務)?|재택근무"
)
UNSPACED_ON_SITE = "现场办公|坐班|到岗"
