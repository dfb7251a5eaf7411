"""The examples in the documentation of the engine are run and give what they say."""

import doctest
import re
from inspect import ismodule
from pathlib import Path

import pytest

import mannequin.engine

PAGE = Path(__file__).parents[3] / "docs" / "engine.md"
BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run_examples(examples: list[doctest.Example], name: str) -> doctest.TestResults:
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    return runner.run(doctest.DocTest(examples, {}, name, name, 0, None))


def test_page():
    text = PAGE.read_text(encoding="utf-8")
    blocks = BLOCK.findall(text)
    assert len(blocks) == text.count("```pycon") >= 8
    examples = [example for block in blocks for example in doctest.DocTestParser().get_examples(block)]
    results = run_examples(examples, PAGE.name)
    assert results.attempted > 40 and results.failed == 0


def test_package_docstring():
    examples = doctest.DocTestParser().get_examples(mannequin.engine.__doc__)
    assert examples and run_examples(examples, "mannequin.engine").failed == 0


OFFERED = [name for name, thing in vars(mannequin.engine).items() if name[0] != "_" and not ismodule(thing)]


@pytest.mark.parametrize("name", OFFERED)
def test_public_names_exist_and_say_what_they_are(name):
    thing = getattr(mannequin.engine, name)
    assert getattr(thing, "__doc__", None)
