"""Draw docs/images/architecture/imports.svg: which rooms of the product import which.

    .venv/bin/python tools/import_graph.py

Every import counts: at the top of a file, inside a function, for type checking only. A layer is a top-level package, a
*room* a folder in it (or the modules in the layer's own folder). Arrows lead from what imports to what is imported; an
arrow that follows from others is left out. A test says when the picture is due.
"""

import ast
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "images" / "architecture" / "imports.svg"
TOP = "mannequin"
"""The layer of the modules at the root."""

# layer: (what it is, border, background)
LAYERS = {
    TOP: ("entry points, registration", "#5f6b7a", "#eef0f3"),
    "panels": ("layout", "#a8527a", "#fbeef4"),
    "operators": ("buttons", "#a8527a", "#fbeef4"),
    "commands": ("the command line", "#8a6a1f", "#fbf4e0"),
    "scene": ("Blender data to specs and back", "#b0602a", "#fcf0e6"),
    "evidence": ("cases that can be defended", "#8f3d3d", "#faecec"),
    "sweeps": ("many runs, fits", "#6a57a5", "#f1eefa"),
    "places": ("the real place: cameras, scans, witnesses", "#8f4a2c", "#f9efe9"),
    "jobs": ("work in processes of its own", "#57606a", "#f0f2f4"),
    "analysis": ("recordings to results", "#2f7d5b", "#e8f5ef"),
    "models": ("bodies and scenarios", "#4a7d2f", "#eef6e8"),
    "interchange": ("other programs' files", "#2b7a86", "#e6f4f6"),
    "io_json": ("our own files", "#2f6f9f", "#e8f2fa"),
    "engine": ("the physics", "#2c4f8f", "#e9eef9"),
}
REGISTERED = "PACKAGES"
"""The tuple in which registration.py names the layers it imports one after the other."""
UNKNOWN = ("", "#555555", "#f4f4f4")

Graph = dict[str, set[str]]


# the graph


def module_files(root: Path = ROOT) -> dict[str, Path]:
    """Dotted name of every module of the product, as the package itself is called there, to its file."""
    found = [path for path in root.glob("*.py") if path.name != "setup.py"]
    found += [path for layer in LAYERS for path in (root / layer).rglob("*.py")]
    return {module_name(path.relative_to(root)): path for path in sorted(found)}


def module_name(path: Path) -> str:
    """Dotted name of a file, relative to the package; the package itself is the empty name."""
    return ".".join(path.with_suffix("").parts).removesuffix("__init__").removesuffix(".")


@cache
def statements(source: str) -> tuple[tuple[ast.ImportFrom, ...], tuple[str, ...]]:
    """The relative imports of a source, wherever in it, and the packages that it registers."""
    imports, registered = [], []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.level:
            imports.append(node)
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == REGISTERED:
            registered += ast.literal_eval(node.value)
    return tuple(imports), tuple(registered)


def imported_modules(path: Path, name: str, modules: Iterable[str]) -> set[str]:
    """Modules of the product that a file imports, wherever in the file."""
    is_package = path.name == "__init__.py"
    package = name.split(".") if is_package else name.split(".")[:-1]
    imports, registered = statements(path.read_text(encoding="utf-8"))
    found = set(registered)
    for node in imports:
        base = [part for part in package if part][: len(package) - node.level + 1]
        base += node.module.split(".") if node.module else []
        for alias in node.names:
            whole = ".".join([*base, alias.name])
            found.add(whole if whole in modules else ".".join(base))
    return {module for module in found if module in modules and module not in (name, "")}


def module_graph(root: Path = ROOT) -> Graph:
    """Every module to the modules it imports."""
    files = module_files(root)
    return {name: imported_modules(path, name, files) for name, path in files.items()}


def room_of(module: str, is_folder: Mapping[str, bool]) -> tuple[str, str]:
    """(layer, room) of a module; the room is empty for what stands in the layer's own folder."""
    layer, _, below = module.partition(".")
    if not is_folder.get(layer, False):
        return TOP, ""
    room = below.split(".")[0]
    return layer, room if is_folder.get(f"{layer}.{room}", False) else ""


