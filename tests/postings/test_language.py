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
