"""Words that job titles and employers' names are made of. Compiled for this project; extend freely."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Three kinds of words make a title: a rank, a field, and the noun of the role.
TITLE_RANKS = _words(
    """
    senior sr junior jr lead leading principal staff chief head deputy vice executive managing associate assistant
    distinguished intern trainee graduate global regional group general founding interim
    """
)
TITLE_ROLES = _words(
    """
    engineer developer programmer architect scientist analyst manager director designer consultant administrator
    officer specialist researcher president coordinator technician strategist recruiter accountant controller
    auditor lawyer counsel nurse teacher professor lecturer editor producer buyer planner supervisor superintendent
    founder cofounder owner partner cto ceo cfo coo cio ciso cpo vp svp evp tester marketer writer physician
    pharmacist
    """
)
TITLE_FIELDS = _words(
    """
    software data backend back-end frontend front-end fullstack full-stack full stack web mobile cloud platform
    devops site reliability security network systems system infrastructure machine learning ml ai research product
    project program programme engineering technical technology solutions solution sales marketing finance financial
    operations business quality qa test automation embedded hardware firmware database analytics bi ux ui user
    experience interface customer success support account human resources hr people talent legal compliance risk
    supply chain logistics procurement content brand growth digital media communications design creative art
    information it delivery scrum agile development applied quantitative clinical medical civil mechanical
    electrical chemical process industrial release build game graphics payments android ios python java golang rust
    go php ruby .net c++ javascript react node
    """
)
CORPORATE_SUFFIXES = (
    "Inc", "Incorporated", "LLC", "Ltd", "Limited", "Corp", "Corporation", "GmbH", "AG", "SE", "KG", "PLC", "plc",
    "LLP", "S.A.", "S.A", "SA", "SAS", "SARL", "S.L.", "S.p.A.", "SpA", "S.r.l.", "Srl", "B.V.", "BV", "N.V.", "NV",
    "AB", "ASA", "ApS", "Oy", "Sp. z o.o.", "s.r.o.", "Kft", "Pty", "Pvt", "K.K.", "Co.", "LP", "L.P.",
    "Technologies", "Holdings",
)  # fmt: skip
