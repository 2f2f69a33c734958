#!/usr/bin/env python3
"""The table of docs/studies/performance.md, from docs/studies/performance.json.

    ci/speed/table.py [JSON [PAGE]]

Writes it between the page's two lines "<!-- table -->" and "<!-- /table -->";
`make docs` does so. Exit status: 0; 1 if a file is not as expected.
"""
import json
import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "memory"))
import machine  # noqa: E402

BEGIN, END = "<!-- table -->\n", "<!-- /table -->\n"


def short(value):
    if value >= 1e6:
        return f"{value / 1e6:.1f} M"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def table(results):
    about = results["machine"]
    yield f"{machine.in_words(about)}; {results['scene']}, medians of " \
          f"{results['runs']} runs.\n\n"
    yield "| figure | median | least .. most |\n|---|---:|---|\n"
    for name, of in results["figures"].items():
        yield f"| {name} | {short(of['median'])} | " \
              f"{short(of['min'])} .. {short(of['max'])} |\n"


def main(source="docs/studies/performance.json", page="docs/studies/performance.md"):
    with open(source, encoding="utf-8") as file:
        results = json.load(file)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    if BEGIN not in text or END not in text:
        sys.exit(f"{page}: expected lines {BEGIN.strip()} and {END.strip()}")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    with open(page + ".new", "w", encoding="utf-8") as file:
        file.write(before + BEGIN + "".join(table(results)) + END + after)
    os.rename(page + ".new", page)


if __name__ == "__main__":
    main(*sys.argv[1:])
