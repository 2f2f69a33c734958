"""Groups of bars, for gnuplot."""
import plots

BARS = """
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.9 noborder
set boxwidth 0.92
set xtics scale 0
set grid noxtics ytics
"""


def bars(name, rows, groups):
    """Groups of bars: rows of (title, colour, values), a value each group."""
    data = plots.block(name, [
        (group, *(row[2][i] or "NaN" for row in rows))
        for i, group in enumerate(groups)])
    curves = ", ".join(
        f"${name} using {i + 2}:xtic(1) title '{title}' lc rgb '{rgb}'"
        for i, (title, rgb, _) in enumerate(rows))
    return data, f"set xrange [-0.6:{len(groups) - 0.4}]\nplot {curves}\n"


def highest(rows):
    return max(v for _, _, values in rows for v in values if v is not None)
