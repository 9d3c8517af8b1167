"""Employment types: the words of vendors and countries, mapped onto one list."""

from __future__ import annotations

import re

from jobctrl.postings.text import fold

# Asked in this order: what names the kind of contract says more than its hours ("Full-time internship").
_KINDS = {
    "internship": r"\bintern(?:s|ship|ships)?\b|\bstages?\b|stagiair|\bpraktik|\bprakti[ck]um|est[aá]gi|\bpasant[ií]a"
    r"|\bpr[aá]cticas\b|\bbecari|\btirocini|\bstaż|harjoittel|\bco-?op\b|实习|實習|インターン|인턴|стажир"
    r"|\bplacement student",
    "volunteer": r"\bvolunt(?:eer|ary)|bénévol|\behrenamt|\bvoluntari|\bvrijwillig|ボランティア|志愿|志願",
    "temporary": r"\btemp(?:orary)?\b|\btemporaire|\btempor[aä]r|\bint[eé]rim|\bseasonal|\bsaison|\bbefristet|\bcdd\b"
    r"|dur[eé]e d[eé]termin|\btijdelijk|\btempor[aá]ri|\btemporal\b|\btempo determinato|\bper.?diem\b|派遣"
    r"|期間",
    "contract": r"\bcontract(?:or|ors|s)?\b(?!ed)|\bfixed.?term|\bc2c\b|\b1099\b|\bb2b\b|\bfreelanc|\bindependent\b"
    r"|\bself.?employed|\bfreiberuf|\bselbst[aä]ndig|\bprestataire|\bprestador|\baut[oô]nom|\bpj\b|\bzzp\b"
    r"|\bcollaborazione|業務委託|契約|フリーランス|外包|合同工|프리랜서|계약직|подряд|фриланс",
    "part_time": r"part.?time|\bteilzeit|temps.?partiel|\bdeeltijd|\btiempo parcial|media jornada|jornada parcial"
    r"|\btempo parcial|meio.?per[ií]odo|\bdeltid|osa-?aik|\bniepełny|czę[sś]ć etatu|zkrácen|\bwerkstudent"
    r"|\bworking.?student|\bminijob|パート|アルバイト|バイト|兼职|兼職|파트타임|неполн|частичн",
    "full_time": r"full.?time|\bvollzeit|temps.?plein|temps.?complet|\bvoltijd|\btiempo completo|jornada completa"
    r"|\btempo (?:integral|pieno|inteiro)|per[ií]odo.?integral|\bheltid|kokoaik|\bpełny etat|pełen etat"
    r"|plný úvazek|hpp\b|正社員|フルタイム|全职|全職|정규직|полн\w+ занят|полный",
    "other": r"\bapprentic|\bausbildung|\balternance|\bapprentissage|\btrainee|\baprendiz|\bduales studium|^other$"
    r"|^autre$|^sonstige",
}
_PATTERNS = tuple((name, re.compile(pattern)) for name, pattern in _KINDS.items())
# A contract of employment is not contract work.
_EMPLOYED = re.compile(
    r"\bcontrato (?:efetivo|indefinido|clt)|\bcontrat [aà] dur[eé]e ind|\bpermanent contract|\bunbefristet\w*"
    r"|\bcontracted hours|无固定期限\S*"
)
_CLT = re.compile(r"\bcontrat(?:o|to|to a)?\b")


def read_employment_type(text: str) -> str | None:
    """The kind of employment a vendor's label names, or None: "permanent" alone says nothing of hours or kind."""
    words = _CLT.sub(" ", _EMPLOYED.sub(" ", fold(text).replace("_", " ")))
    kinds = [name for name, pattern in _PATTERNS if pattern.search(words)]
    if not kinds:
        return None
    # "Full-time or part-time" leaves the choice open.
    if kinds[0] == "part_time" and "full_time" in kinds and not re.search("student", words):
        return None
    return kinds[0]
