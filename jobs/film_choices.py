"""What can be chosen for a film: name, label and description, for the panel of Blender and for the command line."""

CAMERAS = (
    ("side", "Side", "From the actors' right, at hip height"),
    ("front", "Front", "Against the direction of motion"),
    ("top", "Top", "From above"),
    ("three_quarter", "Three-Quarter", "From the front right, a little above"),
    ("tracking", "Tracking", "From the side, following the actor"),
    ("close", "Close", "The head of the first person, followed from near"),
    ("own", "Own Camera", "The scene's active camera, as you have placed it"),
)
PRESETS = (
    ("draft", "Draft", "Workbench: a second or so per frame"),
    ("film", "Film", "EEVEE: soft light and shadows; wants a graphics card"),
    ("best", "Best", "Cycles with denoising: the best picture, minutes per frame"),
    ("own", "As the Scene", "Engine, samples and colours as you have set them in the Render properties"),
)
STAGES = (
    ("grid", "Metre Grid", "Neutral ground with a grid in metres, for measuring by eye"),
    ("day", "Day", "Sun and blue sky"),
    ("overcast", "Overcast", "Grey sky, hardly a shadow"),
    ("night", "Night", "Moonlight, street lamps along the motion, headlights on vehicles"),
    ("studio", "Studio", "Even light on a plain floor without a horizon"),
)
GROUNDS = (
    ("asphalt", "Asphalt", "Road"),
    ("concrete", "Concrete", "Slabs of three metres"),
    ("grass", "Grass", "Lawn"),
    ("tiles", "Tiles", "Tiles of 30 cm"),
    ("wood", "Wood", "Planks"),
    ("carpet", "Carpet", "Pile"),
)
FORMATS = (
    ("MP4", "MP4, H.264", "Film that plays everywhere"),
    ("PNG", "PNG Sequence", "One picture per frame"),
    ("GIF", "GIF", "Animated picture for web pages"),
    ("H265", "MP4, H.265", "Film of about half the size of H.264; older programs do not play it"),
    ("AV1", "MP4, AV1", "The smallest film, for today's browsers; of at least 256 x 144 pixels"),
    ("WEBM", "WebM, VP9", "Film for web pages"),
    ("PRORES", "QuickTime, ProRes", "Large film that loses little, for cutting programs"),
    ("EXR", "OpenEXR Sequence", "One picture per frame in linear colours of 16 bits, for compositing"),
)
SUFFIXES = {
    "MP4": ".mp4",
    "H265": ".mp4",
    "AV1": ".mp4",
    "WEBM": ".webm",
    "PRORES": ".mov",
    "GIF": ".gif",
    "PNG": "",
    "EXR": "",
}
"""What the name of a film ends with; a folder of pictures with nothing."""
SEQUENCES = {"PNG": ".png", "EXR": ".exr"}
"""Formats that are folders of pictures, and what those end with."""
COMPARISONS = (
    ("beside", "Beside Each Other", "A half of the picture for each run"),
    ("over", "Over Each Other", "The second run half seen through, over the first, from one camera"),
    ("wipe", "Wiped", "The first run at the left of a line, the second at its right, from one camera"),
)
SHOTS = (
    ("wide", "Wide", "All of the action, from the front right"),
    *CAMERAS[:5],
    ("close", "Close", "The head, followed from near"),
    ("contact", "Contact", "What is struck in an impact, from near"),
    ("camera", "Camera", "A camera of the scene: a witness's, a matched one, your own"),
)
OWN = "own"
"""Name of the choice that leaves camera or quality to the scene; a run folder has no scene."""


def format_of(name: str) -> str | None:
    """Format of a film by the ending of its name (a picture's means a folder of pictures); None for any other."""
    ending = name.lower()
    return "PNG" if ending == ".png" else next((kind for kind, it in SUFFIXES.items() if it == ending), None)


def names_of(choices: tuple[tuple[str, str, str], ...]) -> tuple[str, ...]:
    """Names that a command line takes."""
    return tuple(name for name, _, _ in choices if name != OWN)
