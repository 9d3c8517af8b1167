"""How much a line of the person's has to do with a posting: BM25 of the posting's needs over the person's lines."""

from __future__ import annotations

from collections.abc import Sequence

from jobctrl.materials.rules import content_words


def relevance(needs: Sequence[str], lines: Sequence[str]) -> list[float]:
    """One number per line, 0 for nothing in common; higher is nearer. Stop words do not count."""
    documents = [list(content_words(line)) for line in lines]
    query = [word for need in needs for word in content_words(need)]
    if not query or not any(documents):
        return [0.0] * len(lines)
    from rank_bm25 import BM25Plus

    # BM25Plus never gives a common word a negative weight, which counts in a collection as small as a resume. It adds a
    # constant per query word to every line, so the line with nothing in common is the zero.
    scores = BM25Plus([*documents, [""]]).get_scores(query)
    floor = float(scores[-1])
    return [round(max(0.0, float(score) - floor), 9) for score in scores[:-1]]
