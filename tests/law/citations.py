"""Articles as the pages of the law and the names of tests write them, read into one form: ("13", "4", "1")."""

import re
from collections.abc import Collection, Iterator

Reference = tuple[str, ...]

# What an article is written with, outermost first: "Despacho", "13.º", "3", "4)" or "b)", "(1)".
LEVELS = (r"[A-Z][a-z]+", r"\d+\.º", r"\d+|[IVX]+", r"(?:\d+|[a-z])\)", r"\(\d+\)")


def read_articles(cell: str) -> tuple[Reference, ...]:
    """The articles of a text such as "7.º 1 1), 3); 16.º 3 3) to 5)"; ValueError for any other text.

    After a comma or "to" is only what differs; after a semicolon an article is written out again. What is counted
    through with "to" are numbers or letters.
    """
    found: list[Reference] = []
    for group in cell.split("; "):
        before: list[tuple[int, str]] = []
        if not re.match(r"[A-Z]|\d+(\.º|$| [a-z]|,| to )", group):
            raise ValueError(f"{cell!r} names no article before {group!r}")
        for joined, part in _parts(group):
            steps = [_level(word) for word in part.split(" ")]
            if [level for level, _ in steps] != sorted({level for level, _ in steps}):
                raise ValueError(f"{cell!r} cannot be read at {part!r}")
            reference = [step for step in before if step[0] < steps[0][0]] + steps
            if joined == " to ":
                found += between(_bare(before), _bare(reference), cell)
            found.append(_bare(reference))
            before = reference
    return tuple(found)


def _parts(group: str) -> Iterator[tuple[str, str]]:
    words = re.split(r"(, | to )", group)
    yield from zip(["", *words[1::2]], words[::2], strict=True)


def _level(word: str) -> tuple[int, str]:
    for level, pattern in enumerate(LEVELS):
        if re.fullmatch(pattern, word):
            return level, word.strip("()").removesuffix(".º")
    raise ValueError(f"{word!r} is no part of an article")


def _bare(steps: list[tuple[int, str]]) -> Reference:
    return tuple(value for _, value in steps)


def between(first: Reference, last: Reference, cell: str) -> list[Reference]:
    """The text between two references that differ in their last part alone."""
    if first[:-1] != last[:-1] or _number(first[-1]) >= _number(last[-1]):
        raise ValueError(f"{cell!r} counts from {first} to {last}")
    convert = str if first[-1].isdigit() else chr
    return [(*first[:-1], convert(number)) for number in range(_number(first[-1]) + 1, _number(last[-1]))]


def _number(part: str) -> int:
    return int(part) if part.isdigit() else ord(part)


def read_name(name: str, opening: str, known: Collection[Reference]) -> tuple[Reference, ...]:
    """The articles that the name of a test begins with, or names later after `_and_art_`; ValueError if there are none.

    `opening` is what the names of a regulation begin with ("test_2008_art_"), `known` holds its articles and whatever
    contains them. An article is read as far as the regulation goes: `16_1_2_five` is 16.º 1 2) only where that exists.
    What is behind a number cannot be another number, so that an article that does not exist is not overlooked.
    A further one is written whole after `_and_` ("12_3_and_12_4"), a last part is counted on by `_to_` ("16_3_3_to_5").
    Rules have no numbers inside them, and may be listed: "8_9_and_10".
    """
    word = opening.removesuffix("_").rpartition("_")[2]
    found: list[Reference] = []
    for body in name.removeprefix(opening).split(f"_and_{word}_"):
        listed = re.match(r"(\d+_)+and_\d+(_|$)", body) if word == "rule" else None
        words = (re.sub(r"(?<=\d)_(?=\d)", "_and_", listed[0]) + body[listed.end() :] if listed else body).split("_")
        if (words[0].capitalize(),) in known:  # the enacting text itself: "despacho", "portaria"
            words[0] = words[0].capitalize()
        reference = _longest(words, known)
        found.append(reference)
        words = words[len(reference) :]
        while len(words) > 1 and words[0] in ("and", "to") and words[1].isdigit():
            if words[0] == "to":
                last = (*reference[:-1], words[1])
                found += [*between(reference, last, name), last]
                words = words[2:]
            else:
                reference = _longest(words[1:], known)
                found.append(reference)
                words = words[1 + len(reference) :]
        if words and words[0].isdigit() and reference[-1].isdigit():
            raise ValueError(f"{name} names {'_'.join((*reference, words[0]))}, which the regulation does not have")
    missing = [reference for reference in found if reference not in known]
    if missing:
        raise ValueError(f"{name} names {missing}, which the regulation does not have")
    return tuple(found)


def _longest(words: list[str], known: Collection[Reference]) -> Reference:
    length = 0
    while length < len(words) and tuple(words[: length + 1]) in known:
        length += 1
    return tuple(words[: max(length, 1)])
