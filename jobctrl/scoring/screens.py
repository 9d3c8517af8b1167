"""What must not become a requirement: words meant for a machine, and traits nobody may be asked for."""

from __future__ import annotations

import re

from jobctrl.scoring.terms import words_of

_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:instructions?|prompts?|rules|guidelines|above|previous|"
    r"everything)\b"
    r"|\b(?:system prompt|developer message|as an? (?:ai|language model|llm|assistant)|you are (?:an? )?(?:ai|llm|"
    r"language model|assistant|chatbot|chatgpt|gpt|claude))\b"
    r"|\bif you(?:'re| are) (?:an? )?(?:ai|llm|language model|bot)\b"
    r"|\b(?:rate|score|rank|grade|mark|recommend|approve|classify)\b[^.\n]{0,30}\b(?:this|the|every|each|any)\b[^.\n]{0,20}"
    r"\b(?:candidate|applicant|job|posting|role|match)\b[^.\n]{0,40}\b(?:10|ten|100|perfect|highest|top|excellent|maximum|"
    r"strong fit|hired?)\b"
    r"|\b(?:output|respond|reply|return|answer|print)\b[^.\n]{0,20}\b(?:json|only|with the|\"|exactly|yes)\b"
    r"|\b(?:ignora|ignoriere|ignorez|ignore|zignoruj|negeer)\b[^.\n]{0,40}\b(?:instruções|anweisungen|instructions|"
    r"instrucciones|istruzioni|instrukcje|instructies)\b",
    re.IGNORECASE,
)
_TRAITS = re.compile(
    r"\b(?:youthful|digital native|under (?:the age of )?[2-6]\d(?: years)?|years (?:old|of age)|aged? (?:between )?\d\d|"
    r"age (?:limit|range|group)|maximum age|young (?:and|professional|team member|man|woman|candidate|people)|"
    r"males?|females?|gentlem[ae]n|lad(?:y|ies)|(?:wo)?m[ae]n only|gender|marital status|(?:un)?married|pregnan(?:t|cy)|"
    r"nationality|national origin|native[- ]born|caste|religio(?:n|us)|christian|muslim|jewish|hindu|ethnic(?:ity)?|"
    r"sexual orientation|able[- ]bodied|without disabilit\w+|disabilit\w+|veteran status|protected (?:class|veteran|status)|"
    r"jung\w* team|altersgrenze|idade (?:máxima|mínima|entre)|edad (?:máxima|mínima|entre)|sexo (?:masculino|feminino|femenino))\b",
    re.IGNORECASE,
)


_ORDER_WORDS = frozenset(
    """ignore disregard forget override bypass prompt message ai llm model bot assistant chatbot chatgpt gpt claude rate score
    rank grade mark recommend approve classify output respond reply return answer print ignora ignoriere ignorez zignoruj
    negeer""".split()
)
_TRAIT_WORDS = frozenset(
    """youthful native under years age aged young male males female females gentleman gentlemen lad lady ladies man men woman
    women gender marital married unmarried pregnant pregnancy nationality national caste religion religious christian muslim
    jewish hindu ethnic ethnicity sexual bodied disability disabilities veteran protected jung junge junges jungen
    altersgrenze idade edad sexo""".split()
)


def is_addressed_to_a_machine(text: str) -> bool:
    """Whether *text* speaks to a model or a screening system rather than to a person."""
    return not _ORDER_WORDS.isdisjoint(words_of(text)) and _ORDERS.search(text) is not None


def names_a_protected_trait(text: str) -> bool:
    """Whether *text* speaks of age, gender, origin, belief, health or family."""
    return not _TRAIT_WORDS.isdisjoint(words_of(text)) and _TRAITS.search(text) is not None
