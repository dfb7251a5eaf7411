"""One tree of joints out of whatever a file connects: other programs allow loops and several roots, we one tree."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Link:
    """A joint by names; parent None is the ground."""

    joint: str
    parent: str | None
    child: str | None


@dataclass(frozen=True)
class Tree:
    """Which joints make the tree, which close loops, and what hangs on neither."""

    root: str
    """The body at the root."""
    root_joint: str | None
    """Its joint to the ground; None: it is free."""
    bodies: list[str]
    joints: list[str]
    """Joints of the tree, the root's included if it has one."""
    closing: list[str]
    """Joints between bodies of the tree, or of it and the ground, that close a loop."""
    left_out: list[str]
    """Bodies of other trees."""


def choose_tree(bodies: Sequence[str], links: Iterable[Link]) -> Tree | None:
    """The tree with the most bodies (of equal ones the first); None when there is no body.

    A body's first joint in the file carries it, unless that would lead back to the body itself.
    """
    carried: dict[str, Link] = {}
    closing: list[Link] = []
    for link in links:
        fits = (
            link.child is not None
            and link.child not in carried
            and not _leads_to(link.parent, link.child, carried)
        )
        if fits:
            carried[link.child] = link
        else:
            closing.append(link)
    trees: dict[str, list[str]] = {}
    for body in bodies:
        trees.setdefault(_root_of(body, carried), []).append(body)
    if not trees:
        return None
    root = max(trees, key=lambda name: len(trees[name]))
    inside = set(trees[root])
    return Tree(
        root,
        carried[root].joint if root in carried else None,
        trees[root],
        [link.joint for child, link in carried.items() if child in inside],
        [link.joint for link in closing if {link.parent, link.child} <= inside | {None}],
        [body for body in bodies if body not in inside],
    )


def _leads_to(start: str | None, target: str, carried: dict[str, Link]) -> bool:
    """Whether `target` lies on the way from `start` to the root, or is `start`."""
    at = start
    while at is not None and at != target and at in carried:
        at = carried[at].parent
    return at == target


def _root_of(body: str, carried: dict[str, Link]) -> str:
    while body in carried and carried[body].parent is not None:
        body = carried[body].parent
    return body


def free_name(name: str, taken: Iterable[str]) -> str:
    """`name`, or with the first number that makes it new."""
    taken = set(taken)
    number = 2
    candidate = name
    while candidate in taken:
        candidate = f"{name}_{number}"
        number += 1
    return candidate
