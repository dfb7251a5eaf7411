"""The examples of the page about scripts and notebooks are run and give what they say."""

from doc_examples import run_page


def test_page():
    blocks, results = run_page("notebooks.md")
    assert blocks >= 2 and results.attempted > 15 and results.failed == 0
