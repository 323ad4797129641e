"""The languages of everything that a person reads at the table. No I/O here."""

LANGUAGES = ("en", "pt", "zh")
"""English, Portuguese, and Traditional Chinese as Macau writes it."""

Said = tuple[str, str, str]
"""One sentence in each of LANGUAGES, in their order."""
Words = dict[str, str]
"""One sentence by language."""


def words(said: Said, **values: object) -> Words:
    """A sentence by language, its `values` filled in."""
    return {language: text.format(**values) for language, text in zip(LANGUAGES, said, strict=True)}


def joined(*sentences: Said) -> Said:
    """Sentences one after the other, those of which there is nothing left out."""
    english, portuguese, chinese = zip(*sentences, strict=True)
    return " ".join(filter(None, english)), " ".join(filter(None, portuguese)), "".join(filter(None, chinese))