def room_graph(root: Path = ROOT) -> dict[tuple[str, str], set[tuple[str, str]]]:
    """Every room, as (layer, room), to the rooms it imports.

    A module in a layer's own folder that imports one of the layer's rooms is a room by itself. A layer's __init__ only
    passes names on: it is none.
    """
    files, modules = module_files(root), module_graph(root)
    is_folder = {name: path.name == "__init__.py" for name, path in files.items() if name}

    def has_rooms(layer: str) -> bool:
        return any(name.startswith(f"{layer}.") and folder for name, folder in is_folder.items())

    def room(module: str) -> tuple[str, str]:
        layer, name = room_of(module, is_folder)
        around = (room_of(target, is_folder) for target in modules[module])
        is_above = not name and any(other == layer and below for other, below in around)
        return (layer, module.rpartition(".")[2]) if is_above else (layer, name)

    rooms: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for module, targets in modules.items():
        if not (module in LAYERS and has_rooms(module)):
            rooms.setdefault(room(module), set()).update(map(room, targets))
    return {own: targets - {own} for own, targets in rooms.items()}


def cycles(graph: Mapping) -> list[list]:
    """Groups of nodes that reach each other (Tarjan's strongly connected components with more than one node)."""
    index: dict = {}
    low: dict = {}
    stack: list = []
    found: list[list] = []

    def visit(node: object) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for target in sorted(graph.get(node, ())):
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(group) > 1:
                found.append(sorted(group))

    for node in graph:
        if node not in index:
            visit(node)
    return found


def reduced(graph: Mapping[str, set[str]]) -> Graph:
    """The graph without edges that follow from others. The graph must have no cycle."""

    def reach(node: str) -> set[str]:
        return {node}.union(*(reach(target) for target in graph.get(node, ())))

    return {
        node: {
            target
            for target in targets
            if not any(target in reach(other) for other in targets if other != target)
        }
        for node, targets in graph.items()
    }


def ranks(graph: Mapping[str, set[str]]) -> dict[str, int]:
    """Longest way down from each node: what imports nothing has rank 0."""
    found: dict[str, int] = {}

    def rank(node: str) -> int:
        if node not in found:
            found[node] = max((rank(target) + 1 for target in graph.get(node, ())), default=0)
        return found[node]

    for node in graph:
        rank(node)
    return found


# the layout

ROOM_HEIGHT, ROOM_GAP, ARROW, PADDING, HEADER = 30, 11, 21, 14, 46
CARD_GAP, TIER_GAP, LANE, MARGIN = 24, 44, 14, 20
BEGINNINGS = 60
"""Orders of boxes that are tried."""
MOST_STOREYS = 5
"""Rooms above each other in a card; a longer chain is laid out from left to right."""


def text_width(text: str, size: float) -> float:
    """Width of a text, near enough."""
    return sum(0.30 if letter in "iljt.,'" else 0.86 if letter in "mw" else 0.57 for letter in text) * size


@dataclass
class Box:
    """A rectangle with a name: a room in its card, or a card on the page; a lane (no name) lets arrows pass."""

    name: str
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0
    lane: bool = False
    foot: float = 0.0
    """Lower edge of its tier, to which an arrow goes straight down before it turns."""

    @property
    def middle(self) -> float:
        """Middle of its width."""
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        """y of the lower edge."""
        return self.y + self.height


@dataclass
class Layered:
    """Boxes in tiers, top tier first, and the chains of boxes that arrows pass, lanes included."""

    tiers: list[list[Box]]
    chains: list[list[Box]] = field(default_factory=list)


def layered(graph: Graph, boxes: dict[str, Box]) -> Layered:
    """Boxes in tiers by rank, with lanes where an arrow passes a tier."""
    rank = ranks(graph)
    top = max(rank.values(), default=0)
    made = Layered([[] for _ in range(top + 1)])
    for name in graph:
        made.tiers[top - rank[name]].append(boxes[name])
    for name, targets in graph.items():
        for target in sorted(targets):
            chain = [boxes[name]]
            for tier in range(top - rank[name] + 1, top - rank[target]):
                lane = Box("", LANE, 0.0, lane=True)
                made.tiers[tier].append(lane)
                chain.append(lane)
            made.chains.append([*chain, boxes[target]])
    return made


def neighbours_of(plan: Layered) -> dict[int, list[Box]]:
    """Boxes (by identity) to the boxes that an arrow leads to or comes from in the next tiers."""
    found: dict[int, list[Box]] = {id(box): [] for tier in plan.tiers for box in tier}
    for chain in plan.chains:
        for upper, lower in zip(chain, chain[1:], strict=False):
            found[id(upper)].append(lower)
            found[id(lower)].append(upper)
    return found


