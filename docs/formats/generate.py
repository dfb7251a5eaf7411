"""Write the JSON Schema files and the field tables of these pages, from the declarations in `io_json`.

    .venv/bin/python docs/formats/generate.py

Run it after a change to a field of engine/spec or to its description; a test says when it is due.
"""

import json
import re
from pathlib import Path

from mannequin.io_json import describe
from mannequin.io_json.atomic import write_text

FOLDER = Path(__file__).resolve().parent
SCHEMA_FOLDER = FOLDER.parent.parent / "io_json" / "schema"
PAGES = ("model.md", "scenario.md")
TABLE = re.compile(r"<!-- table: (\w+) -->\n.*?<!-- end -->", re.DOTALL)


def fill_tables(page: str) -> str:
    """The page with every table between its markers renewed."""
    return TABLE.sub(lambda m: f"<!-- table: {m[1]} -->\n{describe.table(m[1])}\n<!-- end -->", page)


def schema_files() -> dict[Path, str]:
    """Path to text of every schema file."""
    return {
        SCHEMA_FOLDER / name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in describe.schema_texts().items()
    }


def main() -> None:
    """Write the schema files and the tables of the pages."""
    for path, text in schema_files().items():
        write_text(path, text)
    for name in PAGES:
        write_text(FOLDER / name, fill_tables((FOLDER / name).read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
