"""
What the tables of all documents share: the blocks that they stand in, and how
a cell is found and written.
"""
import re

import figures
from chip import Wrong

BLOCK = re.compile(r"^(<!-- ([a-z0-9-]+) -->\n)(.*?)^(<!-- end -->)$",
                   re.MULTILINE | re.DOTALL)
NOTHING = "-"


def fill(page, text, made):
    """The page with its blocks renewed; those without results stay."""
    names = [match[2] for match in BLOCK.finditer(text)]
    if not names:
        raise Wrong(f"{page}: expected blocks between <!-- NAME --> and "
                    "<!-- end -->")
    for name in names:
        if name not in made:
            raise Wrong(f"{page}: there is no table '{name}': expected one of "
                        + ", ".join(made))
    return BLOCK.sub(lambda m: m[1] + (made[m[2]] or m[3]) + m[4], text)


def table(header, rows):
    return "".join("| " + " | ".join(map(str, row)) + " |\n"
                   for row in [header, ["---"] * len(header), *rows])


def number(value, digits):
    return NOTHING if value is None else f"{value:.{digits}f}"


def with_ratio(value, reference, digits):
    if value is None or not reference:
        return number(value, digits)
    return f"{value:.{digits}f} ({value / reference:.2f})"


# ---- what was measured ------------------------------------------------------

def find(part, **wanted):
    """The cell's figures; None if there is none."""
    for cell in part["cells"]:
        if all(cell[key] == value for key, value in wanted.items()):
            return cell["figures"]
    return None


def size_of(cell):
    """Pixels of a cell's, or of a part's, pictures."""
    return " x ".join(map(str, cell["size"]))


def in_order(part, key):
    return list(dict.fromkeys(cell[key] for cell in part["cells"]))


def titles(names):
    return [figures.title(name) for name in names]


def shown(found, names):
    """The figures of a cell, as they stand in a row; None: there is none."""
    return [NOTHING if found is None else number(found[name],
                                                 figures.digits(name))
            for name in names]