def sort_tiers(plan: Layered) -> None:
    """Order the boxes of each tier so that few arrows cross; the best of many beginnings, the same every time."""
    around, chance = neighbours_of(plan), random.Random(0)
    best: tuple[tuple[int, float], list[list[Box]]] | None = None
    for _ in range(BEGINNINGS):
        found = settle(plan, around)
        if best is None or found < best[0]:
            best = found, [list(tier) for tier in plan.tiers]
        for tier in plan.tiers:
            chance.shuffle(tier)
    plan.tiers = best[1]


def settle(plan: Layered, around: Mapping[int, list[Box]]) -> tuple[int, float]:
    """Sort each tier by the mean place of its boxes' neighbours, to and fro, then exchange boxes as long as it helps;
    returns what is left of crossings."""
    place: dict[int, float] = {}

    def enter(tier: list[Box]) -> None:
        place.update({id(box): k - len(tier) / 2 for k, box in enumerate(tier)})

    def mean(box: Box) -> float:
        others = [place[id(other)] for other in around[id(box)]]
        return sum(others) / len(others) if others else place[id(box)]

    for tier in plan.tiers:
        enter(tier)
    for sweep in range(6):
        for tier in plan.tiers if sweep % 2 else reversed(plan.tiers):
            tier.sort(key=mean)
            enter(tier)
    fewest, improved = crossings(plan, place), True
    while improved:
        improved = False
        for tier in plan.tiers:
            for k in range(len(tier) - 1):
                tier[k], tier[k + 1] = tier[k + 1], tier[k]
                enter(tier)
                now = crossings(plan, place)
                if now < fewest:
                    fewest, improved = now, True
                else:
                    tier[k], tier[k + 1] = tier[k + 1], tier[k]
                    enter(tier)
    return fewest


def crossings(plan: Layered, place: Mapping[int, float]) -> tuple[int, float]:
    """How many pairs of arrows cross between neighbouring tiers, and how far all arrows go aside."""
    tier_of = {id(box): number for number, tier in enumerate(plan.tiers) for box in tier}
    steps: dict[int, list[tuple[float, float]]] = {}
    for chain in plan.chains:
        for upper, lower in zip(chain, chain[1:], strict=False):
            steps.setdefault(tier_of[id(upper)], []).append((place[id(upper)], place[id(lower)]))
    crossed = sum(
        (a[0] - b[0]) * (a[1] - b[1]) < 0
        for pairs in steps.values()
        for k, a in enumerate(pairs)
        for b in pairs[k + 1 :]
    )
    return crossed, sum(abs(upper - lower) for pairs in steps.values() for upper, lower in pairs)


def spread(plan: Layered, gap: float) -> float:
    """Place the boxes of each tier from left to right, each near the middle of its neighbours; returns the width."""
    around = neighbours_of(plan)
    for tier in plan.tiers:
        at = -(sum(box.width for box in tier) + gap * (len(tier) - 1)) / 2
        for box in tier:
            box.x, at = at, at + box.width + gap
    for sweep in range(40):
        for tier in plan.tiers if sweep % 2 else reversed(plan.tiers):
            for box in tier:
                others = around[id(box)]
                if others:
                    box.x = sum(other.middle for other in others) / len(others) - box.width / 2
            push_apart(tier, gap)
    left = min(box.x for tier in plan.tiers for box in tier)
    for tier in plan.tiers:
        for box in tier:
            box.x = round(box.x - left, 1)
    return max(box.x + box.width for tier in plan.tiers for box in tier)


def push_apart(tier: list[Box], gap: float) -> None:
    """Let no two boxes of a tier overlap; what must move moves evenly to both sides."""
    wanted = [box.middle for box in tier]
    for before, box in zip(tier, tier[1:], strict=False):
        box.x = max(box.x, before.x + before.width + gap)
    drift = sum(box.middle - middle for box, middle in zip(tier, wanted, strict=True)) / len(tier)
    for box in tier:
        box.x -= drift


@dataclass
class Card:
    """A layer with its rooms placed inside."""

    layer: str
    box: Box
    rooms: list[Box]
    arrows: list[str]


