"""The examples in the documentation of the engine are run and give what they say."""

import doctest
from inspect import ismodule

import pytest
from doc_examples import run_examples, run_page

import mannequin.engine


def test_page():
    blocks, results = run_page("engine.md")
    assert blocks >= 8 and results.attempted > 40 and results.failed == 0


def test_package_docstring():
    examples = doctest.DocTestParser().get_examples(mannequin.engine.__doc__)
    assert examples and run_examples(examples, "mannequin.engine").failed == 0


OFFERED = [name for name, thing in vars(mannequin.engine).items() if name[0] != "_" and not ismodule(thing)]


@pytest.mark.parametrize("name", OFFERED)
def test_public_names_exist_and_say_what_they_are(name):
    thing = getattr(mannequin.engine, name)
    assert getattr(thing, "__doc__", None)
