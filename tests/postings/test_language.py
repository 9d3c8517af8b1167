"""The language of a posting's body."""

from __future__ import annotations

import pytest

from jobctrl.postings.language import read_language

BODIES = {
    "en": "We are looking for a careful engineer who enjoys working with other people on shared tools.",
    "de": "Wir suchen eine sorgfältige Entwicklerin, die gerne mit anderen an gemeinsamen Werkzeugen arbeitet.",
    "fr": "Nous cherchons une personne soigneuse qui aime travailler avec les autres sur des outils communs.",
    "es": "Buscamos una persona cuidadosa a la que le guste trabajar con otras en herramientas comunes.",
    "pt": "Procuramos uma pessoa cuidadosa que goste de trabalhar com outras em ferramentas comuns da empresa.",
    "nl": "Wij zoeken een zorgvuldige ontwikkelaar die graag met anderen aan gedeelde gereedschappen werkt.",
    "ja": "私たちは共有の道具をほかの人と一緒に作ることを楽しめる技術者を探しています。",
}


@pytest.mark.parametrize(("language", "text"), BODIES.items())
def test_the_main_language_is_told(language, text):
    assert read_language(text).language == language


@pytest.mark.parametrize(
    "text", ["", "Berlin", "Senior Engineer", "12345 67890", "https://example.org/jobs/1 a@example.org"]
)
def test_too_few_words_tell_no_language(text):
    assert read_language(text).language is None


LONG = {
    "en": "You will work with the people of our team and you will be the one who builds what they need for their day. ",
    "fr": "Vous travaillez avec les personnes de notre équipe et vous êtes au service des clients pour nous. ",
    "de": "Wir suchen für das Team eine Person, die mit uns und den Kunden auf dem Weg ist und nicht nur passt. ",
    "da": "Du arbejder sammen med kolleger på kontoret og er med til at bygge det, som vores kunder har brug for. ",
}


@pytest.mark.parametrize("language", LONG)
def test_a_long_text_is_told_by_its_small_words_or_by_the_model(language):
    assert read_language(LONG[language] * 6).language == language


def test_a_text_half_in_one_language_and_half_in_another_is_left_to_the_model(monkeypatch):
    asked = []
    monkeypatch.setattr("jobctrl.postings.language._identifier", lambda: Asked(asked))

    read_language(LONG["en"] * 6 + "\n" + LONG["fr"] * 6)
    read_language(LONG["fr"] * 6)

    assert len(asked) == 1


class Asked:
    """A model that only counts how often it is asked."""

    def __init__(self, asked: list[str]) -> None:
        self._asked = asked

    def classify(self, text: str) -> tuple[str, float]:
        self._asked.append(text)
        return "en", 0.5
