"""The program that breaks rules, run on a small tree with a small law."""

import shutil
from pathlib import Path
from textwrap import dedent

import pytest

from tests.law import break_rules, page
from tests.law.regulations import Regulation

TOY = Regulation("toy", "Toy", "toy.md", "toy", "test_2008_art_", "1.º 1), 2)\n2.º")
RULE = """
    from controller.refusal import Refusal

    LIMIT = 9


    def double(ante: int) -> int:
        if ante > LIMIT:
            raise Refusal("beyond the limit")
        return ante * 2
"""
TESTS = """
    import pytest
    from controller.refusal import Refusal
    from controller.rule import double


    @pytest.mark.parametrize("ante", [0, 1, 2, 3])
    def test_2008_art_1_1_doubled(ante):
        assert double(ante) == ante + ante


    def test_2008_art_1_2_limited():
        double(9)
        with pytest.raises(Refusal):
            double(10)


    def test_2008_art_1_2_blind():
        double(1)
"""
ARTICLES = """
    regulation = "toy"
    [orders]
    "1.º 1)" = "the ante is doubled"
    "1.º 2)" = "the ante is limited"
    "2.º" = "a table"
    [reasons]
    "2.º" = "equipment"
"""
DOUBLED, LIMITED, BLIND = "test_2008_art_1_1_doubled", "test_2008_art_1_2_limited", "test_2008_art_1_2_blind"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with one rule and its tests, beside the list of its articles."""
    root = tmp_path / "tree"
    shutil.copytree(
        page.ROOT / "tests" / "law", root / "tests" / "law", ignore=shutil.ignore_patterns("test_*", "*.toml")
    )
    files = {
        "controller/__init__.py": '"""A station."""',
        "controller/refusal.py": "class Refusal(Exception):\n    pass",
        "controller/rule.py": RULE,
        "../articles_toy.toml": ARTICLES,
        "tests/test_toy.py": TESTS,
        "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\naddopts = ["--import-mode=importlib"]',
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(dedent(text).lstrip(), "utf-8")
    return root


def run(tree: Path, *listed: tuple[str, str, str, str], arguments: tuple[str, ...] = ()) -> int:
    """The exit code after breaking (row, old, new, test) in the rule of the tree."""
    lines = ['regulation = "toy"']
    for row, old, new, test in listed:
        lines += ["[[mutation]]", f"row = '{row}'", "file = 'controller/rule.py'", f"old = '''{old}'''"]
        lines += [f"new = '''{new}'''", f"tests = ['{test}']"]
    (tree.parent / "mutations_toy.toml").write_text("\n".join(lines), "utf-8")
    return break_rules.main(("--jobs", "1", *arguments), tree, tree.parent, [TOY])


def everything(tree: Path) -> dict[str, bytes]:
    return {str(path.relative_to(tree)): path.read_bytes() for path in sorted(tree.rglob("*")) if path.is_file()}


TRIPLED = ("1.º 1)", "ante * 2", "ante * 3", DOUBLED)
UNLIMITED = ("1.º 2)", "ante > LIMIT", "ante > 1000 ", LIMITED)


def test_rules_that_are_noticed_when_broken_are_counted(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = everything(tree)
    narrower = ("1.º 2)", "ante > LIMIT", "ante > 8", LIMITED)  # a refusal where none was wanted counts too
    assert run(tree, TRIPLED, UNLIMITED, narrower, arguments=("--jobs", "2")) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "Toy: 3 rows, 2 of them with 3 tests, 3 broken rules"
    assert out.splitlines()[1].startswith("law: all 3 broken rules noticed (")
    assert err == "", "no bar where there is no terminal"
    assert everything(tree) == before, "nothing of the tree is written"


def test_what_is_not_noticed_or_not_for_its_rule_is_reported(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One interpreter breaks rules of one length in one second, and takes none for another."""
    listed = [
        TRIPLED,
        UNLIMITED,
        ("1.º 2)", "ante > LIMIT", "ante > 1000", BLIND),
        ("1.º 1)", "ante * 2", "2 * ante", DOUBLED),
        ("1.º 1)", "ante * 2", "ante * TWO", DOUBLED),
        ("1.º 1)", "ante * 2", "ante[2]", DOUBLED),
        ("1.º 1)", "def double(", "def doubled(", DOUBLED),
        ("1.º 1)", "LIMIT = 9", "LIMIT = NINE", DOUBLED),
        ("1.º 1)", "return ante * 2", "import os; os._exit(3)", DOUBLED),
    ]
    noticed = [("1.º 1)", "ante * 2", change, DOUBLED) for change in ("ante * 4", "ante * 5")]
    assert run(tree, *listed, *noticed) == 1
    out, err = capsys.readouterr()
    assert out.splitlines()[-1].startswith("law: 7 of 11 not noticed (")
    lines = err.splitlines()
    assert len(lines) == 7
    for line, (row, _, new, test) in zip(lines, listed[2:], strict=True):
        assert line.startswith(f"{row}: controller/rule.py: ") and new in line and f": {test} " in line
    unloaded = "never loaded controller/rule.py"
    verdicts = [line.partition(f"{test} ")[2] for line, (_, _, _, test) in zip(lines, listed[2:], strict=True)]
    assert verdicts[:2] == ["passed", "passed"]
    assert verdicts[2].startswith("broke in its call: NameError") and verdicts[3].startswith("broke in its call: Type")
    assert verdicts[4:] == ["was not run", f"was not run, and {unloaded}", "died or took too long"]