def make_card(layer: str, graph: Graph) -> Card:
    """A card for a layer, its rooms laid out; `graph`: the rooms and what they import of each other."""
    about, color, _ = LAYERS.get(layer, UNKNOWN)
    header = max(1.1 * text_width(layer, 16), text_width(about, 11.5)) + 2 * PADDING
    if len(graph) <= 1:
        return Card(layer, Box(layer, header, HEADER + 4), [], [])
    small = reduced(graph)
    boxes = {name: Box(name, text_width(name, 13.5) + 17, ROOM_HEIGHT) for name in sorted(graph)}
    plan = layered(small, boxes)
    sort_tiers(plan)
    if len(plan.tiers) > MOST_STOREYS:
        width, height, arrows = lay_across(plan, color)
    else:
        width, height, arrows = lay_down(plan, color)
    whole = max(header, width + 2 * PADDING)
    shift = (whole - width) / 2
    for box in boxes.values():
        box.x, box.y = box.x + shift, box.y + HEADER
    moved = [f'<g transform="translate({shift:.1f} {HEADER})">{"".join(arrows)}</g>']
    return Card(layer, Box(layer, whole, HEADER + height + PADDING), list(boxes.values()), moved)


def lay_down(plan: Layered, color: str) -> tuple[float, float, list[str]]:
    """Tiers from top to bottom; width, height and arrows."""
    width = spread(plan, ROOM_GAP)
    height = stack(plan, ARROW)
    return width, height, [arrow(path, color, 1.3) for path in chain_paths(plan.chains)]


def lay_across(plan: Layered, color: str) -> tuple[float, float, list[str]]:
    """The same from right to left, for long chains: laid out downward and then turned."""
    boxes = [box for tier in plan.tiers for box in tier]
    for box in boxes:
        box.width, box.height = box.height, box.width
        if box.lane:
            box.width, box.height = LANE, 0.0
    for tier in plan.tiers:
        longest = max(box.height for box in tier)
        for box in tier:
            box.height = longest
    height = spread(plan, ROOM_GAP)
    width = stack(plan, ARROW)
    paths = [turned(path, width) for path in chain_paths(plan.chains)]
    for box in boxes:
        box.x, box.y, box.width, box.height = width - box.y - box.height, box.x, box.height, box.width
    return width, height, [arrow(path, color, 1.3) for path in paths]


def stack(plan: Layered, gap: float, y: float = 0.0) -> float:
    """Give every tier its height, from y downward; returns the lower edge of the last."""
    for tier in plan.tiers:
        foot = y + max(box.height for box in tier)
        for box in tier:
            box.y, box.foot = y, foot
            box.height = foot - y if box.lane else box.height
        y = foot + gap
    return y - gap


def turned(path: str, width: float) -> str:
    """A path turned so that down is left: (x, y) becomes (width - y, x)."""
    words = path.replace("M", " M ").replace("C", " C ").replace("V", " H ").split()
    out, numbers = [], []
    for word in words:
        if word in "MCH":
            out.append(word)
            continue
        if out[-1] == "H":
            out.append(f"{width - float(word):.1f}")
            continue
        numbers.append(float(word))
        if len(numbers) == 2:
            out += [f"{width - numbers[1]:.1f}", f"{numbers[0]:.1f}"]
            numbers = []
    return " ".join(out)


def ports(chains: list[list[Box]], end: int) -> dict[tuple[int, int], float]:
    """x at which each chain leaves (`end` 0) or meets (-1) a box: about its middle, in the order of the neighbours."""
    found = {}
    for box in {id(chain[end]): chain[end] for chain in chains}.values():
        own = [chain for chain in chains if chain[end] is box]
        own.sort(key=lambda chain: chain[1 if end == 0 else -2].middle)
        room = min(24.0, box.width * 0.7 / len(own))
        for k, chain in enumerate(own):
            found[id(chain), end] = box.middle + (k - (len(own) - 1) / 2) * room
    return found


def chain_paths(chains: list[list[Box]]) -> list[str]:
    """Smooth paths from the lower edge of the first box of each chain, through its lanes, to the upper edge of the
    last."""
    leave, meet = ports(chains, 0), ports(chains, -1)
    paths = []
    for chain in chains:
        x, y = leave[id(chain), 0], chain[0].foot
        path = f"M{x:.1f} {chain[0].bottom:.1f}V{y:.1f}"
        for box in chain[1:]:
            x1 = box.middle if box.lane else meet[id(chain), -1]
            bend = (y + box.y) / 2
            path += f"C{x:.1f} {bend:.1f} {x1:.1f} {bend:.1f} {x1:.1f} {box.y - (0 if box.lane else 1):.1f}"
            if box.lane:
                path += f"V{box.foot:.1f}"
            x, y = x1, box.foot
        paths.append(path)
    return paths


