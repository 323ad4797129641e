"""Which modules of the controller cite which article: in docstrings and comments, and as the citation of an answer.

In the package of a game a citation is one of its regulation: "(5.º b))", in that of black-jack "(26, 27)". Elsewhere
the regulation is before it: "(Taiwan-Pai Kao, 5.º b))", "(black-jack 26)", "(2008: 9.º 1))". Where none does, it is
that of 2025.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.law.citations import Reference, between, read_articles
from tests.law.regulations import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_3_2025, FORTUNE_8, TAIWAN_PAI_KAO, Regulation
from tests.words.reasons_given import parsed, walked

NAMED = {
    "2025": FORTUNE_3_2025,
    "2008": FORTUNE_3_2008,
    "fortune 8": FORTUNE_8,
    "taiwan-pai kao": TAIWAN_PAI_KAO,
    "pai kao": TAIWAN_PAI_KAO,
    "black-jack": BLACKJACK_21,
}
PACKAGES = {regulation.package: regulation for regulation in (FORTUNE_8, BLACKJACK_21, TAIWAN_PAI_KAO)}

FURTHER = r"(?:(?:, | and | to | )\(?(?:\d+|[a-z](?=[),]))(?!\.º|\w)\)?)*"
RULE = r"\d+(?: [a-e]\))?"
CITED = re.compile(
    rf"\b(?P<named>{'|'.join(NAMED)})[,:]? (?=\d)|(?P<opened>\()|\b(?P<first>\d+)\.º(?P<further>{FURTHER})"
    rf"|\b(?P<rules>{RULE}(?:(?:, | and | to ){RULE})*)(?=[);:.]|$)",
    re.IGNORECASE,
)
STEP = re.compile(r"(, | and | to )? ?\(?(\d+|[a-z])\)?")


def cited_in(root: Path) -> dict[str, dict[Reference, set[str]]]:
    """By a regulation's key and an article: the modules that cite it, as "controller/…"."""
    found: dict[str, dict[Reference, set[str]]] = {regulation.key: {} for regulation in NAMED.values()}
    for path in sorted((root / "controller").rglob("*.py")):
        where = path.relative_to(root).as_posix()
        parts = where.removesuffix(".py").split("/")
        home = next((PACKAGES[part] for part in parts if part in PACKAGES), FORTUNE_3_2025)
        for regulation, reference in citations(path.read_text("utf-8"), home):
            found[regulation.key].setdefault(reference, set()).add(where)
    return found


def citations(code: str, home: Regulation) -> Iterator[tuple[Regulation, Reference]]:
    """What a module cites; `home` is the regulation that is not named."""
    tree = parsed(code)
    older = [
        range(node.lineno, (node.end_lineno or node.lineno) + 1)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).endswith("2008")
    ]

    def regulation_at(line: int) -> Regulation:
        return FORTUNE_3_2008 if any(line in lines for lines in older) else home

    for node in walked(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _in_words(ast.get_docstring(node) or "", home)
        # Bare numbers in lists and comparisons are ranks of cards.
        numbers = ast.iter_child_nodes(node) if isinstance(node, ast.Assign | ast.Call | ast.keyword) else ()
        for value in (node, *numbers):
            if (
                isinstance(value, ast.Constant)
                and isinstance(value.value, str)
                and (".º" in value.value) == (value is node)
            ):
                yield from _as_a_whole(value.value, regulation_at(value.lineno))
    if re.search(r"#.*\d", code):
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.COMMENT:
                yield from _in_words(token.string, regulation_at(token.start[0]))


def _as_a_whole(text: str, regulation: Regulation) -> Iterator[tuple[Regulation, Reference]]:
    """The articles of a text that is a citation and nothing else."""
    try:
        references = read_articles(text)
    except ValueError:
        return
    yield from ((regulation, reference) for reference in references if reference in regulation.known)


def _in_words(text: str, home: Regulation) -> Iterator[tuple[Regulation, Reference]]:
    regulation, named, before = home, home, -1
    text = " ".join(text.split())
    for found in CITED.finditer(text):
        if found["named"]:
            regulation = named = NAMED[found["named"].lower()]
            before = found.end()
        elif found["opened"]:
            regulation, before = home, found.end()
        elif found["first"]:
            references = {key: tuple(_read(found["first"], found["further"], key)) for key in (named, regulation)}
            owner = regulation if references[regulation] else named
            yield from ((owner, reference) for reference in references[owner])
        # Other numbers are rules by themselves in brackets, after their name, and after "rule".
        elif regulation is BLACKJACK_21 and (
            found.start() == before or re.search(r"\brules? $", text[: found.start()])
        ):
            yield from _as_a_whole(found["rules"].replace(" and ", ", "), regulation)


def _read(first: str, further: str, regulation: Regulation) -> Iterator[Reference]:
    """An article with what is joined to it; nothing if the regulation does not have it."""
    reference: Reference = (first,)
    if reference not in regulation.known:
        return
    for joined, step in STEP.findall(further):
        # What is joined is another last part, or another one before it.
        kept = [reference[:-back] for back in (1, 2) if len(reference) > back] if joined else [reference]
        following = next(((*place, step) for place in kept if (*place, step) in regulation.known), None)
        if following is None and not joined:
            return
        if following is None:
            break
        if joined:
            yield reference
        if joined == " to ":
            yield from between(reference, following, further)
        reference = following
    yield reference