def test_a_test_that_fails_while_no_rule_is_broken_is_a_mistake(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = tree / "controller" / "rule.py"
    rule.write_text(rule.read_text("utf-8").replace("ante * 2", "ante * 2 + 1"), "utf-8")
    assert run(tree, TRIPLED, UNLIMITED) == 2
    assert f"tests/test_toy.py::{DOUBLED}: failed though no rule is broken" in capsys.readouterr().err


def test_mistakes_in_either_list_are_reported_before_anything_is_run(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tree, TRIPLED) == 2
    assert capsys.readouterr().err == "Toy: 1.º 2): no mutation breaks it\n"
    articles = tree.parent / "articles_toy.toml"
    articles.write_text(articles.read_text("utf-8").replace("equipment", ""), "utf-8")
    assert run(tree, TRIPLED, UNLIMITED) == 2
    assert capsys.readouterr().err == "Toy: 2.º: neither a test nor a reason\n"
    assert break_rules.main([], tree, tree.parent, []) == 2
    assert capsys.readouterr().err == "there is no regulation 'toy'\n"


@pytest.mark.parametrize(
    ("arguments", "broken"),
    [((), 2), (("--only", "1.º"), 2), (("--only", "1.º 2)"), 1), (("--only", "2.º"), 0), (("--only", "1)"), 0)],
)
def test_one_article_may_be_broken_alone(
    tree: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    broken: int,
) -> None:
    monkeypatch.setattr(break_rules, "break_all", lambda at, listed: ([], [("x", "x")] * (len(listed) - broken)))
    assert run(tree, TRIPLED, UNLIMITED, arguments=arguments) == (0 if broken else 2)
    out = capsys.readouterr().out
    assert f"law: all {broken} broken rules noticed" in out if broken else out == ""


def test_with_another_seed_or_without_drawn_tests_the_examples_decide(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = "test_2008_art_1_2_drawn"
    test = f"@given(st.integers(-9, 9))\ndef {drawn}(ante):\n    assert double(ante) == ante + ante\n"
    with (tree / "tests" / "test_toy.py").open("a", encoding="utf-8") as file:
        file.write(f"\n\nfrom hypothesis import given, strategies as st\n\n\n{test}")
    blind = ("1.º 2)", "ante > LIMIT", "ante > 1000", f"{LIMITED}', '{drawn}")
    only = ("--only", "1.º 2)")
    assert run(tree, TRIPLED, blind, arguments=only) == 1
    assert f": {drawn} passed" in capsys.readouterr().err
    assert run(tree, TRIPLED, blind, arguments=(*only, "--without-drawn")) == 0
    assert "missed" not in capsys.readouterr().out
    assert run(tree, TRIPLED, blind, arguments=(*only, "--seed", "7")) == 0
    assert "drawn tests missed 1 times with the seed 7" in capsys.readouterr().out
    alone = ("1.º 2)", "ante > LIMIT", "ante > 1000", drawn)
    assert run(tree, TRIPLED, alone) == 2
    assert "drawn tests alone are named" in capsys.readouterr().err