# the picture


def arrow(path: str, color: str, width: float) -> str:
    """A line with a head."""
    head = "h" + color.removeprefix("#")
    return f'<path d="{path}" stroke="{color}" stroke-width="{width}" fill="none" marker-end="url(#{head})"/>'


def text(x: float, y: float, words: str, size: float, color: str, more: str = "") -> str:
    """A line of text."""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{color}" {more}>{escape(words)}</text>'


def draw_card(card: Card) -> str:
    """A layer with its rooms."""
    about, color, fill = LAYERS.get(card.layer, UNKNOWN)
    box = card.box
    parts = [
        f'<g transform="translate({box.x:.1f} {box.y:.1f})">',
        f'<rect width="{box.width:.1f}" height="{box.height:.1f}" rx="9" fill="{fill}" stroke="{color}"/>',
        text(PADDING, 22, card.layer, 16, color, 'font-weight="700"'),
        text(PADDING, 38, about, 11.5, "#57606a"),
        *card.arrows,
    ]
    for room in card.rooms:
        parts.append(
            f'<rect x="{room.x:.1f}" y="{room.y:.1f}" width="{room.width:.1f}" height="{ROOM_HEIGHT}" rx="5" '
            f'fill="#ffffff" stroke="{color}"/>'
        )
        parts.append(
            text(room.x + room.width / 2, room.y + 19.5, room.name, 13.5, "#1f2328", 'text-anchor="middle"')
        )
    return "".join([*parts, "</g>"])


def heads() -> str:
    """Arrow heads in the colours of the layers, and in grey."""
    colors = sorted({color for _, color, _ in [*LAYERS.values(), UNKNOWN]} | {"#8c959f"})
    return "".join(
        f'<marker id="h{color[1:]}" viewBox="0 0 8 8" refX="7.4" refY="4" markerWidth="7" markerHeight="7" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 .6 7.6 4 0 7.4z" fill="{color}"/></marker>'
        for color in colors
    )


def picture(root: Path = ROOT) -> str:
    """The whole picture as SVG text."""
    rooms = room_graph(root)
    if cycles(rooms):
        raise SystemExit(f"rooms import each other: {cycles(rooms)}")
    layers: dict[str, Graph] = {}
    between: Graph = {}
    for (layer, room), targets in rooms.items():
        names = own_names(root, layer) if not room else room
        inside = layers.setdefault(layer, {})
        inside[names] = {other or own_names(root, layer) for target, other in targets if target == layer}
        between.setdefault(layer, set()).update(target for target, _ in targets if target != layer)
    cards = {layer: make_card(layer, graph) for layer, graph in layers.items()}
    boxes = {layer: card.box for layer, card in cards.items()}
    plan = layered(reduced(between), boxes)
    sort_tiers(plan)
    width = spread(plan, CARD_GAP)
    for box in (box for tier in plan.tiers for box in tier):
        box.x += MARGIN
    bottom = stack(plan, TIER_GAP, MARGIN + 40.0)
    arrows = [arrow(path, "#8c959f", 2) for path in chain_paths(plan.chains)]
    words = (
        "An arrow leads from what imports to what it imports; arrows that follow from others are left out."
    )
    size = (width + 2 * MARGIN, bottom + 34 + MARGIN)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]:.0f} {size[1]:.0f}" width="{size[0]:.0f}" '
        f'height="{size[1]:.0f}" font-family="Segoe UI, Helvetica Neue, Helvetica, Arial, sans-serif">',
        "<title>Imports between the layers and rooms of Mannequin</title>",
        f"<defs>{heads()}</defs>",
        f'<rect width="{size[0]:.0f}" height="{size[1]:.0f}" fill="#ffffff"/>',
        text(MARGIN, MARGIN + 16, "Layers and rooms of Mannequin", 19, "#1f2328", 'font-weight="700"'),
        *arrows,
        *(draw_card(card) for card in cards.values()),
        text(MARGIN, size[1] - MARGIN, words, 12, "#57606a"),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def own_names(root: Path, layer: str) -> str:
    """What stands directly in a layer's folder, as a label: the module where it is one, else the layer."""
    if layer == TOP:
        return layer
    names = sorted(path.stem for path in (root / layer).glob("*.py") if path.stem != "__init__")
    return names[0] if len(names) == 1 else layer


if __name__ == "__main__":
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(picture(), encoding="utf-8")
    print(PICTURE)
