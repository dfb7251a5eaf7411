"""Pictures to the file of a film: encoded, a sequence or an animated picture; and a contact sheet beside it."""

import math
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import bpy
from PIL import Image

from ...analysis.gif import write_gif
from ...jobs.film_choices import SEQUENCES, SUFFIXES
from ...jobs.protocol import Film
from ..base.errors import SceneError
from .encode import ENCODINGS, LEAST_AV1, write_video
from .shots import rate_of

SHEET_COLUMNS, SHEET_PICTURES, SHEET_WIDTH = 3, 12, 1440
"""Columns, pictures and pixels across of a contact sheet."""


def check_output(film: Film) -> None:
    """Refuse what cannot be written, before anything is rendered."""
    if film.format not in SUFFIXES:
        raise SceneError(f"there is no output '{film.format}': choose one of {', '.join(SUFFIXES)}")
    if film.width % 2 or film.height % 2:
        raise SceneError(f"{film.width} x {film.height}: films need an even width and height")
    if film.format == "AV1" and (film.width < LEAST_AV1[0] or film.height < LEAST_AV1[1]):
        raise SceneError(
            f"{film.width} x {film.height}: AV1 needs at least {LEAST_AV1[0]} x {LEAST_AV1[1]} pixels"
        )
    if film.transparent and film.format not in SEQUENCES:
        raise SceneError(
            "only PNG and OpenEXR sequences are transparent: choose one, or switch Transparent off"
        )
    if film.inset and (film.format == "EXR" or film.transparent):
        raise SceneError("OpenEXR and transparent pictures have no second camera: leave it away")
    if film.sheet and film.format == "EXR":
        raise SceneError("there is no contact sheet of an OpenEXR sequence: switch it off, or choose PNG")


def write_out(scene: bpy.types.Scene, film: Film, pictures: list[Path]) -> None:
    """Pictures to the wanted file."""
    rate = rate_of(scene, film) / film.frame_step
    if film.format in ENCODINGS:
        fps = max(1, math.ceil(rate - 1e-6))
        write_video(pictures, film.target, fps, fps / rate, (film.width, film.height), film.format)
    elif film.format == "GIF":
        times = [number / rate for number in range(len(pictures))]
        write_gif(film.target, pictures, times, stamped=False)
    else:
        film.target.mkdir(exist_ok=True)
        for picture in pictures:
            name = film.target / f"{film.target.name}_{picture.name}"
            shutil.copyfile(picture, name.with_suffix(".partial"))
            os.replace(name.with_suffix(".partial"), name)
    if film.sheet:
        write_sheet(pictures, sheet_path(film.target))


def sheet_path(target: Path) -> Path:
    """Where the contact sheet of a film is."""
    return target.with_name(f"{target.stem}_sheet.jpg")


def write_sheet(pictures: Sequence[Path], target: Path) -> None:
    """One picture with moments of a film from its first to its last, row by row."""
    count = min(SHEET_PICTURES, len(pictures))
    last = len(pictures) - 1
    chosen = [pictures[round(number * last / max(1, count - 1))] for number in range(count)]
    with Image.open(chosen[0]) as first:
        share = SHEET_WIDTH / SHEET_COLUMNS / first.width
        size = (round(first.width * share), round(first.height * share))
    columns = min(SHEET_COLUMNS, count)
    sheet = Image.new("RGB", (columns * size[0], math.ceil(count / columns) * size[1]), (20, 22, 25))
    for number, path in enumerate(chosen):
        with Image.open(path) as picture:
            small = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
        sheet.paste(small, ((number % columns) * size[0], (number // columns) * size[1]))
    partial = target.with_suffix(".partial")
    sheet.save(partial, format="JPEG", quality=88)
    os.replace(partial, target)
