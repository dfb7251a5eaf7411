"""Examples of a page of the documentation, run."""

import doctest
import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run_examples(examples: list[doctest.Example], name: str) -> doctest.TestResults:
    """Results of examples that follow each other."""
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    return runner.run(doctest.DocTest(examples, {}, name, name, 0, None))


def run_page(name: str) -> tuple[int, doctest.TestResults]:
    """Number of blocks of a page's examples, and their results."""
    text = (DOCS / name).read_text(encoding="utf-8")
    blocks = BLOCK.findall(text)
    assert len(blocks) == text.count("```pycon")
    examples = [example for block in blocks for example in doctest.DocTestParser().get_examples(block)]
    return len(blocks), run_examples(examples, name)
